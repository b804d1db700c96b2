import { newId, type Books, type Change, type Charge, type Intent, type Refund } from "./books";
import { showDispute } from "./disputes";
import { showRefund } from "./refunds";
import { textOf, type Form } from "./form";
import { listAnswer, oneAnswer } from "./objects";
import { showIntent } from "./payment-intents";
import type { Answer } from "./wire";
import type { SandboxEvent } from "./told";

/** What is told of an intent that has come to a status (docs.stripe.com/api/events/types). */
const OF_STATUS: Readonly<Record<string, string>> = {
  succeeded: "payment_intent.succeeded",
  requires_capture: "payment_intent.amount_capturable_updated",
  requires_action: "payment_intent.requires_action",
  requires_payment_method: "payment_intent.payment_failed",
  processing: "payment_intent.processing",
  canceled: "payment_intent.canceled",
};

/** The events that tell of a change, as Stripe has them. Asked before the change is in the books. */
export function eventsOf(books: Books, change: Change): SandboxEvent[] {
  const { intent, charge, refund, dispute } = change;
  const told: [type: string, account: string, object: unknown][] = [];
  if (intent && hasMoved(books.intents.get(intent.id), intent)) {
    const type = OF_STATUS[intent.status];
    if (type) told.push([type, intent.account, showIntent(books, intent, [])]);
  }
  for (const type of refund ? ofRefund(books, refund) : [])
    told.push([type, refund!.account, showRefund(refund!)]);
  if (charge && charge.refunded > (books.charges.get(charge.id)?.refunded ?? 0))
    told.push(["charge.refunded", charge.account, showCharge(books, charge, intent)]);
  if (dispute) {
    const type = dispute.status === "needs_response" ? "charge.dispute.created" : "charge.dispute.closed";
    told.push([type, dispute.account, showDispute(dispute)]);
  }
  return told.map(([type, account, object]) => ({
    id: newId("evt"),
    account,
    type,
    object,
    createdAt: books.now(),
  }));
}

function hasMoved(before: Intent | undefined, after: Intent): boolean {
  return before?.status !== after.status || before.received !== after.received;
}

function ofRefund(books: Books, refund: Refund): string[] {
  const before = books.refunds.get(refund.id);
  if (!before) return ["refund.created"];
  if (before.status === refund.status) return [];
  return refund.status === "failed" ? ["refund.updated", "refund.failed"] : ["refund.updated"];
}

function showCharge(books: Books, charge: Charge, intent = books.intents.get(charge.paymentIntent)) {
  return {
    id: charge.id,
    object: "charge",
    amount: charge.amount,
    amount_captured: charge.captured,
    amount_refunded: charge.refunded,
    currency: charge.currency.toLowerCase(),
    metadata: intent?.metadata ?? {},
    payment_intent: charge.paymentIntent,
  };
}

/** The event as Stripe shows it, and as it is delivered (docs.stripe.com/api/events/object). */
export function showEvent({ id, type, object, createdAt }: SandboxEvent) {
  return {
    id,
    object: "event",
    api_version: "2026-01-28.clover",
    created: Math.floor(createdAt / 1_000),
    data: { object },
    livemode: false,
    pending_webhooks: 0,
    request: null,
    type,
  };
}

/** `GET /v1/events`: newest first. */
export function listEvents(books: Books, account: string, query: Form): Answer {
  const type = textOf(query, "type");
  const all = [...books.events.values()].filter(
    (one) => one.account === account && (type === undefined || one.type === type),
  );
  return listAnswer({ url: "/v1/events", kind: "event" }, all, query, showEvent);
}

/** `GET /v1/events/:id`. */
export function retrieveEvent(books: Books, account: string, id: string): Answer {
  return oneAnswer(books.events.get(id), { kind: "event", id, account }, showEvent);
}
