import { card, CREATE, ledgerOf, send, setFaults, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse();
  key = house.credentials.keys.payments;
});
afterAll(() => house.close());

const create = (idempotencyKey: string, input: Record<string, unknown>) =>
  send<Created>(house.url, key, CREATE, { key: idempotencyKey, input });

/** Sends one content under one key many times at once, and returns the distinct answers. */
async function storm(idempotencyKey: string, callers: number) {
  const input = card("10.50");
  const replies = await Promise.all(Array.from({ length: callers }, () => create(idempotencyKey, input)));
  return {
    errors: replies.filter((reply) => reply.errors).length,
    payments: new Set(replies.map((reply) => reply.data?.createPayment?.payment.id)),
    results: new Set(replies.map((reply) => JSON.stringify(reply.data?.createPayment?.operation.result))),
    firsts: replies.filter((reply) => reply.data?.createPayment?.replayed === false).length,
  };
}

describe("CONC-01: one key, many callers at once", () => {
  test.each(Array.from({ length: 10 }, (_, round) => round + 1))(
    "200 calls are one payment, one charge and one create call: round %i",
    async (round) => {
      const before = await ledgerOf(house.sandboxUrl);
      const seen = await storm(`storm-${round}`, 200);
      const after = await ledgerOf(house.sandboxUrl);
      expect(seen.errors).toBe(0);
      expect(seen.payments.size).toBe(1);
      expect(seen.results.size).toBe(1);
      expect([...seen.results][0]).toContain("CAPTURED");
      expect(seen.firsts).toBe(1);
      expect(after.charges.length - before.charges.length).toBe(1);
      expect(after.calls.create - before.calls.create).toBe(1);
    },
  );

  test("it is our fence, not the provider's: the same holds where the provider ignores its keys", async () => {
    await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: true });
    const before = await ledgerOf(house.sandboxUrl);
    const seen = await storm("storm-ignored", 200);
    const after = await ledgerOf(house.sandboxUrl);
    await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: false });
    expect(seen).toMatchObject({ errors: 0, firsts: 1 });
    expect(seen.payments.size).toBe(1);
    expect(after.charges.length - before.charges.length).toBe(1);
    expect(after.calls.create - before.calls.create).toBe(1);
  });

  test("every repeat is counted, exactly", async () => {
    const last = await create("storm-1", card("10.50"));
    expect(last.data?.createPayment?.replayed).toBe(true);
    expect(last.data?.createPayment?.operation.replayCount).toBe(200);
  });
});

describe("CONC-02: a repeat, and a misuse, while the first call is still out", () => {
  test("the repeat is the same payment, the misuse a CONFLICT, and neither asks the provider", async () => {
    const before = await ledgerOf(house.sandboxUrl);
    const slow = card("10.00", {}, "pm_sandbox_slow");
    const first = create("conc-02", slow);
    // The first call has been recorded once the provider has been asked.
    while ((await ledgerOf(house.sandboxUrl)).calls.create === before.calls.create);
    const repeat = create("conc-02", slow);
    const misuse = await create("conc-02", card("10.01", {}, "pm_sandbox_slow"));
    expect(misuse.data?.createPayment).toBeNull();
    expect(misuse.errors?.[0]?.extensions).toMatchObject({
      code: "CONFLICT",
      reason: "IDEMPOTENCY_KEY_REUSED",
      retryable: false,
      changedFields: ["input.amount.amount"],
    });
    const [a, b] = await Promise.all([first, repeat]);
    expect(a.errors ?? b.errors).toBeUndefined();
    expect(b.data?.createPayment?.payment.id).toBe(a.data?.createPayment?.payment.id);
    expect(b.data?.createPayment?.replayed).toBe(true);
    expect(a.data?.createPayment?.payment.status).toBe("CAPTURED");
    expect((await ledgerOf(house.sandboxUrl)).calls.create - before.calls.create).toBe(1);
  });
});

describe("a key that is used for two contents at once", () => {
  test("100 keys: one content wins, the charge has its amount, the other is always a CONFLICT", async () => {
    const keys = Array.from({ length: 100 }, (_, i) => `poisoned-${i}`);
    const amounts = ["20.00", "30.00"];
    const before = (await ledgerOf(house.sandboxUrl)).charges.length;
    const calls = keys.flatMap((one) => amounts.map((amount) => ({ one, amount })));
    const replies = await Promise.all(
      calls.map(async ({ one, amount }) => ({ one, amount, reply: await create(one, card(amount)) })),
    );
    const charges = (await ledgerOf(house.sandboxUrl)).charges.slice(before);
    expect(charges).toHaveLength(100);
    for (const one of keys) {
      const mine = replies.filter((call) => call.one === one);
      const won = mine.filter((call) => !call.reply.errors);
      const lost = mine.filter((call) => call.reply.errors);
      expect([won.length, lost.length]).toEqual([1, 1]);
      expect(lost[0]?.reply.errors?.[0]?.extensions.code).toBe("CONFLICT");
      const payment = won[0]?.reply.data?.createPayment?.payment;
      expect(payment?.status).toBe("CAPTURED");
      expect(payment?.amount.amount).toBe(won[0]?.amount);
      const charge = charges.find((found) => found.paymentIntent === payment?.providerReference);
      expect(charge?.amount).toBe(Number(payment?.amount.minorUnits));
    }
  });

  test("a content that differs in three fields names exactly those three, and no value", async () => {
    const input = card("10.00", {
      order: { reference: "order-a", allowAnotherPayment: true },
      customerReference: "c-1",
    });
    const first = await create("three", input);
    const other = card("11.00", {
      order: { reference: "order-b", allowAnotherPayment: true },
      customerReference: "c-2",
    });
    const refused = await create("three", other);
    const { extensions, message } = refused.errors?.[0] ?? { extensions: {}, message: "" };
    expect(extensions.changedFields).toEqual([
      "input.amount.amount",
      "input.customerReference",
      "input.order.reference",
    ]);
    expect(extensions.paymentId).toBe(first.data?.createPayment?.payment.id);
    expect(extensions.operationId).toBe(first.data?.createPayment?.operation.id);
    expect(Date.parse(String(extensions.firstUsedAt))).not.toBeNaN();
    expect(JSON.stringify([extensions, message])).not.toMatch(/order-[ab]|c-[12]|11\.00/);
  });

  test("another currency, another method: each is one field", async () => {
    await create("one-field", card("10"));
    const currency = await create("one-field", { ...card("10"), amount: { amount: "10", currency: "JPY" } });
    expect(currency.errors?.[0]?.extensions.changedFields).toEqual(["input.amount.currency"]);
    const method = await create("one-field", { ...card("10"), method: { pix: { expiresInSeconds: 60 } } });
    expect(method.errors?.[0]?.extensions.changedFields).toEqual(["input.method"]);
  });
});

describe("what is the same content", () => {
  test.each([
    ["HASH-04: another spelling of the amount", card("10.5"), card("10.50")],
    ["an explicit default", card("10"), card("10", { captureMode: "AUTOMATIC", customerReference: null })],
    [
      "HASH-02: metadata in another order, and anything else that is not content",
      card("10", { metadata: { a: "1", b: "2" }, description: "x" }),
      card("10", { metadata: { b: "2", a: "1" }, description: "y" }),
    ],
  ])("%s is a replay", async (name, one, other) => {
    const first = await create(`same-${name.length}`, one);
    const again = await create(`same-${name.length}`, other);
    expect(first.data?.createPayment?.replayed).toBe(false);
    expect(again.errors).toBeUndefined();
    expect(again.data?.createPayment?.replayed).toBe(true);
    expect(again.data?.createPayment?.payment.id).toBe(first.data?.createPayment?.payment.id);
  });

  test("HASH-04: inline and in a variable are one amount", async () => {
    const inline = await send<Created>(
      house.url,
      key,
      `mutation { createPayment(idempotencyKey: "inline", input: { method: { card: { token: "pm_card_visa" } }, amount: { currency: "BRL", amount: "1000" } }) { replayed payment { id } } }`,
    );
    const variable = await create("inline", card("1000.0"));
    expect(variable.data?.createPayment?.payment.id).toBe(inline.data?.createPayment?.payment.id);
    expect(variable.data?.createPayment?.replayed).toBe(true);
  });
});

describe("SCOPE-02: the same key of another merchant", () => {
  test("is another key: two payments, and neither sees the other", async () => {
    const other = house.credentials.other.keys.payments;
    const [mine, theirs] = await Promise.all([
      create("order-1", card("10")),
      send<Created>(house.url, other, CREATE, { key: "order-1", input: card("99") }),
    ]);
    expect(mine.data?.createPayment?.replayed).toBe(false);
    expect(theirs.data?.createPayment?.replayed).toBe(false);
    expect(theirs.data?.createPayment?.payment.id).not.toBe(mine.data?.createPayment?.payment.id);
    const id = mine.data?.createPayment?.payment.id;
    const query = `query ($id: ID!) { payment(by: { id: $id }) { id } }`;
    expect((await send(house.url, other, query, { id })).data).toEqual({ payment: null });
    expect((await send(house.url, key, query, { id })).data).toEqual({ payment: { id } });
  });

  test("two API keys of one merchant share it: a repeat after a rotation still replays", async () => {
    const first = await create("rotated", card("10"));
    const rotated = await send<Created>(house.url, house.credentials.keys.admin, CREATE, {
      key: "rotated",
      input: card("10"),
    });
    expect(rotated.data?.createPayment?.replayed).toBe(true);
    expect(rotated.data?.createPayment?.payment.id).toBe(first.data?.createPayment?.payment.id);
  });
});

test("KEY-02: keys are compared byte for byte", async () => {
  const made = await Promise.all(["k1", "K1", "k1.", "k-1"].map((one) => create(one, card("1"))));
  expect(new Set(made.map((reply) => reply.data?.createPayment?.payment.id)).size).toBe(4);
});

test("SCOPE-03: keys that look alike when they are joined to their scope are two at the provider as well", async () => {
  const made = await Promise.all(["a:b", "a", "a|b", "a/b", "a-b"].map((one) => create(one, card("1"))));
  const references = made.map((reply) => reply.data?.createPayment?.operation.attempts[0]?.reference ?? "");
  expect(new Set(references).size).toBe(5);
  for (const reference of references) expect(reference).toMatch(/^uvz[a-z2-7]{40}$/);
});

test("two aliases in one document: the failure of one leaves the other's answer", async () => {
  const document = `mutation {
    bad: createPayment(idempotencyKey: "alias-1", input: { amount: { amount: "0", currency: "BRL" }, method: { card: { token: "pm_card_visa" } } }) { payment { id } }
    good: createPayment(idempotencyKey: "alias-2", input: { amount: { amount: "5", currency: "BRL" }, method: { card: { token: "pm_card_visa" } } }) { payment { status } }
  }`;
  const reply = await send(house.url, key, document);
  expect(reply.data).toEqual({ bad: null, good: { payment: { status: "CAPTURED" } } });
  expect(reply.errors?.map((error) => error.path)).toEqual([["bad"]]);
});
