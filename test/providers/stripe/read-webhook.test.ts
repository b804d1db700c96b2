import { createHmac } from "node:crypto";
import Stripe from "stripe";
import { readWebhook } from "../../../src/providers/stripe/read-webhook";

const SECRET = "whsec_0123456789abcdef";
const NOW = new Date("2026-01-01T12:00:00Z");
const AT = NOW.getTime() / 1_000;

const event = (object: unknown, over: Record<string, unknown> = {}) =>
  JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "payment_intent.succeeded",
    livemode: false,
    data: { object },
    ...over,
  });
const BODY = event({ object: "payment_intent", id: "pi_1" });

const mac = (body: string, at: number | string = AT, secret = SECRET) =>
  createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
const read = (header: string | string[] | undefined, body = BODY) =>
  readWebhook(Buffer.from(body), header === undefined ? {} : { "stripe-signature": header }, SECRET, NOW);
const GOOD = mac(BODY);

test("a signature that the SDK makes is read, and so is the event", () => {
  const header = Stripe.webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET, timestamp: AT });
  expect(read(header)).toEqual({
    kind: "event",
    eventId: "evt_1",
    type: "payment_intent.succeeded",
    livemode: false,
    subject: { kind: "payment", reference: "pi_1", shown: null },
  });
});

test.each<[what: string, header: string]>([
  ["the oldest time that is taken", `t=${AT - 300},v1=${mac(BODY, AT - 300)}`],
  ["the newest time that is taken", `t=${AT + 300},v1=${mac(BODY, AT + 300)}`],
  ["a secret that is being rolled", `t=${AT},v1=${mac(BODY, AT, "whsec_other")},v1=${GOOD}`],
  ["other schemes beside it", `t=${AT},v0=${"0".repeat(64)},v1=${GOOD},v2=x`],
  ["capital digits and blanks", `t=${AT}, v1=${GOOD.toUpperCase()}`],
])("WEBSIG-01: %s is taken", (_, header) => {
  expect(read(header).kind).toBe("event");
});

test.each<[what: string, header: string | string[] | undefined]>([
  ["no signature", undefined],
  ["two headers", [`t=${AT},v1=${GOOD}`, `t=${AT},v1=${GOOD}`]],
  ["two headers that were joined", `t=${AT},v1=${GOOD}, t=${AT},v1=${GOOD}`],
  ["an empty one", ""],
  ["abc", "abc"],
  ["no time", `v1=${GOOD}`],
  ["a time that is NaN", `t=NaN,v1=${mac(BODY, "NaN")}`],
  ["a time with a sign", `t=+${AT},v1=${mac(BODY, `+${AT}`)}`],
  ["a time that is too old", `t=${AT - 301},v1=${mac(BODY, AT - 301)}`],
  ["a time in the future", `t=${AT + 301},v1=${mac(BODY, AT + 301)}`],
  ["a time a year ago", `t=${AT - 31_536_000},v1=${mac(BODY, AT - 31_536_000)}`],
  ["63 digits", `t=${AT},v1=${GOOD.slice(1)}`],
  ["65 digits", `t=${AT},v1=${GOOD}0`],
  ["64 characters that are no digits", `t=${AT},v1=${"z".repeat(64)}`],
  ["32 characters of two bytes", `t=${AT},v1=${"é".repeat(32)}`],
  ["64 characters of two bytes", `t=${AT},v1=${"é".repeat(64)}`],
  ["another scheme alone", `t=${AT},v0=${GOOD}`],
  ["another secret", `t=${AT},v1=${mac(BODY, AT, "whsec_other")}`],
  ["another body", `t=${AT},v1=${mac(`${BODY} `)}`],
  ["another time than the signed one", `t=${AT - 1},v1=${GOOD}`],
])("WEBSIG-01: %s is refused", (_, header) => {
  expect(read(header).kind).toBe("refused");
});

test.each<[what: string, object: unknown, shown: unknown]>([
  [
    "a payment",
    {
      object: "payment_intent",
      id: "pi_1",
      amount: 1_000,
      amount_received: 400,
      amount_capturable: 600,
      currency: "brl",
      created: AT,
      status: "requires_capture",
    },
    { state: "authorized", currency: "BRL", amount: "1000", authorized: "1000", captured: "400" },
  ],
  [
    "a refund",
    {
      object: "refund",
      id: "re_1",
      payment_intent: "pi_1",
      amount: 250,
      currency: "brl",
      created: AT,
      status: "pending",
    },
    { state: "pending", currency: "BRL", amount: "250" },
  ],
  ["a payment that cannot be read", { object: "payment_intent", id: "pi_1", status: "succeeded" }, null],
])("what an event about %s shows", (_, object, shown) => {
  const body = event(object);
  expect(read(`t=${AT},v1=${mac(body)}`, body)).toMatchObject({ subject: { shown } });
});

test.each<[what: string, object: unknown, subject: unknown]>([
  [
    "a refund",
    { object: "refund", id: "re_1", payment_intent: "pi_1" },
    { kind: "refund", reference: "re_1", payment: "pi_1" },
  ],
  [
    "a charge",
    { object: "charge", id: "ch_1", payment_intent: "pi_1" },
    { kind: "refund", reference: null, payment: "pi_1" },
  ],
  [
    "a dispute",
    { object: "dispute", id: "dp_1", payment_intent: "pi_1" },
    { kind: "dispute", reference: "dp_1", payment: "pi_1" },
  ],
  ["a charge without a payment", { object: "charge", id: "ch_1", payment_intent: null }, { kind: "none" }],
  [
    "a payment with an address for an id",
    { object: "payment_intent", id: "pi_1/../../v1/refunds" },
    { kind: "none" },
  ],
  ["what nobody has heard of", { object: "yesterday" }, { kind: "none" }],
  ["nothing", null, { kind: "none" }],
])("the subject of an event about %s", (_, object, subject) => {
  const body = event(object);
  expect(read(`t=${AT},v1=${mac(body)}`, body)).toMatchObject({ kind: "event", subject });
});

test.each(["", "null", "[]", "{}", "<html>", event({}, { id: 7 }), event({}, { livemode: "no" })])(
  "what is signed and is no event is refused: %s",
  (body) => {
    expect(read(`t=${AT},v1=${mac(body)}`, body).kind).toBe("refused");
  },
);
