import type { Books, Change, Intent } from "./books";

/**
 * Takes back what was captured, as a provider does whose own bank has refused the money after all. Where nothing is left,
 * nor held, the intent would take another card.
 * @param amount minor units; all that was captured and not given back, where absent
 * @returns why it cannot be done, where it cannot
 */
export function revocationOf(books: Books, intent: Intent, amount: unknown): Change | string {
  const charge = books.charges.get(intent.chargeId ?? "");
  const left = charge ? charge.captured - charge.refunded : 0;
  const taken = Number(amount ?? left);
  if (!charge || !Number.isSafeInteger(taken) || taken < 1 || taken > left)
    return `amount: must be a whole number from 1 to the ${left} that were captured and not given back`;
  const received = intent.received - taken;
  const isOver = received === 0 && intent.capturable === 0;
  return {
    intent: isOver
      ? { ...intent, received, status: "requires_payment_method", decline: REVOKED }
      : { ...intent, received },
    charge: { ...charge, captured: received, status: isOver ? "canceled" : charge.status },
  };
}

const REVOKED = {
  code: "payment_intent_payment_attempt_failed",
  declineCode: null,
  message: "The payment failed after it was captured.",
};
