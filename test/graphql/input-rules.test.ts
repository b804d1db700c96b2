import { Client } from "pg";
import { card, CREATE, ledgerOf, send, type Created, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let key: string;
let database: Client;
beforeAll(async () => {
  house = await openHouse();
  key = house.credentials.keys.payments;
  database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await house.close();
});

const create = (idempotencyKey: unknown, input: unknown) =>
  send<Created>(house.url, key, CREATE, { key: idempotencyKey, input });

/** The paths that a BAD_USER_INPUT names; everything else fails the test. */
function pathsOf(reply: Reply<unknown>): string[] {
  const { code, retryable, fields } = reply.errors?.[0]?.extensions ?? {};
  expect({ code, retryable }).toEqual({ code: "BAD_USER_INPUT", retryable: false });
  return (fields as { path: string; message: string }[]).map((field) => field.path);
}

async function rows(): Promise<number> {
  const { rows: counted } = await database.query<{ n: string }>(
    "select (select count(*) from operations) + (select count(*) from payments) + (select count(*) from attempts) as n",
  );
  return Number(counted[0]?.n);
}

const CANARY = "4242424242424242";
const money = (amount: unknown, currency: unknown = "BRL") => ({
  ...card("1"),
  amount: { amount, currency },
});
const over = (extra: Record<string, unknown>) => card("1", extra);

const WRONG: [rule: string, key: unknown, input: unknown, path: string][] = [
  // The key: KEY-01, KEY-02
  ["an empty key", "", card("1"), "idempotencyKey"],
  ["a blank key", "   ", card("1"), "idempotencyKey"],
  ["a key with a trailing space", "k1 ", card("1"), "idempotencyKey"],
  ["a key with a leading space", " k1", card("1"), "idempotencyKey"],
  ["a key with a tab", "k1\t", card("1"), "idempotencyKey"],
  ["a key with CR and LF", "k\r\n1", card("1"), "idempotencyKey"],
  ["a key with NUL", "a\u0000b", card("1"), "idempotencyKey"],
  ["a key with a lone surrogate", "a\ud83d", card("1"), "idempotencyKey"],
  ["a key with a right-to-left override", "a\u202eb", card("1"), "idempotencyKey"],
  ["a key with é, composed", "\u00e9", card("1"), "idempotencyKey"],
  ["a key with é, decomposed", "e\u0301", card("1"), "idempotencyKey"],
  ["a key in full width", "１", card("1"), "idempotencyKey"],
  ["a key of emoji", "😀".repeat(100), card("1"), "idempotencyKey"],
  ["a key of 101 characters", "k".repeat(101), card("1"), "idempotencyKey"],
  ["a key of 1,000 characters", "k".repeat(1_000), card("1"), "idempotencyKey"],
  // Money: MONEY-01, CUR-01
  ["more decimals than BRL has", "k", money("10.505"), "input.amount.amount"],
  ["zero", "k", money("0"), "input.amount.amount"],
  ["zero with decimals", "k", money("0.00"), "input.amount.amount"],
  ["a negative amount", "k", money("-1"), "input.amount.amount"],
  ["an exponent", "k", money("1e3"), "input.amount.amount"],
  ["a plus sign", "k", money("+1"), "input.amount.amount"],
  ["a comma", "k", money("1,5"), "input.amount.amount"],
  ["a space", "k", money(" 1"), "input.amount.amount"],
  ["an empty amount", "k", money(""), "input.amount.amount"],
  ["an amount of NaN", "k", money("NaN"), "input.amount.amount"],
  ["2^53 minor units", "k", money("90071992547409.92"), "input.amount.amount"],
  ["2^53 + 1 minor units of JPY", "k", money("9007199254740993", "JPY"), "input.amount.amount"],
  ["decimals of JPY", "k", money("10.5", "JPY"), "input.amount.amount"],
  ["four decimals of KWD", "k", money("1.2345", "KWD"), "input.amount.amount"],
  ["a currency in lower case", "k", money("1", "brl"), "input.amount.currency"],
  ["an unknown currency", "k", money("1", "ABC"), "input.amount.currency"],
  ["a currency of four letters", "k", money("1", "BRLX"), "input.amount.currency"],
  // Texts
  ["NUL in a description", "k", over({ description: "a\u0000b" }), "input.description"],
  ["a lone surrogate in a description", "k", over({ description: "\ud83d" }), "input.description"],
  ["501 characters", "k", over({ description: "x".repeat(501) }), "input.description"],
  ["a card number in a text", "k", over({ description: `card ${CANARY}` }), "input.description"],
  ["a card number with spaces", "k", over({ description: "4242 4242 4242 4242" }), "input.description"],
  ["a card number for a token", "k", card("1", {}, CANARY), "input.method.card.token"],
  ["an empty token", "k", card("1", {}, ""), "input.method.card.token"],
  [
    "an order reference of 101 bytes",
    "k",
    over({ order: { reference: "é".repeat(51) } }),
    "input.order.reference",
  ],
  ["an empty order reference", "k", over({ order: { reference: "" } }), "input.order.reference"],
  ["an empty customer reference", "k", over({ customerReference: "" }), "input.customerReference"],
  ["no e-mail address", "k", over({ payer: { email: "nobody" } }), "input.payer.email"],
  ["no tax id", "k", over({ payer: { taxId: "123.456.789-09" } }), "input.payer.taxId"],
  ["http to another machine", "k", over({ returnUrl: "http://shop.example/" }), "input.returnUrl"],
  ["a script for an address", "k", over({ returnUrl: "javascript:alert(1)" }), "input.returnUrl"],
  // Metadata
  ["a number in metadata", "k", over({ metadata: { a: 1 } }), "input.metadata.a"],
  ["an object in metadata", "k", over({ metadata: { b: { x: 1 } } }), "input.metadata.b"],
  ["a list for metadata", "k", over({ metadata: [1] }), "input.metadata"],
  ["NUL in a metadata value", "k", over({ metadata: { a: "\u0000" } }), "input.metadata.a"],
  ["NUL in a metadata key", "k", over({ metadata: { "\u0000": "a" } }), "input.metadata"],
  ["a metadata key of 41 characters", "k", over({ metadata: { ["k".repeat(41)]: "a" } }), "input.metadata"],
  ["a metadata value of 501 characters", "k", over({ metadata: { a: "x".repeat(501) } }), "input.metadata.a"],
  [
    "51 members of metadata",
    "k",
    over({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, "v"])) }),
    "input.metadata",
  ],
  ["a card number in metadata", "k", over({ metadata: { card: CANARY } }), "input.metadata.card"],
  // Methods
  [
    "a Pix that lives for a second",
    "k",
    over({ method: { pix: { expiresInSeconds: 1 } } }),
    "input.method.pix.expiresInSeconds",
  ],
  [
    "a Pix in a currency that no account takes by it",
    "k",
    { ...money("10", "USD"), method: { pix: {} } },
    "input.amount.currency",
  ],
  [
    "a Pix to be captured later",
    "k",
    over({ method: { pix: {} }, captureMode: "MANUAL" }),
    "input.captureMode",
  ],
  ["a boleto made out to nobody", "k", over({ method: { boleto: {} } }), "input.payer.taxId"],
  [
    "an account of nobody's",
    "k",
    over({ method: { card: { token: "pm_card_visa", providerAccountId: "pa_x" } } }),
    "input.method.card.providerAccountId",
  ],
  ["an amount that the provider cannot count", "k", money("1.234", "KWD"), "input.amount"],
  // GQL-02, and what GraphQL refuses in a variable
  ["a JSON number for an amount", "k", money(10.5), "input.amount.amount"],
  ["a number for a key", 7, card("1"), "idempotencyKey"],
  ["null for a key", null, card("1"), "idempotencyKey"],
  ["no amount", "k", { method: card("1").method }, "input.amount"],
  ["null for an amount", "k", { ...card("1"), amount: null }, "input.amount"],
  ["half an amount", "k", { ...card("1"), amount: { currency: "BRL" } }, "input.amount.amount"],
  ["null for a method", "k", { ...card("1"), method: null }, "input.method"],
  ["no method at all", "k", over({ method: {} }), "input.method"],
  ["two methods", "k", over({ method: { card: { token: "pm_card_visa" }, pix: {} } }), "input.method"],
  ["a method that is null", "k", over({ method: { card: null } }), "input.method.card"],
  ["an unknown field", "k", over({ amont: 1 }), "input.amont"],
  ["an unknown enum value", "k", over({ captureMode: "LATER" }), "input.captureMode"],
  ["a list for an input", "k", [card("1"), null], "input"],
  ["a text for an input", "k", CANARY, "input"],
];

test.each(WRONG)(
  "%s is BAD_USER_INPUT with its path, and nothing is written",
  async (_, idempotencyKey, input, path) => {
    const before = await rows();
    const { calls } = await ledgerOf(house.sandboxUrl);
    const reply = await create(idempotencyKey, input);
    expect(pathsOf(reply)).toContain(path);
    const text = JSON.stringify(reply);
    expect(text).not.toContain(CANARY);
    expect(text).not.toMatch(/Cannot read|SQLSTATE|"stacktrace"|at Object\./);
    expect(await rows()).toBe(before);
    expect((await ledgerOf(house.sandboxUrl)).calls).toEqual(calls);
  },
);

test("several mistakes come together", async () => {
  const reply = await create("a b", {
    ...money("-1", "brl"),
    description: "x".repeat(501),
    metadata: { a: 1 },
    order: { reference: "" },
  });
  expect(pathsOf(reply).sort()).toEqual([
    "idempotencyKey",
    "input.amount.amount",
    "input.amount.currency",
    "input.description",
    "input.metadata.a",
    "input.order.reference",
  ]);
});

test("written inline it is the same error as in a variable", async () => {
  const inline = await send(
    house.url,
    key,
    `mutation { createPayment(idempotencyKey: "k 1", input: { amount: { amount: "10.505", currency: "BRL" }, method: { card: { token: "pm_card_visa" } } }) { payment { id } } }`,
  );
  expect(pathsOf(inline).sort()).toEqual(["idempotencyKey", "input.amount.amount"]);
});

test.each([
  [
    "a number for an amount",
    `amount: { amount: ${CANARY}, currency: "BRL" }, method: { card: { token: "t" } }`,
  ],
  [
    "a text for an enum",
    `captureMode: "${CANARY}", amount: { amount: "1", currency: "BRL" }, method: { card: { token: "t" } }`,
  ],
  ["a text for an object", `amount: "${CANARY}", method: { card: { token: "t" } }`],
  [
    "a text for a number",
    `amount: { amount: "1", currency: "BRL" }, method: { pix: { expiresInSeconds: "${CANARY}" } }`,
  ],
  [
    "an enum that is none",
    `captureMode: X${CANARY}, amount: { amount: "1", currency: "BRL" }, method: { card: { token: "t" } }`,
  ],
])("inline, %s is GRAPHQL_VALIDATION_FAILED, and the value does not come back", async (_, fields) => {
  const reply = await send(
    house.url,
    key,
    `mutation { createPayment(idempotencyKey: "k", input: { ${fields} }) { payment { id } } }`,
  );
  expect(reply.errors?.[0]?.extensions).toMatchObject({
    code: "GRAPHQL_VALIDATION_FAILED",
    retryable: false,
  });
  expect(JSON.stringify(reply)).not.toContain(CANARY);
});

test("a document that does not parse does not come back either", async () => {
  const reply = await send(house.url, key, `mutation { "${CANARY}" }`);
  expect(reply.errors?.[0]?.extensions).toMatchObject({ code: "GRAPHQL_PARSE_FAILED", retryable: false });
  expect(JSON.stringify(reply)).not.toContain(CANARY);
});

test("ERR-01: a refusal does not use up the key", async () => {
  for (const wrong of [money("-5"), money("1", "ABC"), over({ method: { boleto: {} } })])
    expect((await create("err-01", wrong)).errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  const right = await create("err-01", card("1"));
  expect(right.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });
});

test("what is optional may be null or left out", async () => {
  const nulls = {
    captureMode: null,
    order: null,
    customerReference: null,
    payer: null,
    description: null,
    metadata: null,
    returnUrl: null,
  };
  expect((await create("nulls", card("1", nulls))).errors).toBeUndefined();
  expect((await create("empty-payer", card("1", { payer: {} }))).errors).toBeUndefined();
});

test("texts may be in any script, and come back as they were", async () => {
  const metadata = { ключ: "значение", emoji: "👍🏽", quote: `"'\\;--` };
  const made = await create(
    "scripts",
    card("1", { description: "日本語\nдве строки", metadata, order: { reference: "é/№" } }),
  );
  const id = made.data?.createPayment?.payment.id;
  const read = await send(
    house.url,
    key,
    `query ($id: ID!) { payment(by: { id: $id }) { description metadata orderReference } }`,
    { id },
  );
  expect(read.data).toEqual({
    payment: { description: "日本語\nдве строки", metadata, orderReference: "é/№" },
  });
});

describe("MONEY-01, CUR-01, DB-02: every amount is exact on its whole way", () => {
  test.each([
    ["21474836.47", "BRL", 2147483647, "21474836.47"],
    ["21474836.48", "BRL", 2147483648, "21474836.48"],
    ["90071992547409.91", "BRL", 9007199254740991, "90071992547409.91"],
    ["500", "JPY", 500, "500"],
    ["500", "KRW", 500, "500"],
    ["500", "CLP", 500, "500"],
    ["500", "PYG", 500, "500"],
    ["12.340", "KWD", 12340, "12.340"],
    ["12.34", "BHD", 12340, "12.340"],
    ["10", "BRL", 1000, "10.00"],
    ["0.01", "USD", 1, "0.01"],
  ])("%s %s", async (amount, currency, minor, shown) => {
    const made = await create(`exact-${amount}-${currency}`, money(amount, currency));
    const payment = made.data?.createPayment?.payment;
    expect(payment).toMatchObject({
      status: "CAPTURED",
      amount: { amount: shown, currency, minorUnits: String(minor) },
      capturedAmount: { minorUnits: String(minor) },
    });
    const charge = (await ledgerOf(house.sandboxUrl)).charges.at(-1);
    expect(charge).toMatchObject({ amount: minor, currency, captured: minor });
    const listed = await send<{ payments: { nodes: unknown[] } }>(
      house.url,
      key,
      `{ payments(first: 1) { nodes { id amount { amount currency minorUnits } } } }`,
    );
    expect(listed.data?.payments.nodes[0]).toEqual({
      id: payment?.id,
      amount: { amount: shown, currency, minorUnits: String(minor) },
    });
  });
});
