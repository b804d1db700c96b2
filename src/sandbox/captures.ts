import type { Books, Charge, Intent } from "./books";
import { textOf } from "./form";
import type { ReadDeed } from "./deed";
import { expandOf, intentOf, showIntent, textsOf } from "./payment-intents";
import { errorAnswer, invalid, type Answer } from "./wire";

/** `POST /v1/payment_intents/:id/capture`: takes what is held, whole or in part (docs.stripe.com/payments/multicapture). */
export const readCapture: ReadDeed = (books, account, { id, form }) => {
  const intent = intentOf(books, account, id);
  if (!("account" in intent)) return intent;
  if (intent.status !== "requires_capture") return unexpectedState(books, intent, "captured");
  const amount = Number(textOf(form, "amount_to_capture") ?? intent.capturable);
  if (!Number.isSafeInteger(amount) || amount < 1)
    return invalid("amount_to_capture", "Invalid positive integer", "parameter_invalid_integer");
  if (amount > intent.capturable)
    return invalid("amount_to_capture", "You cannot capture more than is capturable.", "amount_too_large");
  const isFinal = textOf(form, "final_capture") !== "false" || amount === intent.capturable;
  const after: Intent = {
    ...intent,
    received: intent.received + amount,
    capturable: isFinal ? 0 : intent.capturable - amount,
    status: isFinal ? "succeeded" : "requires_capture",
    metadata: { ...intent.metadata, ...textsOf(form.metadata) },
  };
  return {
    execute: () => ({ intent: after, charge: chargeOf(books, after, "captured") }),
    answer: () => ({ status: 200, body: showIntent(books, after, expandOf(form)) }),
  };
};

/** `POST /v1/payment_intents/:id/cancel`: releases what is held; what was captured in part stays captured. */
export const readCancel: ReadDeed = (books, account, { id, form }) => {
  const intent = intentOf(books, account, id);
  if (!("account" in intent)) return intent;
  if (intent.status === "canceled" || intent.status === "succeeded")
    return unexpectedState(books, intent, "canceled");
  const status = intent.received > 0 ? "succeeded" : "canceled";
  const cancellationReason = textOf(form, "cancellation_reason") ?? null;
  const after: Intent = { ...intent, capturable: 0, status, cancellationReason };
  return {
    execute: () => ({
      intent: after,
      charge: chargeOf(books, after, intent.received > 0 ? "captured" : "canceled"),
    }),
    answer: () => ({ status: 200, body: showIntent(books, after, expandOf(form)) }),
  };
};

function chargeOf(
  books: Books,
  { chargeId, received }: Intent,
  status: Charge["status"],
): Charge | undefined {
  const charge = books.charges.get(chargeId ?? "");
  return charge && { ...charge, captured: received, status };
}

function unexpectedState(books: Books, intent: Intent, done: string): Answer {
  return errorAnswer(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `This PaymentIntent could not be ${done} because it has a status of ${intent.status}.`,
    payment_intent: showIntent(books, intent, []),
  });
}
