import { unreachable } from "../../shared/assert";
import type {
  AuthorizeRequest,
  Evidence,
  Failure,
  NotHappened,
  Outcome,
  RefundSnapshot,
  Snapshot,
  Unknown,
} from "../provider";
import { readDecline, readInvalid, type Refused } from "./declines";
import { doubtOf, readError, type Doubt } from "./doubt";
import { readIntent } from "./intent";
import type { ErrorReply, ObjectReply, Reply } from "./reply";
import { scrub } from "./scrub";

/** The call that a reply came to. */
export interface Call {
  /** True only where no earlier call of this attempt can have left us. */
  first: boolean;
  /** When it was made: no snapshot in its reply is older, but a stored one. */
  asked: Date;
}

/** What a reply shows: the object that was asked for, and how it was refused where that is how it stands. */
export type Shown<S> = { kind: "shown"; snapshot: S; refused: Refused | null; created: Date } | Unknown<S>;

/** How the replies to one kind of call are read. */
export interface Reading<S> {
  /** Reads the object of a success, or says why it is not the one that was asked for. */
  object(body: unknown): Shown<S>;
  /** Reads the intent that an error shows, where the intent can tell whether the call had its effect. */
  intentOfError?(body: unknown): Shown<S>;
}

/** What a call of `authorize` came to. */
export function readOutcome(reply: Reply, sent: AuthorizeRequest, call: Call): Outcome {
  const object = (body: unknown) => ourIntent(body, sent, call);
  return judge(reply, { object, intentOfError: object }, call);
}

/**
 * What a call came to: pure, and total over whatever a provider or a network can do.
 *
 * `happened` needs the object that was asked for, with our amount, currency and reference. `not_happened` needs
 * Stripe's own refusal of this intent, or that nothing ever left us. On a later call only what Stripe says **of the
 * intent itself**, or has stored under our key, refuses: that this call was turned away says nothing of an earlier
 * one. All else is `unknown`.
 */
export function judge<S extends Snapshot | RefundSnapshot>(
  reply: Reply,
  reading: Reading<S>,
  call: Call,
): Outcome<S> {
  switch (reply.kind) {
    case "object":
      return ofObject(reply, reading);
    case "error":
      return ofError(reply, reading, call);
    case "network":
      return reply.fault === "no_connection" && call.first ? neverSent(UNAVAILABLE) : unknown(doubtOf(reply));
    case "unreadable":
      return unknown(doubtOf(reply));
    case "not_sent":
      // The same request was as impossible at the first call; but what cannot be explained is not called a refusal.
      return call.first ? neverSent(notRepresentable(reply.detail)) : unknown(doubtOf(reply));
    default:
      return unreachable(reply);
  }
}

/** A success is believed only for what it shows. */
function ofObject<S extends Snapshot | RefundSnapshot>(reply: ObjectReply, reading: Reading<S>): Outcome<S> {
  const shown = reading.object(reply.body);
  if (shown.kind === "unknown") return shown;
  const { snapshot, refused, created } = shown;
  const evidence = evidenceOf(reply);
  if (refused) return { kind: "not_happened", ...refused, evidence, reference: snapshot.reference };
  // A stored reply shows how things stood when the key was new, not now.
  const asOf = reply.replayed ? created : snapshot.asOf;
  return { kind: "happened", snapshot: { ...snapshot, asOf }, evidence };
}

/** The intent of a reply, where it is the one we asked for; else an unknown that says what is wrong with it. */
function ourIntent(body: unknown, sent: AuthorizeRequest, call: Call): Shown<Snapshot> {
  const read = readIntent(body, call.asked);
  if (read.kind === "unreadable") return unknown({ cause: "unreadable_reply", detail: scrub(read.detail) });
  const { snapshot } = read;
  // What carries another reference is not kept as seen: recovery would take another payment for this one.
  if (snapshot.ours !== null && snapshot.ours !== sent.reference)
    return unknown({ cause: "unreadable_reply", detail: `${snapshot.reference} is not ours` });
  if (!hasAmountOf(snapshot, sent)) return unknown(otherAmount(snapshot, sent), snapshot);
  return { ...read, kind: "shown" };
}

function hasAmountOf({ state, amount, captured }: Snapshot, sent: AuthorizeRequest): boolean {
  const same = amount.currency === sent.amount.currency && amount.minor === sent.amount.minor;
  return same && captured.minor === (state === "captured" ? amount.minor : 0n);
}

function otherAmount({ amount, captured }: Snapshot, { amount: sent }: AuthorizeRequest): Doubt {
  const detail =
    `sent ${sent.minor} ${sent.currency}, ` +
    `the provider has ${amount.minor} ${amount.currency}, captured ${captured.minor}`;
  return { cause: "other_amount", detail };
}

function ofError<S extends Snapshot | RefundSnapshot>(
  reply: ErrorReply,
  reading: Reading<S>,
  call: Call,
): Outcome<S> {
  const { type, code } = readError(reply.error);
  if (!REFUSING_TYPES.has(type) || UNPROVEN_CODES.has(code)) return unknown(doubtOf(reply));
  switch (reply.status) {
    case 400:
    case 402:
    case 404:
      return code === "rate_limit" ? turnedAway(reply, call) : ofRefusal(reply, reading, call);
    // Stripe checks credentials and rates before it looks at the request, and stores neither under the key.
    case 401:
    case 403:
    case 429:
      return turnedAway(reply, call);
    default:
      return unknown(doubtOf(reply));
  }
}

/**
 * The error types that refuse. `api_error` is Stripe's own fault, `idempotency_error` is about another request under
 * our key, and any other is not Stripe's: something else answered in its place.
 */
const REFUSING_TYPES: ReadonlySet<string> = new Set([
  "card_error",
  "invalid_request_error",
  "rate_limit_error",
  "authentication_error",
]);

/** Codes that come from the middle of the work, or from a race: they do not say how far a request got. */
const UNPROVEN_CODES: ReadonlySet<string> = new Set([
  "idempotency_key_in_use",
  "lock_timeout",
  "intent_invalid_state",
  "payment_intent_unexpected_state",
  "status_transition_invalid",
  "resource_already_exists",
]);

/** How an intent stands that an error about it has ended. */
const REFUSED_STATES: ReadonlySet<string> = new Set(["failed", "canceled", "expired"]);

/**
 * The request or its card was refused. An error that shows the intent is judged by the intent, at any call. Without
 * one it proves something at a first call, or where Stripe says that it is the stored reply to our key: what fails
 * validation is **not** stored, so a later 400 may be a refusal of the repeat alone (a token that the first call used
 * up, an account changed in between).
 */
function ofRefusal<S extends Snapshot | RefundSnapshot>(
  reply: ErrorReply,
  reading: Reading<S>,
  call: Call,
): Outcome<S> {
  const error = readError(reply.error);
  const refused: Refused = error.type === "card_error" ? readDecline(reply.error) : readInvalid(reply.error);
  const evidence = evidenceOf(reply);
  if (error.intent === undefined || !reading.intentOfError) {
    if (call.first || (reply.replayed && reply.status !== 404))
      return { kind: "not_happened", ...refused, evidence, reference: null };
    const doubt = doubtOf(reply);
    return unknown(reply.status === 404 ? doubt : { ...doubt, cause: "refused_replay" });
  }
  const shown = reading.intentOfError(error.intent);
  if (shown.kind === "unknown") return shown;
  const { snapshot } = shown;
  if (REFUSED_STATES.has(snapshot.state))
    return { kind: "not_happened", ...refused, evidence, reference: snapshot.reference };
  const detail = `refused, but ${snapshot.reference} is ${snapshot.state}`;
  return unknown({ cause: "conflict", detail }, snapshot);
}

/** Turned away at the door: a definite "no" to this call, and no word about an earlier one. */
function turnedAway(reply: ErrorReply, call: Call): NotHappened | Unknown<never> {
  if (!call.first) return unknown(doubtOf(reply));
  // The status tells a wrong key from a busy provider; Stripe's own words are not for payers.
  const message = `The payment provider turned the request away (status ${reply.status}).`;
  const failure = { ...UNAVAILABLE.failure, message };
  return { kind: "not_happened", ...UNAVAILABLE, failure, evidence: "reply", reference: null };
}

const UNAVAILABLE: Refused = {
  failure: {
    kind: "PROVIDER_UNAVAILABLE",
    code: "provider_unavailable",
    message: "The payment provider could not be asked.",
    retryAdvice: "LATER",
  },
  elsewhere: true,
};

/** Another provider may count the currency otherwise, so it may be asked. */
function notRepresentable(message: string): Refused {
  const failure: Failure = { kind: "INVALID", code: "unsupported", message, retryAdvice: "NEVER" };
  return { failure, elsewhere: true };
}

function neverSent(refused: Refused): NotHappened {
  return { kind: "not_happened", ...refused, evidence: "never_sent", reference: null };
}

/** Nobody knows; what was seen contradicts what was sent. */
export function unknown<S = never>({ cause, detail }: Doubt, seen: S | null = null): Unknown<S> {
  return { kind: "unknown", cause, seen, detail };
}

function evidenceOf({ replayed }: ObjectReply | ErrorReply): Evidence {
  return replayed ? "replayed_reply" : "reply";
}
