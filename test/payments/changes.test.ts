import {
  CANCEL,
  CAPTURE,
  card,
  CREATE,
  ledgerOf,
  REFUND,
  send,
  setFaults,
  until,
  type Changed,
  type Created,
  type Reply,
} from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse();
  key = house.credentials.keys.payments;
});
afterAll(() => house.close());

let nth = 0;
/** A key that nobody has used. */
const fresh = () => `key-${(nth += 1)}`;

const brl = (amount: string) => ({ amount, currency: "BRL" });

/** A payment of 100 whose money is held, or taken. */
async function payment(captureMode: "MANUAL" | "AUTOMATIC", token?: string): Promise<string> {
  const input = card("100", { captureMode }, token);
  const reply = await send<Created>(house.url, key, CREATE, { key: fresh(), input });
  const made = reply.data?.createPayment?.payment;
  expect(made?.status).toBe(captureMode === "MANUAL" ? "AUTHORIZED" : "CAPTURED");
  return made?.id ?? "";
}

const capture = (idempotencyKey: string, input: Record<string, unknown>) =>
  send<Changed>(house.url, key, CAPTURE, { key: idempotencyKey, input });
const cancel = (idempotencyKey: string, paymentId: string) =>
  send<Changed>(house.url, key, CANCEL, { key: idempotencyKey, input: { paymentId } });
const refund = (idempotencyKey: string, input: Record<string, unknown>) =>
  send<Changed>(house.url, key, REFUND, { key: idempotencyKey, input });

/** Sends with the same key until the answer is definite, as a client does: on a busy machine it may come later. */
const definite = (ask: () => Promise<Reply<Changed>>) =>
  until(
    ask,
    (reply) =>
      reply.errors !== undefined ||
      ["SUCCEEDED", "FAILED"].includes(reply.data?.change?.operation.state ?? ""),
    60_000,
  );

/** Under one key of its own. */
function persist(ask: (mine: string) => Promise<Reply<Changed>>): Promise<Reply<Changed>> {
  const mine = fresh();
  return definite(() => ask(mine));
}

const codeOf = (reply: Reply<Changed>) => reply.errors?.[0]?.extensions.code;
const reasonOf = (reply: Reply<Changed>) => reply.errors?.[0]?.extensions.reason;

/** The provider's books of one payment. */
async function books(paymentId: string) {
  const query = `query ($id: ID!) { payment(by: { id: $id }) { providerReference } }`;
  const reply = await send<{ payment: { providerReference: string } }>(house.url, key, query, {
    id: paymentId,
  });
  const { charges, refunds } = await ledgerOf(house.sandboxUrl);
  const charge = charges.find((one) => one.paymentIntent === reply.data?.payment.providerReference);
  return { ...charge, refunds: refunds.filter((one) => one.charge === charge?.id) };
}

describe("captures", () => {
  test("CAP-01: parts are bounded by what is held, together; a repeat is no second capture", async () => {
    const id = await payment("MANUAL");
    const first = fresh();
    const input = { paymentId: id, amount: brl("60"), final: false };
    const done = (await capture(first, input)).data?.change;
    expect(done).toMatchObject({
      replayed: false,
      payment: { status: "PARTIALLY_CAPTURED", availableActions: ["CAPTURE", "CANCEL", "REFUND"] },
      operation: { kind: "CAPTURE_PAYMENT", state: "SUCCEEDED", amount: { amount: "60.00" } },
    });
    expect(done?.payment.capturableAmount.amount).toBe("40.00");
    const over = await capture(fresh(), input);
    expect(over.errors?.[0]?.extensions).toMatchObject({
      code: "INVALID_STATE",
      status: "PARTIALLY_CAPTURED",
      available: "40.00",
      availableActions: ["CAPTURE", "CANCEL", "REFUND"],
    });
    const repeats = await Promise.all(Array.from({ length: 5 }, () => capture(first, input)));
    for (const repeat of repeats)
      expect(repeat.data?.change).toMatchObject({
        replayed: true,
        operation: { result: done?.operation.result },
      });
    expect(await books(id)).toMatchObject({ captured: 6_000, status: "captured" });
  });

  test("10 parallel captures of 20 on 100, each sent again while another is under way: five succeed", async () => {
    const id = await payment("MANUAL");
    const input = { paymentId: id, amount: brl("20"), final: false };
    const insist = async () => {
      const mine = fresh();
      return until(
        () => definite(() => capture(mine, input)),
        (reply) => reasonOf(reply) !== "OPERATION_IN_PROGRESS",
        60_000,
      );
    };
    const all = await Promise.all(Array.from({ length: 10 }, insist));
    const succeeded = all.filter((reply) => reply.data?.change?.operation.state === "SUCCEEDED");
    expect(succeeded).toHaveLength(5);
    expect(all.filter((reply) => codeOf(reply) === "INVALID_STATE")).toHaveLength(5);
    expect(await books(id)).toMatchObject({ captured: 10_000 });
    const after = await refund(fresh(), { paymentId: id, amount: brl("1") });
    expect(after.data?.change?.payment).toMatchObject({ status: "PARTIALLY_REFUNDED" });
  }, 90_000);

  test("a second capture or cancel meanwhile is told to come again, with the same key", async () => {
    const id = await payment("MANUAL");
    await setFaults(house.sandboxUrl, { latencyMs: 500 });
    const [first, second] = [capture(fresh(), { paymentId: id }), fresh()];
    const waiting = await until(
      () => cancel(second, id),
      (reply) => reasonOf(reply) === "OPERATION_IN_PROGRESS" || reply.data !== null,
      5_000,
    );
    await setFaults(house.sandboxUrl, { latencyMs: 0 });
    expect(waiting.errors?.[0]?.extensions).toMatchObject({ code: "CONFLICT", retryable: true });
    expect((await first).data?.change?.payment.status).toBe("CAPTURED");
    expect(codeOf(await cancel(second, id))).toBe("INVALID_STATE");
  });

  test("CAP-03: what is left is taken whole without an amount, and released by a cancel or a final capture", async () => {
    const whole = await payment("MANUAL");
    await capture(fresh(), { paymentId: whole, amount: brl("40"), final: false });
    const rest = (await capture(fresh(), { paymentId: whole })).data?.change;
    expect(rest).toMatchObject({
      payment: { status: "CAPTURED" },
      operation: { amount: { amount: "60.00" } },
    });

    const voided = await payment("MANUAL");
    await capture(fresh(), { paymentId: voided, amount: brl("40"), final: false });
    const canceled = (await cancel(fresh(), voided)).data?.change;
    expect(canceled?.operation).toMatchObject({ kind: "CANCEL_PAYMENT", state: "SUCCEEDED", amount: null });
    expect(canceled?.payment).toMatchObject({
      status: "CAPTURED",
      capturedAmount: { amount: "40.00" },
      capturableAmount: { amount: "0.00" },
      availableActions: ["REFUND"],
    });

    const final = await payment("MANUAL");
    const done = (await capture(fresh(), { paymentId: final, amount: brl("30") })).data?.change;
    expect(done?.payment).toMatchObject({ status: "CAPTURED", capturableAmount: { amount: "0.00" } });
    for (const [id, captured] of [
      [whole, 10_000],
      [voided, 4_000],
      [final, 3_000],
    ] as const)
      expect(await books(id)).toMatchObject({ captured });
  });

  test("VOID-01: 50 races of cancel against capture: never both, and never canceled while money moved", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => payment("MANUAL")));
    const raced = await Promise.all(
      ids.map(async (id) => ({
        id,
        replies: await Promise.all([
          persist((mine) => capture(mine, { paymentId: id })),
          persist((mine) => cancel(mine, id)),
        ]),
      })),
    );
    for (const { id, replies } of raced) {
      const won = replies.filter((reply) => reply.data?.change?.operation.state === "SUCCEEDED");
      expect(won).toHaveLength(1);
      const status = won[0]?.data?.change?.payment.status;
      const charge = await books(id);
      expect(["CAPTURED", "CANCELED"]).toContain(status);
      expect(charge).toMatchObject(
        status === "CAPTURED"
          ? { captured: 10_000, status: "captured" }
          : { captured: 0, status: "canceled" },
      );
    }
  }, 90_000);

  test("what is paid cannot be canceled, and what is canceled cannot be captured; the error says what can", async () => {
    const paid = await payment("AUTOMATIC");
    const refused = await cancel(fresh(), paid);
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: "INVALID_STATE",
      availableActions: ["REFUND"],
    });
    const called = await payment("MANUAL");
    expect((await cancel(fresh(), called)).data?.change?.payment.status).toBe("CANCELED");
    expect(codeOf(await capture(fresh(), { paymentId: called }))).toBe("INVALID_STATE");
  });
});

describe("refunds", () => {
  test("REF-02: bounded by what was captured, not by what was held; nothing to refund before", async () => {
    const id = await payment("MANUAL");
    expect(codeOf(await refund(fresh(), { paymentId: id }))).toBe("INVALID_STATE");
    await capture(fresh(), { paymentId: id, amount: brl("60") });
    const over = await refund(fresh(), { paymentId: id, amount: brl("80") });
    expect(over.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_STATE", available: "60.00" });
    const done = (await refund(fresh(), { paymentId: id, amount: brl("60") })).data?.change;
    expect(done).toMatchObject({
      payment: { status: "REFUNDED", refundableAmount: { amount: "0.00" }, availableActions: [] },
      refund: { status: "SUCCEEDED", amount: { amount: "60.00" } },
      operation: {
        state: "SUCCEEDED",
        result: { refundStatus: "SUCCEEDED", refundedAmount: { amount: "60.00" } },
      },
    });
    expect(await books(id)).toMatchObject({ refunded: 6_000 });
  });

  test("20 parallel refunds of 60 on 100: one succeeds", async () => {
    const id = await payment("AUTOMATIC");
    const all = await Promise.all(
      Array.from({ length: 20 }, () => persist((mine) => refund(mine, { paymentId: id, amount: brl("60") }))),
    );
    expect(all.filter((reply) => reply.data?.change?.refund?.status === "SUCCEEDED")).toHaveLength(1);
    expect(all.filter((reply) => codeOf(reply) === "INVALID_STATE")).toHaveLength(19);
    expect((await books(id)).refunds).toHaveLength(1);
  }, 90_000);

  test("100 parallel refunds of 10 on 100: ten succeed, and their sum is all there was", async () => {
    const id = await payment("AUTOMATIC");
    const all = await Promise.all(
      Array.from({ length: 100 }, () =>
        persist((mine) => refund(mine, { paymentId: id, amount: brl("10") })),
      ),
    );
    expect(all.filter((reply) => reply.data?.change?.operation.state === "SUCCEEDED")).toHaveLength(10);
    expect(all.filter((reply) => codeOf(reply) === "INVALID_STATE")).toHaveLength(90);
    const { refunded, refunds } = await books(id);
    expect([refunded, refunds.length]).toEqual([10_000, 10]);
    const last = await send<{ payment: { status: string } }>(
      house.url,
      key,
      `query ($id: ID!) { payment(by: { id: $id }) { status } }`,
      { id },
    );
    expect(last.data?.payment.status).toBe("REFUNDED");
  }, 90_000);

  test("a rest is compared as a rest: the same key finds its refund again though nothing is left", async () => {
    const id = await payment("AUTOMATIC");
    const mine = fresh();
    const first = (await refund(mine, { paymentId: id, reason: "returned" })).data?.change;
    const again = (await refund(mine, { paymentId: id, reason: "another word for it" })).data?.change;
    expect(again).toMatchObject({ replayed: true, refund: { id: first?.refund?.id } });
    const spelt = await refund(mine, { paymentId: id, amount: brl("100") });
    expect(spelt.errors?.[0]?.extensions).toMatchObject({
      code: "CONFLICT",
      changedFields: ["input.amount"],
    });
  });

  test("a refund whose answer was lost keeps its reservation, and is found at the provider: once", async () => {
    const id = await payment("AUTOMATIC");
    await setFaults(house.sandboxUrl, { replyLost: 1 });
    const mine = fresh();
    const input = { paymentId: id, amount: brl("70") };
    const doubtful = (await refund(mine, input)).data?.change;
    await setFaults(house.sandboxUrl, { replyLost: 0 });
    expect(doubtful).toMatchObject({
      payment: { status: "CAPTURED", refundableAmount: { amount: "30.00" } },
      operation: { state: "IN_DOUBT" },
      refund: { status: "IN_DOUBT" },
    });
    const ended = await until(
      () => refund(mine, input),
      (reply) => reply.data?.change?.refund?.status === "SUCCEEDED",
      25_000,
    );
    expect(ended.data?.change?.payment).toMatchObject({
      status: "PARTIALLY_REFUNDED",
      refundableAmount: { amount: "30.00" },
    });
    expect((await books(id)).refunds).toHaveLength(1);
  }, 40_000);
});

test("a capture whose answer was lost leaves the payment's status, and is found at the provider: once", async () => {
  const id = await payment("MANUAL");
  await setFaults(house.sandboxUrl, { replyLost: 1 });
  const mine = fresh();
  const input = { paymentId: id, amount: brl("70"), final: false };
  const doubtful = (await capture(mine, input)).data?.change;
  await setFaults(house.sandboxUrl, { replyLost: 0 });
  expect(doubtful).toMatchObject({
    payment: { status: "AUTHORIZED", capturableAmount: { amount: "30.00" }, availableActions: [] },
    operation: { state: "IN_DOUBT" },
  });
  const ended = await until(
    () => capture(mine, input),
    (reply) => reply.data?.change?.operation.state === "SUCCEEDED",
    25_000,
  );
  expect(ended.data?.change?.payment).toMatchObject({
    status: "PARTIALLY_CAPTURED",
    capturedAmount: { amount: "70.00" },
    availableActions: ["CAPTURE", "CANCEL", "REFUND"],
  });
  expect(await books(id)).toMatchObject({ captured: 7_000 });
}, 40_000);

describe("keys and scopes", () => {
  test("one literal key is another intent for each kind, and another payment under it is a conflict", async () => {
    const literal = "the-very-same";
    const input = card("100", { captureMode: "MANUAL" });
    const made = await send<Created>(house.url, key, CREATE, { key: literal, input });
    const id = made.data?.createPayment?.payment.id ?? "";
    expect((await capture(literal, { paymentId: id })).data?.change?.replayed).toBe(false);
    expect((await refund(literal, { paymentId: id, amount: brl("1") })).data?.change?.replayed).toBe(false);
    const other = await payment("AUTOMATIC");
    const reused = await refund(literal, { paymentId: other, amount: brl("1") });
    expect(reused.errors?.[0]?.extensions).toMatchObject({
      code: "CONFLICT",
      reason: "IDEMPOTENCY_KEY_REUSED",
      changedFields: ["input.paymentId"],
      paymentId: id,
    });
    expect((await books(other)).refunds).toHaveLength(0);
  });

  test("a refused call leaves its key unused", async () => {
    const id = await payment("MANUAL");
    const mine = fresh();
    expect(codeOf(await capture(mine, { paymentId: id, amount: brl("101") }))).toBe("INVALID_STATE");
    const done = await capture(mine, { paymentId: id, amount: brl("100") });
    expect(done.data?.change).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });
  });

  test("another merchant's payment, an absent and a malformed one are not found", async () => {
    const id = await payment("AUTOMATIC");
    const other = house.credentials.other.keys.payments;
    for (const [credential, paymentId] of [
      [other, id],
      [key, "pay_01h455vb4pex5vsknk084sn02q"],
      [key, "nonsense"],
    ])
      for (const document of [CAPTURE, CANCEL, REFUND]) {
        const reply = await send<Changed>(house.url, credential ?? "", document, {
          key: fresh(),
          input: { paymentId },
        });
        expect(codeOf(reply)).toBe("NOT_FOUND");
      }
  });

  test("the amount's currency is the payment's, and a viewer may not move money", async () => {
    const id = await payment("AUTOMATIC");
    const dollars = await refund(fresh(), { paymentId: id, amount: { amount: "1", currency: "USD" } });
    expect(dollars.errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: [{ path: "input.amount.currency" }],
    });
    const { viewer } = house.credentials.keys;
    const reply = await send<Changed>(house.url, viewer, REFUND, { key: fresh(), input: { paymentId: id } });
    expect(codeOf(reply)).toBe("FORBIDDEN");
  });
});
