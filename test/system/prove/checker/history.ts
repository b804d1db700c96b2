import type { Ledger } from "../../../support/client";

/**
 * All that is known of a run once everything has settled: what its clients saw, what was done at the provider, what the
 * provider's books hold, and what the gateway shows. Times are milliseconds of one monotonic clock.
 */
export interface History {
  /** Every call of every client, those without an answer too. */
  calls: Call[];
  /** What others than the gateway did at the provider. */
  deeds: Deed[];
  ledger: Ledger;
  /** Every payment that the gateway has, read when nothing ran any more. */
  payments: PaymentRead[];
}

/** What a client asked for. */
export type Intent =
  | { kind: "create"; minor: number; captureMode: "AUTOMATIC" | "MANUAL" }
  /** Null is the rest. */
  | { kind: "capture"; paymentId: string; minor: number | null; final: boolean }
  | { kind: "cancel"; paymentId: string }
  | { kind: "refund"; paymentId: string; minor: number | null };

/** One call of a mutation; calls of one kind, key and intent are repeats. */
export interface Call {
  key: string;
  intent: Intent;
  begun: number;
  ended: number;
  /** Null where the answer was lost, or said that nobody knows (UNAVAILABLE, INTERNAL_SERVER_ERROR). */
  answer: Answer | null;
}

/** What a call was answered. */
export type Answer =
  /** A top-level error: this call started nothing. */
  | { kind: "refused"; code: string; reason: string | null }
  | {
      kind: "operation";
      operationId: string;
      state: string;
      replayed: boolean;
      /** Frozen as the operation ended; null while it runs. */
      result: Result | null;
      payment: Standing;
    };

/** How an operation ended. Minor units. */
export interface Result {
  paymentStatus: string;
  captured: number;
  refunded: number;
  refundStatus: string | null;
  failure: string | null;
}

/** Where a payment stood at one version. Minor units. */
export interface Standing {
  id: string;
  version: number;
  status: string;
  captured: number;
  capturable: number;
  refunded: number;
  refundable: number;
}

/** What somebody did at the provider: its payer, its dashboard, its bank. Only what the provider took. */
export interface Deed {
  /** The provider's id of the payment. */
  paymentIntent: string;
  kind: "pay" | "pay_late" | "fail" | "expire" | "revoke" | "refund" | "capture" | "cancel";
  /** Minor units that were taken, given back or taken back; 0 where the kind has none. */
  minor: number;
  begun: number;
  ended: number;
}

/** A payment as the gateway shows it, with all that belongs to it. */
export interface PaymentRead extends Standing {
  minor: number;
  captureMode: "AUTOMATIC" | "MANUAL";
  availableActions: string[];
  providerReference: string | null;
  operations: OperationRead[];
  refunds: {
    id: string;
    status: string;
    minor: number;
    key: string | null;
    providerReference: string | null;
  }[];
  events: EventRead[];
}

/** An operation as the gateway shows it. */
export interface OperationRead {
  id: string;
  /** What decides about a conflict is no call that is recorded. */
  kind: Intent["kind"] | "resolve";
  key: string;
  state: string;
  /** Null for a cancel. */
  minor: number | null;
  result: Result | null;
  lastError: string | null;
  attempts: { reference: string; providerReference: string | null; outcome: string | null }[];
}

/** One entry of a payment's history. */
export interface EventRead {
  type: string;
  sequence: number;
  /** The payment's status after it. */
  status: string;
  minor: number;
  operationId: string | null;
  refundId: string | null;
}

/** A promise that did not hold. */
export interface Violation {
  invariant: Invariant;
  detail: string;
}

/** What is promised (docs/proof.md). */
export type Invariant =
  | "one charge for each key"
  | "a definite no is definite"
  | "what was acknowledged is there"
  | "both ledgers agree"
  | "replays equal the first result"
  | "refunds are bounded at every prefix"
  | "every operation ends or is parked with a reason"
  | "no event without a change, no change without its event"
  | "each payment is linearizable";
