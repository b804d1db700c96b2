/** What a card token does. */
export interface Card {
  brand: string;
  last4: string;
  /** Declined with these words of Stripe's (docs.stripe.com/declines/codes). */
  decline?: { code: string; declineCode: string; message: string };
  /** Its holder has to prove who they are, on a page. */
  authenticates?: boolean;
  /** A fault that no provider offers: it acts on the first call of a provider key. */
  fault?: Fault;
}

/** See providers' table: what happens to the first call of a provider key. */
export type Fault =
  | "replyLost"
  | "timeoutAfterCharge"
  | "truncatedReply"
  | "error500AfterCharge"
  | "error500BeforeCharge"
  | "dropBeforeCharge"
  | "slow"
  | "wrongAmount";

const visa = { brand: "visa", last4: "4242" };

function declined(code: string, declineCode: string, message: string): Card {
  return { brand: "visa", last4: "0002", decline: { code, declineCode, message } };
}

function faulty(fault: Fault): [string, Card] {
  return [`pm_sandbox_${fault}`, { ...visa, fault }];
}

/** Every token, with Stripe's names for those that Stripe has (docs.stripe.com/testing). */
export const CARDS: ReadonlyMap<string, Card> = new Map<string, Card>([
  ["pm_card_visa", visa],
  ["pm_card_mastercard", { brand: "mastercard", last4: "4444" }],
  ["pm_card_br", { brand: "visa", last4: "0008" }],
  ["pm_card_refundFail", { brand: "visa", last4: "5126" }],
  ["pm_card_createDispute", { brand: "visa", last4: "0259" }],
  ["pm_card_visa_chargeDeclined", declined("card_declined", "generic_decline", "Your card was declined.")],
  [
    "pm_card_visa_chargeDeclinedInsufficientFunds",
    declined("card_declined", "insufficient_funds", "Your card has insufficient funds."),
  ],
  ["pm_card_visa_chargeDeclinedLostCard", declined("card_declined", "lost_card", "Your card was declined.")],
  [
    "pm_card_visa_chargeDeclinedStolenCard",
    declined("card_declined", "stolen_card", "Your card was declined."),
  ],
  ["pm_card_chargeDeclinedExpiredCard", declined("expired_card", "expired_card", "Your card has expired.")],
  [
    "pm_card_visa_chargeDeclinedExpiredCard",
    declined("expired_card", "expired_card", "Your card has expired."),
  ],
  [
    "pm_card_visa_chargeDeclinedIncorrectCvc",
    declined("incorrect_cvc", "incorrect_cvc", "Your card's security code is incorrect."),
  ],
  [
    "pm_card_visa_chargeDeclinedProcessingError",
    declined("processing_error", "processing_error", "An error occurred while processing your card."),
  ],
  ["pm_card_authenticationRequired", { brand: "visa", last4: "3184", authenticates: true }],
  faulty("replyLost"),
  faulty("timeoutAfterCharge"),
  faulty("truncatedReply"),
  faulty("error500AfterCharge"),
  faulty("error500BeforeCharge"),
  faulty("dropBeforeCharge"),
  faulty("slow"),
  faulty("wrongAmount"),
]);
