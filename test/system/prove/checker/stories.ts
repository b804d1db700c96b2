import { Story } from "./story";

/** Histories in which every promise holds: each bad one is one of these with something changed. */

/** Authorized though the answer was lost, captured in two parts, partly refunded, and asked for again and again. */
export function captured(name = "captured") {
  const intent = { paymentId: `pay_${name}` };
  return new Story(name, "MANUAL")
    .create("make", "AUTHORIZED")
    .loseAnswer()
    .again("make")
    .refuse("early", { kind: "refund", ...intent, minor: null }, "INVALID_STATE")
    .capture("part", 4_000)
    .refuse("more", { kind: "capture", ...intent, minor: 7_000, final: false }, "INVALID_STATE")
    .capture("rest", 5_000, true)
    .refund("some", 3_000)
    .loseAnswer()
    .again("some")
    .refund("refused", 1_000, true)
    .refuse("again", { kind: "refund", ...intent, minor: 6_001 }, "INVALID_STATE")
    .refuse("make", { kind: "create", minor: 1, captureMode: "MANUAL" }, "CONFLICT", "IDEMPOTENCY_KEY_REUSED")
    .again("part")
    .again("make")
    .history();
}

/** Held, and called off. */
export const canceled = () =>
  new Story("canceled", "MANUAL").create("make", "AUTHORIZED").cancel("no").again("no").history();

/** Declined at once. */
export const declined = () =>
  new Story("declined", "AUTOMATIC").create("make", "FAILED").again("make").history();

/** Its payer pays, and both the dashboard and the bank take a part back. */
export const paid = () =>
  new Story("paid", "AUTOMATIC")
    .create("make", "REQUIRES_ACTION")
    .pay()
    .again("make")
    .refundThere(2_000)
    .revoke(1_000)
    .refund("rest", null)
    .history();

/** Charged at once. */
export const charged = (name = "charged", key = "make") =>
  new Story(name, "AUTOMATIC").create(key, "CAPTURED").history();

/** Nobody knows what became of it. */
export const parked = () => new Story("parked", "AUTOMATIC").create("make", "PARKED").again("make").history();
