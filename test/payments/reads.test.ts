import { Client } from "pg";
import { card, CREATE, send, type Created, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse();
  key = house.credentials.keys.viewer;
});
afterAll(() => house.close());

const create = (idempotencyKey: string, input: Record<string, unknown>) =>
  send<Created>(house.url, house.credentials.keys.payments, CREATE, { key: idempotencyKey, input });

interface Listed {
  payments: {
    nodes: { id: string }[];
    edges: { cursor: string; node: { id: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}
const LIST = `query ($first: Int, $after: String) { payments(first: $first, after: $after) { nodes { id } edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }`;

/** Walks the list page by page, doing something between two pages. */
async function walk(
  first: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 200; page += 1) {
    const reply: Reply<Listed> = await send<Listed>(house.url, key, LIST, { first, after });
    const payments: Listed["payments"] | undefined = reply.data?.payments;
    if (!payments) throw new Error(JSON.stringify(reply));
    ids.push(...payments.nodes.map((node) => node.id));
    expect(payments.nodes.length).toBeGreaterThan(0);
    if (!payments.pageInfo.hasNextPage) return ids;
    after = payments.pageInfo.endCursor;
    await between();
  }
  throw new Error("the walk does not end");
}

describe("PAGE-01: a list is walked without loss and without repetition", () => {
  beforeAll(async () => {
    await create("seed", card("1"));
    const database = new Client({ connectionString: house.databaseUrl });
    await database.connect();
    // 50 within one millisecond, and 10 more at one and the same instant.
    await database.query(`
      insert into payments (merchant_id, id, status, currency, amount, capture_mode, method_type, idempotency_key,
                            provider_account_id, provider, created_at)
      select merchant_id, gen_random_uuid(), status, currency, amount, capture_mode, method_type, 'page-' || i,
             provider_account_id, provider, timestamptz '2026-01-01 00:00:00Z' + least(i, 50) * interval '1 us'
      from payments, generate_series(1, 60) as i limit 60`);
    await database.end();
  });

  test.each([1, 7, 100])("%i at a time, twice the same", async (first) => {
    const once = await walk(first);
    expect(once).toHaveLength(61);
    expect(new Set(once).size).toBe(61);
    expect(await walk(first)).toEqual(once);
  });

  test("rows that are added meanwhile are not met, and nothing else is missed", async () => {
    const before = await walk(100);
    let added = 0;
    const during = await walk(7, () => create(`added-${(added += 1)}`, card("1")));
    expect(during.filter((id) => before.includes(id))).toEqual(before);
  });

  test("newest first", async () => {
    const newest = await create("newest", card("1"));
    expect((await walk(7))[0]).toBe(newest.data?.createPayment?.payment.id);
  });

  test.each([
    ["no cursor at all", "x"],
    ["a cursor of 10 KB", "A".repeat(10_000)],
    ["a cursor with NUL", "a\u0000"],
  ])("%s is BAD_USER_INPUT at after", async (_, after) => {
    const reply = await send(house.url, key, LIST, { first: 1, after });
    expect(reply.errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: [{ path: "after" }],
    });
  });

  test("another merchant's cursor is refused", async () => {
    const mine = await send<Listed>(house.url, key, LIST, { first: 1, after: null });
    const after = mine.data?.payments.edges[0]?.cursor;
    const theirs = await send(house.url, house.credentials.other.keys.viewer, LIST, { first: 1, after });
    expect(theirs.errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: [{ path: "after" }],
    });
  });

  test.each([0, -1, 101, 2_147_483_647])("a page of %i is refused", async (first) => {
    const reply = await send(house.url, key, LIST, { first, after: null });
    expect(reply.errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: [{ path: "first" }],
    });
  });
});

const DETAILS = `
  operation: operation(by: { key: { kind: CREATE_PAYMENT, idempotencyKey: $key } }) {
    id kind state idempotencyKey lastError replayCount collisionCount nextAttemptAt completedAt replayableUntil createdAt
    amount { amount currency } payment { id status } result { paymentStatus capturedAmount { amount } refundedAmount { amount } failure { code } }
    collisions { at changedFields actor } attempts { number provider outcome evidence detail startedAt finishedAt }
  }`;

interface Operation {
  operation: {
    id: string;
    state: string;
    replayCount: number;
    collisionCount: number;
    nextAttemptAt: string | null;
    completedAt: string | null;
    createdAt: string;
    replayableUntil: string;
    payment: { id: string; status: string };
    result: { failure: { code: string } | null } | null;
    collisions: { at: string; changedFields: string[]; actor: string }[];
    attempts: {
      number: number;
      outcome: string;
      evidence: string;
      detail: string | null;
      finishedAt: string;
    }[];
  } | null;
}

const operation = async (idempotencyKey: string) =>
  (
    await send<Operation>(house.url, key, `query ($key: IdempotencyKey!) { ${DETAILS} }`, {
      key: idempotencyKey,
    })
  ).data?.operation;

test("TX-01: a decline, a refused misuse and a doubt stay in the history, though each call failed", async () => {
  await create("tx-declined", card("1", {}, "pm_card_visa_chargeDeclinedExpiredCard"));
  expect(await operation("tx-declined")).toMatchObject({
    state: "FAILED",
    result: { failure: { code: "expired_card" } },
    attempts: [{ number: 1, outcome: "NOT_HAPPENED", evidence: "reply" }],
  });

  await create("tx-used", card("1"));
  await create("tx-used", card("2"));
  await create("tx-used", card("3", { captureMode: "MANUAL" }));
  const used = await operation("tx-used");
  expect(used).toMatchObject({ state: "SUCCEEDED", collisionCount: 2, replayCount: 0 });
  expect(used?.collisions).toMatchObject([
    { changedFields: ["input.amount.amount", "input.captureMode"], actor: "api_key" },
    { changedFields: ["input.amount.amount"], actor: "api_key" },
  ]);

  await create("tx-doubt", card("1", {}, "pm_sandbox_error500AfterCharge"));
  const doubt = await operation("tx-doubt");
  expect(doubt).toMatchObject({
    state: "IN_DOUBT",
    attempts: [{ number: 1, outcome: "UNKNOWN" }],
    completedAt: null,
  });
  expect(Date.parse(doubt?.nextAttemptAt ?? "")).not.toBeNaN();
});

test("every collision is counted, and the last 20 are listed", async () => {
  await create("collided", card("1"));
  await Promise.all(Array.from({ length: 30 }, (_, i) => create("collided", card(String(i + 2)))));
  const collided = await operation("collided");
  expect([collided?.collisionCount, collided?.collisions.length]).toEqual([30, 20]);
});

test("the key is kept for the replay window, which is told", async () => {
  await create("window", card("1"));
  const kept = await operation("window");
  const days = (Date.parse(kept?.replayableUntil ?? "") - Date.parse(kept?.createdAt ?? "")) / 86_400_000;
  expect(days).toBe(30);
});

test("one payment is found by its id, key, order and provider's id; its node and its operation's too", async () => {
  const made = await create("found", card("1", { order: { reference: "order-found" } }));
  const { payment, operation: intent } = made.data?.createPayment ?? {};
  const query = `query ($id: ID!, $op: ID!, $reference: String!) {
    a: payment(by: { id: $id }) { id } b: payment(by: { idempotencyKey: "found" }) { id }
    c: payment(by: { orderReference: "order-found" }) { id } d: payment(by: { providerReference: $reference }) { id }
    e: node(id: $id) { __typename id } f: node(id: $op) { __typename id } g: operation(by: { id: $op }) { payment { id } }
    viewer { merchant { id } } }`;
  const variables = { id: payment?.id, op: intent?.id, reference: payment?.providerReference };
  const own = await send<{ viewer: { merchant: { id: string } } }>(house.url, key, query, variables);
  const id = payment?.id;
  expect(own.data).toEqual({
    a: { id },
    b: { id },
    c: { id },
    d: { id },
    e: { __typename: "Payment", id },
    f: { __typename: "Operation", id: intent?.id },
    g: { payment: { id } },
    viewer: { merchant: { id: house.credentials.merchant } },
  });
  const foreign = await send(house.url, house.credentials.other.keys.viewer, query, variables);
  expect(foreign.errors).toBeUndefined();
  expect(foreign.data).toEqual({
    ...Object.fromEntries([..."abcdefg"].map((alias) => [alias, null])),
    viewer: { merchant: { id: house.credentials.other.merchant } },
  });
});

test("an order's payment is its live one, else its latest", async () => {
  const order = { order: { reference: "order-twice", allowAnotherPayment: true } };
  const live = await create("order-1st", card("1", order));
  await create("order-2nd", card("1", order, "pm_card_visa_chargeDeclined"));
  const query = `{ payment(by: { orderReference: "order-twice" }) { id } }`;
  expect((await send(house.url, key, query)).data).toEqual({
    payment: { id: live.data?.createPayment?.payment.id },
  });
});

test("a manual capture is AUTHORIZED, and what is held can be taken", async () => {
  const made = await create("manual", card("10", { captureMode: "MANUAL" }));
  const query = `query ($id: ID!) { payment(by: { id: $id }) { status captureMode capturedAmount { amount } capturableAmount { amount } refundedAmount { amount } authorizedAt capturedAt method { ... on CardMethod { brand last4 } } } }`;
  const read = await send<{ payment: { authorizedAt: string } }>(house.url, key, query, {
    id: made.data?.createPayment?.payment.id,
  });
  expect(read.data?.payment).toMatchObject({
    status: "AUTHORIZED",
    captureMode: "MANUAL",
    capturedAmount: { amount: "0.00" },
    capturableAmount: { amount: "10.00" },
    refundedAmount: { amount: "0.00" },
    capturedAt: null,
    method: { brand: "visa", last4: "4242" },
  });
  expect(Math.abs(Date.parse(read.data?.payment.authorizedAt ?? "") - Date.now())).toBeLessThan(60_000);
});

test.each([
  "pay_x",
  "op_01m8qkkg8pehxa7413cvxt5zd2",
  "'; drop table payments; --",
  "p".repeat(10_240),
  "pay_\u0000",
  "",
])("LEAK-02: a malformed id is null, as an absent one is: %#", async (id) => {
  const query = `query ($id: ID!) { payment(by: { id: $id }) { id } operation(by: { id: $id }) { id } node(id: $id) { id } }`;
  expect(await send(house.url, key, query, { id })).toEqual({
    data: { payment: null, operation: null, node: null },
  });
});

describe("who may do what", () => {
  const create1 = (secret: string | null) =>
    send<Created>(house.url, secret, CREATE, { key: "roles", input: card("1") });

  test.each(["viewer", "operator"] as const)("%s may not make payments, and may read them", async (role) => {
    const secret = house.credentials.keys[role];
    expect((await create1(secret)).errors?.[0]?.extensions).toMatchObject({
      code: "FORBIDDEN",
      retryable: false,
    });
    expect(
      (await send(house.url, secret, `{ payments(first: 1) { nodes { status } } }`)).errors,
    ).toBeUndefined();
  });

  test.each([
    ["no key", null],
    ["an unknown key", `uvz_${"a".repeat(38)}`],
    ["no key of ours", "sk_live_x"],
    ["nothing after Bearer", ""],
  ])("%s: no data", async (_, secret) => {
    const unauthenticated = { code: "UNAUTHENTICATED", retryable: false };
    expect((await create1(secret)).errors?.[0]?.extensions).toMatchObject(unauthenticated);
    const read = await send(
      house.url,
      secret,
      `{ viewer { role } payments { nodes { id } } node(id: "x") { id } }`,
    );
    expect(read.data ?? null).toBeNull();
    expect(read.errors?.every((error) => error.extensions.code === "UNAUTHENTICATED")).toBe(true);
  });

  test("a revoked key is refused from the next request on", async () => {
    await house.app.db.query("update api_keys set revoked_at = now() where role = 'OPERATOR'");
    const refused = await send(house.url, house.credentials.keys.operator, `{ viewer { role } }`);
    expect(refused.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  });
});
