import fc from "fast-check";
import { eventOf, statusOfAmounts, type PaymentStatus } from "../../src/payments/payment-state";
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

const HISTORIES = 30;
const AMOUNT = 10_000;

let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse({ PROVIDER_TIMEOUT_MS: "5000", DATABASE_POOL: "20" });
  key = house.credentials.keys.payments;
});
afterAll(() => house.close());

/** One thing that a merchant's system does, under a key of its own. */
type Act =
  | { kind: "capture"; minor: number | null; final: boolean }
  | { kind: "cancel" }
  | { kind: "refund"; minor: number | null };

const minor = fc.option(
  fc.integer({ min: 1, max: 12 }).map((n) => n * 1_000),
  { freq: 6 },
);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("capture" as const), minor, final: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: "cancel" as const }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("refund" as const), minor }) },
);

/** What happens at once: acts, each sent so many times, while the provider's answers are lost or not. */
const step = fc.record({
  acts: fc.array(fc.record({ act, times: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 4 }),
  lost: fc.constantFrom(0, 0, 0.5, 1),
});
const history = fc.record({
  captureMode: fc.constantFrom("MANUAL" as const, "MANUAL" as const, "AUTOMATIC" as const),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
});

const brl = (amount: number | null) =>
  amount === null ? null : { amount: (amount / 100).toFixed(2), currency: "BRL" };

function sendAct(idempotencyKey: string, paymentId: string, one: Act): Promise<Reply<Changed>> {
  const [document, input] =
    one.kind === "capture"
      ? [CAPTURE, { paymentId, amount: brl(one.minor), final: one.final }]
      : one.kind === "cancel"
        ? [CANCEL, { paymentId }]
        : [REFUND, { paymentId, amount: brl(one.minor) }];
  return send<Changed>(house.url, key, document, { key: idempotencyKey, input });
}

/** An act that was sent, and its answers. */
interface Sent {
  act: Act;
  idempotencyKey: string;
  replies: Reply<Changed>[];
}

let nth = 0;

/** Sends again until the answer is definite, as a client does: nothing else may change by it. */
async function settle(paymentId: string, { act: one, idempotencyKey, replies }: Sent): Promise<void> {
  const started = replies.some((reply) => reply.data?.change);
  if (!started) return;
  const ended = await until(
    () => sendAct(idempotencyKey, paymentId, one),
    (reply) => ["SUCCEEDED", "FAILED"].includes(reply.data?.change?.operation.state ?? ""),
    40_000,
  );
  replies.push(ended);
}

const LIFE = `query ($id: ID!) { payment(by: { id: $id }) {
  status version availableActions
  capturedAmount { minorUnits } capturableAmount { minorUnits } refundedAmount { minorUnits } refundableAmount { minorUnits }
  providerReference
  events(first: 100) { nodes { type sequence status amount { minorUnits } } }
} }`;

interface Life {
  payment: {
    status: PaymentStatus;
    version: number;
    availableActions: string[];
    capturedAmount: { minorUnits: string };
    capturableAmount: { minorUnits: string };
    refundedAmount: { minorUnits: string };
    refundableAmount: { minorUnits: string };
    providerReference: string;
    events: {
      nodes: { type: string; sequence: number; status: PaymentStatus; amount: { minorUnits: string } }[];
    };
  };
}

/** What ended well, by the operation that it was: a key's answers are one operation. */
function succeeded(all: Sent[], kind: Act["kind"]) {
  const done = all.filter(
    (one) => one.act.kind === kind && one.replies.at(-1)?.data?.change?.operation.state === "SUCCEEDED",
  );
  return done.map((one) =>
    Math.round(Number(one.replies.at(-1)?.data?.change?.operation.amount?.amount ?? 0) * 100),
  );
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Each event is a step that the table allows, and no prefix of the history moves more money than there was. */
function checkEvents(life: Life["payment"]): void {
  let status: PaymentStatus = "PROCESSING";
  let [authorized, captured, refunded, reserved] = [0n, 0n, 0n, 0n];
  for (const [place, event] of life.events.nodes.entries()) {
    expect(event.sequence).toBe(place + 1);
    const moved = BigInt(event.amount.minorUnits);
    if (event.type === "payment.authorized") authorized = BigInt(AMOUNT);
    if (event.type === "payment.captured" || event.type === "payment.partially_captured") {
      authorized = BigInt(AMOUNT);
      // A release moves nothing: its event tells of the payment.
      const released = event.type === "payment.captured" && captured > 0n && captured + moved > authorized;
      if (!released) captured += moved;
      if (event.type === "payment.captured") authorized = captured;
    }
    if (event.type === "refund.created") reserved += moved;
    if (event.type === "refund.failed") reserved -= moved;
    if (event.type === "refund.succeeded") [reserved, refunded] = [reserved - moved, refunded + moved];
    expect(captured).toBeLessThanOrEqual(BigInt(AMOUNT));
    expect(refunded + reserved).toBeLessThanOrEqual(captured);
    if (event.status !== status) expect(eventOf(status, event.status)).toBe(event.type);
    if (captured > 0n) expect(event.status).toBe(statusOfAmounts({ authorized, captured, refunded }));
    status = event.status;
  }
  expect(status).toBe(life.status);
  expect([captured, refunded].map(String)).toEqual([
    life.capturedAmount.minorUnits,
    life.refundedAmount.minorUnits,
  ]);
  expect(reserved).toBe(0n);
}

test("random histories, with repeats, races and lost answers: both ledgers agree, and every bound holds at every prefix", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ captureMode, steps }) => {
      const made = await send<Created>(house.url, key, CREATE, {
        key: `history-${(nth += 1)}`,
        input: card("100", { captureMode }),
      });
      const id = made.data?.createPayment?.payment.id ?? "";
      const all: Sent[] = [];
      for (const { acts, lost } of steps) {
        await setFaults(house.sandboxUrl, { replyLost: lost });
        const sent = await Promise.all(
          acts.map(async ({ act: one, times }) => {
            const idempotencyKey = `history-${(nth += 1)}`;
            const replies = await Promise.all(
              Array.from({ length: times }, () => sendAct(idempotencyKey, id, one)),
            );
            return { act: one, idempotencyKey, replies };
          }),
        );
        await setFaults(house.sandboxUrl, { replyLost: 0 });
        for (const one of sent) await settle(id, one);
        all.push(...sent);
      }

      // Every answer is one that the rules know; of one key all started answers are one operation.
      for (const { replies } of all) {
        for (const { errors } of replies)
          for (const error of errors ?? [])
            expect(["INVALID_STATE", "CONFLICT"]).toContain(error.extensions.code);
        expect(new Set(replies.flatMap((reply) => reply.data?.change?.operation.id ?? [])).size).toBeLessThan(
          2,
        );
      }
      const life = (await send<Life>(house.url, key, LIFE, { id })).data?.payment as Life["payment"];
      const { charges, refunds } = await ledgerOf(house.sandboxUrl);
      const charge = charges.find((one) => one.paymentIntent === life.providerReference);
      const given = refunds.filter((one) => one.charge === charge?.id);
      const ours = {
        captured: Number(life.capturedAmount.minorUnits),
        refunded: Number(life.refundedAmount.minorUnits),
      };
      expect(charge).toMatchObject(ours);
      expect(ours.captured).toBe(captureMode === "AUTOMATIC" ? AMOUNT : sum(succeeded(all, "capture")));
      expect(given.map((one) => one.amount).sort()).toEqual(succeeded(all, "refund").sort());
      expect(sum(given.map((one) => one.amount))).toBe(ours.refunded);
      expect(new Set(given.map((one) => one.reference)).size).toBe(given.length);
      expect(charge?.status === "canceled").toBe(life.status === "CANCELED");
      expect(Number(life.refundableAmount.minorUnits)).toBe(
        life.status === "CANCELED" || life.status === "AUTHORIZED" ? 0 : ours.captured - ours.refunded,
      );
      checkEvents(life);
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  );
}, 240_000);
