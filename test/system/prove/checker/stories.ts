import { ConflictStory } from "./conflict-story";
import { DashboardStory } from "./dashboard-story";
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
export const paid = (key = "make") =>
  new Story("paid", "AUTOMATIC")
    .create(key, "REQUIRES_ACTION")
    .pay()
    .again(key)
    .refundThere(2_000)
    .revoke(1_000)
    .refund("rest", null)
    .history();

/** Charged at once. */
export const charged = (name = "charged", key = "make") =>
  new Story(name, "AUTOMATIC").create(key, "CAPTURED").history();

/** Nobody knows what became of it. */
export const parked = () => new Story("parked", "AUTOMATIC").create("make", "PARKED").again("make").history();

/** Declined, and charged all the same when its payer tries again. */
export const lateAfterFailed = () =>
  new Story("late", "AUTOMATIC").create("make", "FAILED").again("make").payLate().again("make").history();

/** The payer fails, and pays then: it is held, taken in part, and released. */
export const heldAfterFailed = () =>
  new Story("held", "MANUAL")
    .create("make", "REQUIRES_ACTION")
    .end("fail")
    .again("make")
    .payLate()
    .capture("part", 4_000, true)
    .history();

/** Called off before it is paid, and paid and held all the same. */
export const lateAfterCanceled = () =>
  new Story("revived", "MANUAL")
    .create("make", "REQUIRES_ACTION")
    .cancel("no")
    .payLate()
    .again("no")
    .history();

/** Its code has run out, and is paid. */
export const lateAfterExpired = () =>
  new Story("expired", "AUTOMATIC").create("make", "REQUIRES_ACTION").end("expire").payLate().history();

/** The provider refuses to take what it holds, and is asked again. */
export const captureFailed = () =>
  new Story("failed", "MANUAL")
    .create("make", "AUTHORIZED")
    .failCapture("first", 4_000)
    .again("first")
    .capture("second", 4_000)
    .history();

/** Taken at the provider's dashboard, of which the bank takes a part back. */
export const takenThere = (key = "make") =>
  new DashboardStory("there", "MANUAL")
    .create(key, "AUTHORIZED")
    .captureThere(6_000)
    .again(key)
    .revoke(1_000)
    .refund("some", 2_000)
    .history();

/** Its code runs out, and nobody pays. */
export const expired = () =>
  new Story("unpaid", "AUTOMATIC").create("make", "REQUIRES_ACTION").end("expire").again("make").history();

/** Paid in the moment in which it runs out. */
export const paidTooLate = () =>
  new Story("moment", "MANUAL").create("make", "REQUIRES_ACTION").payTooLate().again("make").history();

/** Called off before it is paid. */
export const calledOff = () =>
  new Story("off", "AUTOMATIC").create("make", "REQUIRES_ACTION").cancel("no").again("make").history();

/** What was given back could not be paid out, and is given back again. */
export const cameBack = () =>
  new Story("back", "AUTOMATIC")
    .create("make", "CAPTURED")
    .refund("first", 3_000)
    .comeBack()
    .again("first")
    .refund("second", 10_000)
    .history();

/** Nobody knows whether the refund went out: it did. */
export const refundParked = () =>
  new Story("unknown", "AUTOMATIC")
    .create("make", "CAPTURED")
    .refund("some", 2_000)
    .parkRefund("doubted", 3_000)
    .again("doubted")
    .refuse("more", { kind: "refund", paymentId: "pay_unknown", minor: 5_001 }, "INVALID_STATE")
    .history();

/** Held, and called off at the dashboard. */
export const canceledThere = () =>
  new DashboardStory("calledOff", "MANUAL")
    .create("make", "AUTHORIZED")
    .cancelThere()
    .again("make")
    .history();

/** Taken in part, and the rest is released at the dashboard. */
export const releasedThere = () =>
  new DashboardStory("released", "MANUAL")
    .create("make", "AUTHORIZED")
    .capture("part", 4_000)
    .refund("some", 1_000)
    .cancelThere()
    .again("part")
    .history();

/** The bank takes all of it back. */
export const revoked = () =>
  new Story("revoked", "AUTOMATIC").create("make", "CAPTURED").revoke(10_000).again("make").history();

/** Given back in two parts. */
export const refunded = () =>
  new Story("refunded", "AUTOMATIC")
    .create("make", "CAPTURED")
    .refund("some", 4_000)
    .refund("rest", null)
    .history();

/** More is paid than was asked for: an operator is to decide. */
export const conflicted = () => overpaid("conflicted").again("make").history();

/** The same; an operator has looked, and has learned that the dashboard gave some of it back. */
export const undecided = () => overpaid("undecided").adopt().refundThere(1_000).history();

/** The same, and what was charged is accepted. */
export const accepted = () =>
  overpaid("accepted").adopt().refundThere(1_000).accept().again("make").history();

const overpaid = (name: string) =>
  new ConflictStory(name, "AUTOMATIC").create("make", "REQUIRES_ACTION").payMore(12_000);
