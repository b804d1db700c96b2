import { CARDS, type Fault } from "./cards";
import { newId, type Books, type Intent } from "./books";
import { textOf, type Form } from "./form";
import type { ReadDeed } from "./deed";
import { charged, showNextAction } from "./payer-acts";
import { readMethod, type WantedMethod } from "./wanted-method";
import { listAnswer } from "./objects";
import { errorAnswer, invalid, type Answer } from "./wire";

/** A request that was understood, and what is to be done with it. */
interface CreateIntent {
  amount: number;
  currency: string;
  captureMethod: Intent["captureMethod"];
  method: WantedMethod;
  description: string | null;
  metadata: Record<string, string>;
}

/** `POST /v1/payment_intents`: an intent and, where it is not declined, its charge. */
export const readCreate: ReadDeed = (books, account, { form }) => {
  const wanted = readWanted(books, form);
  if ("status" in wanted) return wanted;
  let made: Intent;
  return {
    fault: wanted.method.card?.fault,
    execute(fault) {
      const change = execute(books, account, wanted, fault);
      made = change.intent;
      return change;
    },
    answer: () => createAnswer(books, made, expandOf(form)),
  };
};

/** Reads the parameters of a create; an answer where one of them is wrong. Nothing has been done then. */
function readWanted(books: Books, form: Form): CreateIntent | Answer {
  const amount = textOf(form, "amount") ?? "";
  if (!/^[1-9]\d{0,15}$/.test(amount) || !Number.isSafeInteger(Number(amount)))
    return invalid("amount", "Invalid positive integer", "parameter_invalid_integer");
  const currency = textOf(form, "currency")?.toLowerCase() ?? "";
  if (!/^[a-z]{3}$/.test(currency)) return invalid("currency", "Invalid currency");
  if (textOf(form, "confirm") !== "true")
    return invalid("confirm", "The sandbox creates and confirms in one call: send confirm=true");
  const captureMethod = textOf(form, "capture_method") ?? "automatic";
  if (!["automatic", "automatic_async", "manual"].includes(captureMethod))
    return invalid("capture_method", "Invalid capture_method");
  const method = readMethod(books, form, Number(amount));
  if ("param" in method) return invalid(method.param, method.message, method.code);
  return {
    amount: Number(amount),
    currency,
    captureMethod: captureMethod as Intent["captureMethod"],
    method,
    description: textOf(form, "description") ?? null,
    metadata: textsOf(form.metadata),
  };
}

/** The texts of a nested parameter, such as metadata. */
export function textsOf(value: Form[string] | undefined): Record<string, string> {
  if (value === undefined || typeof value === "string" || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Does what a create asks for: the intent and, where it is not declined, its charge. Written by the caller. */
function execute(books: Books, account: string, wanted: CreateIntent, fault: Fault | undefined) {
  const createdAt = books.now();
  const amount = wanted.amount + (fault === "wrongAmount" ? 1 : 0);
  const { token, card, act } = wanted.method;
  const decline = card?.decline ?? null;
  const intent: Intent = {
    id: newId("pi"),
    account,
    amount,
    currency: wanted.currency,
    captureMethod: wanted.captureMethod,
    status: act ? "requires_action" : "requires_payment_method",
    received: 0,
    capturable: 0,
    token,
    description: wanted.description,
    metadata: wanted.metadata,
    decline,
    act,
    cancellationReason: null,
    chargeId: null,
    createdAt,
  };
  return decline || act ? { intent } : charged(intent, createdAt);
}

/** The answer to a create that was executed: the intent, or Stripe's 402 for a decline. */
function createAnswer(books: Books, intent: Intent, expand: readonly string[]): Answer {
  const shown = showIntent(books, intent, expand);
  if (!intent.decline) return { status: 200, body: shown };
  return errorAnswer(402, { ...lastError(intent), payment_intent: shown });
}

function lastError(intent: Intent) {
  if (!intent.decline) return null;
  const { code, declineCode, message } = intent.decline;
  if (declineCode === null) return { type: "invalid_request_error", code, message };
  return { type: "card_error", code, decline_code: declineCode, message };
}

/** The intent as Stripe shows it; `expand` names what is shown whole instead of by its id. */
export function showIntent(books: Books, intent: Intent, expand: readonly string[]): Record<string, unknown> {
  return {
    id: intent.id,
    object: "payment_intent",
    amount: intent.amount,
    amount_capturable: intent.capturable,
    amount_received: intent.received,
    cancellation_reason: intent.cancellationReason,
    capture_method: intent.captureMethod,
    client_secret: `${intent.id}_secret_sandbox`,
    confirmation_method: "automatic",
    created: Math.floor(intent.createdAt / 1_000),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    last_payment_error: lastError(intent),
    latest_charge: expand.includes("latest_charge") ? showCharge(books, intent) : intent.chargeId,
    livemode: false,
    metadata: intent.metadata,
    next_action: showNextAction(books, intent),
    payment_method: expand.includes("payment_method") ? showMethod(intent) : intent.token,
    status: intent.status,
  };
}

function showCharge(books: Books, intent: Intent) {
  const charge = books.charges.get(intent.chargeId ?? "");
  if (!charge) return null;
  return {
    id: charge.id,
    object: "charge",
    amount: intent.amount,
    amount_captured: charge.captured,
    amount_refunded: charge.refunded,
    captured: charge.status === "captured",
    currency: intent.currency,
    payment_intent: intent.id,
    payment_method_details: showDetails(intent),
    status: "succeeded",
  };
}

function showMethod(intent: Intent) {
  return { id: intent.token, object: "payment_method", ...showDetails(intent) };
}

function showDetails(intent: Intent) {
  const method = intent.act?.method ?? "card";
  return { type: method, [method]: method === "card" ? showCard(intent) : {} };
}

function showCard(intent: Intent) {
  const card = CARDS.get(intent.token);
  return { brand: card?.brand ?? "unknown", last4: card?.last4 ?? "0000", exp_month: 12, exp_year: 2030 };
}

/** `GET /v1/payment_intents`: newest first, after what `lagMs` still hides. */
export function listIntents(books: Books, account: string, query: Form, lagMs: number): Answer {
  const created = query.created;
  const range = typeof created === "object" && !Array.isArray(created) ? created : {};
  const [since, before] = [Number(textOf(range, "gte") ?? 0), Number(textOf(range, "lt") ?? Infinity)];
  const visible = [...books.intents.values()].filter(
    (one) =>
      one.account === account &&
      one.createdAt / 1_000 >= since &&
      one.createdAt / 1_000 < before &&
      isVisible(books, one, lagMs),
  );
  return pageOf(books, visible, query, "/v1/payment_intents");
}

/** Under normal operating conditions, data is searchable in under a minute (docs.stripe.com/search#data-freshness). */
const SEARCH_LAG_MS = 60_000;

/** `GET /v1/payment_intents/search`, for one clause of metadata: `metadata['key']:'value'`. It lags behind the list. */
export function searchIntents(books: Books, account: string, query: Form, lagMs: number): Answer {
  const clause = /^metadata\['([^']+)'\]:'([^']*)'$/.exec(textOf(query, "query") ?? "");
  if (clause === null) return invalid("query", "The sandbox searches for metadata['key']:'value' alone");
  const [, key = "", value] = clause;
  const found = [...books.intents.values()].filter(
    (one) =>
      one.account === account && one.metadata[key] === value && isVisible(books, one, lagMs + SEARCH_LAG_MS),
  );
  return pageOf(books, found, query, "/v1/payment_intents/search");
}

function pageOf(books: Books, intents: Intent[], query: Form, url: string): Answer {
  const expand = expandOf(query).map((path) => path.replace(/^data\./, ""));
  return listAnswer({ url, kind: "payment_intent" }, intents, query, (one) => showIntent(books, one, expand));
}

/** An account's intent; Stripe's 404 where it has none. */
export function intentOf(books: Books, account: string, id: string): Intent | Answer {
  const intent = books.intents.get(id);
  return intent?.account === account ? intent : noSuchIntent(id);
}

function noSuchIntent(id: string): Answer {
  return errorAnswer(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    param: "intent",
    message: `No such payment_intent: '${id}'`,
  });
}

/** `GET /v1/payment_intents/:id`. */
export function retrieveIntent(
  books: Books,
  account: string,
  query: Form,
  { id, lagMs }: { id: string; lagMs: number },
): Answer {
  const intent = intentOf(books, account, id);
  if (!("account" in intent)) return intent;
  if (!isVisible(books, intent, lagMs)) return noSuchIntent(id);
  return { status: 200, body: showIntent(books, intent, expandOf(query)) };
}

function isVisible(books: Books, intent: Intent, lagMs: number): boolean {
  return intent.createdAt + lagMs <= books.now();
}

/** The paths that a request wants shown whole. */
export function expandOf(form: Form): string[] {
  const value = form.expand;
  return Array.isArray(value) ? value : [];
}
