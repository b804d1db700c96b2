import { newId, type Books } from "./books";
import { oneAnswer } from "./objects";
import type { Answer } from "./wire";
import type { Dispute } from "./told";

/** What happens by itself: the payer of a captured charge of `pm_card_createDispute` disputes the whole of it. */
export async function openDisputes(books: Books): Promise<void> {
  for (const id of [...books.toDispute]) {
    const charge = books.charges.get(id);
    if (!charge) continue;
    await books.write({
      dispute: {
        id: newId("dp"),
        account: charge.account,
        charge: charge.id,
        paymentIntent: charge.paymentIntent,
        amount: charge.captured,
        currency: charge.currency.toLowerCase(),
        status: "needs_response",
        createdAt: books.now(),
      },
    });
  }
}

/**
 * Ends the dispute about a payment: for the merchant (`won`) or for the payer (`lost`).
 * @returns the dispute; a text that says what is wrong where there is none that is open
 */
export async function closeDispute(
  books: Books,
  paymentIntent: unknown,
  outcome: unknown,
): Promise<Dispute | string> {
  if (outcome !== "won" && outcome !== "lost") return "outcome: must be won or lost";
  const open = [...books.disputes.values()].find(
    (one) => one.paymentIntent === paymentIntent && one.status === "needs_response",
  );
  if (!open) return `paymentIntent: no open dispute of ${String(paymentIntent)}`;
  const closed: Dispute = { ...open, status: outcome };
  await books.write({ dispute: closed });
  return closed;
}

/** `GET /v1/disputes/:id`. */
export function retrieveDispute(books: Books, account: string, id: string): Answer {
  return oneAnswer(books.disputes.get(id), { kind: "dispute", id, account }, showDispute);
}

/** The dispute as Stripe shows it (docs.stripe.com/api/disputes/object). */
export function showDispute(dispute: Dispute) {
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    charge: dispute.charge,
    created: Math.floor(dispute.createdAt / 1_000),
    currency: dispute.currency,
    livemode: false,
    metadata: {},
    payment_intent: dispute.paymentIntent,
    reason: "fraudulent",
    status: dispute.status,
  };
}
