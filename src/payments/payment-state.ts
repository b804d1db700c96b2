import type { ProviderPaymentState } from "../providers/provider";

/** Where a payment stands (semantics section 5). */
export type PaymentStatus =
  | "PROCESSING"
  | "REQUIRES_ACTION"
  | "AUTHORIZED"
  | "PARTIALLY_CAPTURED"
  | "CAPTURED"
  | "PARTIALLY_REFUNDED"
  | "REFUNDED"
  | "FAILED"
  | "CANCELED"
  | "EXPIRED"
  | "IN_DOUBT"
  | "CONFLICTED";

/** What the history tells of a payment. */
export type PaymentEventType =
  | "payment.created"
  | "payment.requires_action"
  | "payment.authorized"
  | "payment.partially_captured"
  | "payment.captured"
  | "payment.failed"
  | "payment.canceled"
  | "payment.expired"
  | "payment.in_doubt"
  | "payment.conflicted"
  | "payment.authorized_late"
  | "payment.captured_late"
  | "operation.parked";

/**
 * Which state may follow which, and the event that tells of it. What is not here does not happen: the same state
 * again is a no-op, anything else an older snapshot, which is ignored and noted.
 */
export const TRANSITIONS: Record<PaymentStatus, Partial<Record<PaymentStatus, PaymentEventType>>> = {
  PROCESSING: {
    REQUIRES_ACTION: "payment.requires_action",
    AUTHORIZED: "payment.authorized",
    PARTIALLY_CAPTURED: "payment.partially_captured",
    CAPTURED: "payment.captured",
    FAILED: "payment.failed",
    CANCELED: "payment.canceled",
    EXPIRED: "payment.expired",
    IN_DOUBT: "payment.in_doubt",
    CONFLICTED: "payment.conflicted",
  },
  IN_DOUBT: {
    REQUIRES_ACTION: "payment.requires_action",
    AUTHORIZED: "payment.authorized",
    PARTIALLY_CAPTURED: "payment.partially_captured",
    CAPTURED: "payment.captured",
    FAILED: "payment.failed",
    CANCELED: "payment.canceled",
    EXPIRED: "payment.expired",
    CONFLICTED: "payment.conflicted",
  },
  REQUIRES_ACTION: {
    AUTHORIZED: "payment.authorized",
    CAPTURED: "payment.captured",
    FAILED: "payment.failed",
    CANCELED: "payment.canceled",
    EXPIRED: "payment.expired",
    CONFLICTED: "payment.conflicted",
  },
  AUTHORIZED: {
    PARTIALLY_CAPTURED: "payment.partially_captured",
    CAPTURED: "payment.captured",
    CANCELED: "payment.canceled",
    EXPIRED: "payment.expired",
    CONFLICTED: "payment.conflicted",
  },
  PARTIALLY_CAPTURED: { CAPTURED: "payment.captured", CONFLICTED: "payment.conflicted" },
  CAPTURED: { CONFLICTED: "payment.conflicted" },
  PARTIALLY_REFUNDED: { CONFLICTED: "payment.conflicted" },
  REFUNDED: { CONFLICTED: "payment.conflicted" },
  // Only on the provider's proof: late money is recorded as money.
  FAILED: {
    AUTHORIZED: "payment.authorized_late",
    CAPTURED: "payment.captured_late",
    CONFLICTED: "payment.conflicted",
  },
  CANCELED: {
    AUTHORIZED: "payment.authorized_late",
    CAPTURED: "payment.captured_late",
    CONFLICTED: "payment.conflicted",
  },
  EXPIRED: {
    AUTHORIZED: "payment.authorized_late",
    CAPTURED: "payment.captured_late",
    CONFLICTED: "payment.conflicted",
  },
  CONFLICTED: {},
};

/** The event of a step from one state to another; undefined where there is no such step. */
export function eventOf(from: PaymentStatus, to: PaymentStatus): PaymentEventType | undefined {
  return TRANSITIONS[from][to];
}

/** A provider's word for a payment's state in ours; undefined where the payment is still being worked on. */
export const STATUS_OF: Record<ProviderPaymentState, PaymentStatus | undefined> = {
  pending: undefined,
  requires_action: "REQUIRES_ACTION",
  authorized: "AUTHORIZED",
  captured: "CAPTURED",
  canceled: "CANCELED",
  failed: "FAILED",
};
