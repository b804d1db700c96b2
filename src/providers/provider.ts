import type { Money } from "../shared/money";
import type { AuthorizeMethod, NextAction, Payer, PayerCode, PaymentMethodType } from "./payer-action";
import type { ProviderPaymentState, ProviderRefundState } from "./provider-state";
import type { ReadWebhook } from "./webhook";

/**
 * What a conversation with a provider came to. There is no fourth kind, and a connector never throws for what a
 * provider or a network can do.
 */
export type Outcome<S extends Snapshot | RefundSnapshot = Snapshot> = Happened<S> | NotHappened | Unknown<S>;

/** The reply parses, carries the provider's id, and its amount and currency are ours. */
export interface Happened<S = Snapshot> {
  kind: "happened";
  snapshot: S;
  evidence: Evidence;
}

/** A definite refusal of this intent under its key; or it never left us, and no earlier call of the attempt can have. */
export interface NotHappened {
  kind: "not_happened";
  failure: Failure;
  /** Whether another provider may be asked instead. */
  elsewhere: boolean;
  evidence: Evidence | "never_sent";
  /** The provider's id of the refused object, where it made one. */
  reference: string | null;
}

/** Everything else: timeout, reset, 5xx, a truncated or foreign body, 2xx without an id or with another amount. */
export interface Unknown<S = Snapshot> {
  kind: "unknown";
  cause: UnknownCause;
  /** What the provider said, where it said something that contradicts what we sent. */
  seen: S | null;
  /** A short text for operators, scrubbed of secrets. */
  detail: string;
}

/** Why nobody knows. */
export type UnknownCause =
  | "timeout"
  | "connection_lost"
  | "connection_refused"
  | "server_error"
  | "unreadable_reply"
  | "other_amount"
  | "not_authenticated"
  | "not_found"
  | "conflict"
  | "rate_limited"
  | "refused_replay"
  | "several_found"
  | "aborted";

/** How we know. */
export type Evidence =
  | "reply"
  | "replayed_reply"
  | "retrieved"
  | "found_by_reference"
  | "webhook"
  | "statement"
  | "operator"
  | "absence";

/** What kind of no it was. */
export type FailureKind =
  "DECLINED" | "REJECTED_BY_RISK" | "INVALID" | "PROVIDER_UNAVAILABLE" | "AUTHENTICATION_FAILED";

/** Whether a new attempt, with a new key, makes sense: never, with another method, or later. */
export type RetryAdvice = "NEVER" | "OTHER_METHOD" | "LATER";

/** The closed list of failure codes (semantics section 10). */
export type FailureCode =
  | "insufficient_funds"
  | "do_not_honour"
  | "expired_card"
  | "incorrect_cvc"
  | "lost_card"
  | "stolen_card"
  | "invalid_card"
  | "processing_error"
  | "authentication_failed"
  | "risk_rejected"
  | "limit_exceeded"
  | "unsupported"
  | "provider_unavailable"
  | "other";

/** Why a payment definitely did not happen. */
export interface Failure {
  kind: FailureKind;
  code: FailureCode;
  /** For people; carries nothing secret. */
  message: string;
  retryAdvice: RetryAdvice;
}

/** What the provider says of a payment at one moment. */
export interface Snapshot {
  /** The provider's own id. */
  reference: string;
  /** Our attempt reference as the provider has it. */
  ours: string | null;
  state: ProviderPaymentState;
  /** What was asked for. */
  amount: Money;
  /** Held or taken: what was not captured and is no longer held is not in it. */
  authorized: Money;
  /** Money moved so far; zero before a capture. */
  captured: Money;
  refunded: Money;
  /** Our reference of the latest capture, where the provider has one of ours. */
  capturedBy: string | null;
  card: CardDetails | null;
  /** What the payer pays by, where the provider shows it. */
  code: PayerCode | null;
  nextAction: NextAction | null;
  failure: Failure | null;
  asOf: Date;
}

/** What the provider says of a refund at one moment. */
export interface RefundSnapshot {
  /** The provider's own id of the refund. */
  reference: string;
  /** The provider's id of the payment that it gives money back of. */
  payment: string;
  /** Our attempt reference as the provider has it; null for one that was not made by us. */
  ours: string | null;
  state: ProviderRefundState;
  amount: Money;
  failure: Failure | null;
  asOf: Date;
}

/** A dispute's state in the provider's books. An inquiry moves no money. */
export type ProviderDisputeState = "inquiry" | "open" | "won" | "lost";

/** What the provider says of a dispute at one moment. */
export interface DisputeSnapshot {
  /** The provider's own id of the dispute. */
  reference: string;
  /** The provider's id of the payment that it is about. */
  payment: string;
  state: ProviderDisputeState;
  amount: Money;
  asOf: Date;
}

/** True where the provider tells of a refund, not of a payment. */
export function isRefundSnapshot(snapshot: Snapshot | RefundSnapshot): snapshot is RefundSnapshot {
  return "payment" in snapshot;
}

/** What may be shown of a card. */
export interface CardDetails {
  brand: string | null;
  last4: string | null;
  expiryMonth: number | null;
  expiryYear: number | null;
}

/** A question to a provider: an answer, a consistent "there is none", or no answer. */
export type Lookup<T> =
  { kind: "found"; value: T } | { kind: "absent" } | { kind: "unknown"; cause: UnknownCause; detail: string };

/** The payment as it will be sent. Kept encrypted with the attempt, so that a replay sends the very same. */
export interface AuthorizeRequest {
  /** Sent both as the provider's idempotency key and as our searchable reference. */
  reference: string;
  amount: Money;
  captureMode: "AUTOMATIC" | "MANUAL";
  method: AuthorizeMethod;
  payer: Payer;
  /** Where the payer comes back to from a page of the provider's; null where the method has no such page. */
  returnUrl: string | null;
  description: string | null;
}

/** Money that is held, to be taken. */
export interface CaptureRequest {
  reference: string;
  /** The provider's id of the payment. */
  payment: string;
  amount: Money;
  /** Whether what is left uncaptured is released. */
  final: boolean;
}

/** A payment to be called off: what is held of it is released. */
export interface CancelRequest {
  reference: string;
  payment: string;
  /** True where part of it was captured: then only the rest is released. */
  partlyCaptured: boolean;
  /** True where nobody asked for it but the clock: the provider is told that the payer has left. */
  abandoned?: boolean;
}

/** True where a payment was called off or ran out at the provider. */
export function isOver(state: ProviderPaymentState): boolean {
  return state === "canceled" || state === "expired";
}

/** True where nothing has come of it yet: the provider, or the payer, still has to act. */
export function isUnsettled(state: ProviderPaymentState): boolean {
  return state === "pending" || state === "requires_action";
}

/** True where it holds money, has taken some that was not all given back, or may still. */
export function isAlive({ state, captured, refunded }: Snapshot): boolean {
  const isGivenBack = captured.minor > 0n && refunded.minor >= captured.minor;
  return state !== "failed" && !isOver(state) && !isGivenBack;
}

/** True where a cancel has had its effect: it can no longer be paid, or the rest of what was captured in part is released. */
export function isCalledOff(
  { state }: Snapshot,
  { partlyCaptured }: Pick<CancelRequest, "partlyCaptured">,
): boolean {
  return isOver(state) || (partlyCaptured && state === "captured");
}

/** Money that was taken, to be given back. */
export interface RefundRequest {
  reference: string;
  payment: string;
  amount: Money;
}

/** One call. */
export interface CallOptions {
  /** True only where no earlier call of this attempt can have left us. */
  first: boolean;
  /** Our deadline for the whole call, in milliseconds. */
  timeoutMs: number;
}

/** How a provider takes one method. */
export interface MethodFacts {
  captureModes: readonly ("AUTOMATIC" | "MANUAL")[];
  /** ISO 4217 codes; null where all known ones are taken. */
  currencies: readonly string[] | null;
}

/** Facts of a provider, as data. */
export interface Capabilities {
  /** What it takes, by method; a method that is not here it does not take. */
  methods: Readonly<Partial<Record<PaymentMethodType, MethodFacts>>>;
  /** How long, from the first send, a replay under the same key finds the first one (seconds). */
  keyRetentionSeconds: number;
  /** How long after a send a lookup that finds nothing proves nothing (seconds). */
  absenceProvesNothingSeconds: number;
}

/** One account at one provider: the form that a connector fills in. */
export interface Provider {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Creates and confirms a payment. */
  authorize(request: AuthorizeRequest, call: CallOptions): Promise<Outcome>;
  /** Takes money that is held. */
  capture(request: CaptureRequest, call: CallOptions): Promise<Outcome>;
  /** Calls a payment off, or releases what is left of one that was captured in part. */
  cancel(request: CancelRequest, call: CallOptions): Promise<Outcome>;
  /** Gives money back. */
  refund(request: RefundRequest, call: CallOptions): Promise<Outcome<RefundSnapshot>>;
  /** Reads one payment by the provider's id. */
  retrieve(reference: string, timeoutMs: number): Promise<Lookup<Snapshot>>;
  /** Finds payments that carry our reference by a consistent read. More than one is the duplicate alarm. */
  findByReference(ours: string, sentAfter: Date, timeoutMs: number): Promise<Lookup<Snapshot[]>>;
  /** All refunds of one payment, by a consistent read, whoever made them. */
  findRefunds(payment: string, timeoutMs: number): Promise<Lookup<RefundSnapshot[]>>;
  /** Reads one dispute by the provider's id. */
  retrieveDispute(reference: string, timeoutMs: number): Promise<Lookup<DisputeSnapshot>>;
  /** Whether real money moves: what is told of the other kind is not for this account. */
  readonly livemode: boolean;
  readonly readWebhook: ReadWebhook;
}
