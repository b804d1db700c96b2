import { newId, type Books, type Charge, type Intent, type Refund } from "./books";
import { textOf, type Form } from "./form";
import type { ReadDeed } from "./deed";
import { listAnswer, oneAnswer } from "./objects";
import { intentOf, textsOf } from "./payment-intents";
import { errorAnswer, invalid, type Answer } from "./wire";

/** How long after it was made a refund of `pm_card_refundFail` turns out to have failed, and a code's ends. */
const TURNS_AFTER_MS = 2_000;

/** `POST /v1/refunds` (docs.stripe.com/api/refunds/create). */
export const readRefund: ReadDeed = (books, account, { form }) => {
  const intent = intentOf(books, account, textOf(form, "payment_intent") ?? "");
  if (!("account" in intent)) return intent;
  const charge = books.charges.get(intent.chargeId ?? "");
  if (!charge || charge.captured === 0) return refused("charge_not_captured", "Nothing was captured.");
  const left = charge.captured - charge.refunded;
  if (left === 0) return refused("charge_already_refunded", "This charge has been refunded already.");
  const amount = Number(textOf(form, "amount") ?? left);
  if (!Number.isSafeInteger(amount) || amount < 1)
    return invalid("amount", "Invalid positive integer", "parameter_invalid_integer");
  if (amount > left)
    return invalid("amount", `Refund amount (${amount}) is greater than the unrefunded amount (${left})`);
  const metadata = textsOf(form.metadata);
  const createdAt = books.now();
  const refund: Refund = {
    id: newId("re"),
    account,
    charge: charge.id,
    paymentIntent: intent.id,
    reference: metadata.umavez_reference ?? null,
    amount,
    currency: intent.currency,
    status: isCode(intent) ? "pending" : "succeeded",
    failureReason: null,
    metadata,
    turns: turnsOf(intent, createdAt),
    createdAt,
  };
  return {
    execute: () => ({ refund, charge: { ...charge, refunded: charge.refunded + amount } }),
    answer: () => ({ status: 200, body: showRefund(refund) }),
  };
};

/** A Pix or a boleto: money goes back by a transfer, which takes its time. */
function isCode({ act }: Intent): boolean {
  return act !== null && act.method !== "card";
}

function turnsOf(intent: Intent, createdAt: number): Refund["turns"] {
  const at = createdAt + TURNS_AFTER_MS;
  if (isCode(intent)) return { at, into: intent.act?.refusesRefunds ? "failed" : "succeeded" };
  return intent.token === "pm_card_refundFail" ? { at, into: "failed" } : null;
}

/** What turns out now: refunds that could not be paid out give their amount back to the charge. */
export async function turnRefunds(books: Books): Promise<void> {
  for (const refund of books.refunds.values()) {
    const charge: Charge | undefined = books.charges.get(refund.charge);
    if (!charge || refund.turns === null || refund.turns.at > books.now()) continue;
    const after: Refund = { ...refund, status: refund.turns.into, turns: null };
    if (after.status === "succeeded") await books.write({ refund: after });
    else
      await books.write({
        refund: { ...after, failureReason: refund.status === "pending" ? "declined" : "lost_or_stolen_card" },
        charge: { ...charge, refunded: charge.refunded - refund.amount },
      });
  }
}

/** `GET /v1/refunds`: newest first. */
export function listRefunds(books: Books, account: string, query: Form): Answer {
  const payment = textOf(query, "payment_intent");
  const all = [...books.refunds.values()].filter(
    (one) => one.account === account && (payment === undefined || one.paymentIntent === payment),
  );
  return listAnswer({ url: "/v1/refunds", kind: "refund" }, all, query, showRefund);
}

/** `GET /v1/refunds/:id`. */
export function retrieveRefund(books: Books, account: string, id: string): Answer {
  return oneAnswer(books.refunds.get(id), { kind: "refund", id, account }, showRefund);
}

/** The refund as Stripe shows it. */
export function showRefund(refund: Refund) {
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    charge: refund.charge,
    created: Math.floor(refund.createdAt / 1_000),
    currency: refund.currency,
    ...(refund.failureReason === null ? {} : { failure_reason: refund.failureReason }),
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    status: refund.status,
  };
}

function refused(code: string, message: string): Answer {
  return errorAnswer(400, { type: "invalid_request_error", code, message });
}
