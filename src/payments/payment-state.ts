import type { ProviderPaymentState } from "../providers/provider-state";
import { unreachable } from "../shared/assert";

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
  | "payment.capture_failed"
  | "payment.failed"
  | "payment.canceled"
  | "payment.expired"
  | "payment.in_doubt"
  | "payment.conflicted"
  | "payment.conflict_resolved"
  | "payment.authorized_late"
  | "payment.captured_late"
  | "refund.created"
  | "refund.succeeded"
  | "refund.failed"
  | "refund.reversed"
  | "refund.in_doubt"
  | "dispute.opened"
  | "dispute.won"
  | "dispute.lost"
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
  // Once money was captured the status follows the amounts. A part more, and the same status again, is told too.
  PARTIALLY_CAPTURED: {
    PARTIALLY_CAPTURED: "payment.partially_captured",
    CAPTURED: "payment.captured",
    PARTIALLY_REFUNDED: "payment.captured",
    REFUNDED: "payment.captured",
    CONFLICTED: "payment.conflicted",
  },
  CAPTURED: {
    PARTIALLY_REFUNDED: "refund.succeeded",
    REFUNDED: "refund.succeeded",
    CONFLICTED: "payment.conflicted",
  },
  PARTIALLY_REFUNDED: {
    PARTIALLY_REFUNDED: "refund.succeeded",
    REFUNDED: "refund.succeeded",
    // A refund that failed after it had succeeded: the only way backwards.
    CAPTURED: "refund.reversed",
    CONFLICTED: "payment.conflicted",
  },
  REFUNDED: {
    PARTIALLY_REFUNDED: "refund.reversed",
    CAPTURED: "refund.reversed",
    CONFLICTED: "payment.conflicted",
  },
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

/** Where an operator's decision may lead from CONFLICTED (`resolveConflict`): nothing else leads out of it. */
export const RESOLVED_STATES: readonly PaymentStatus[] = [
  "AUTHORIZED",
  "PARTIALLY_CAPTURED",
  "CAPTURED",
  "PARTIALLY_REFUNDED",
  "REFUNDED",
  "FAILED",
  "CANCELED",
  "EXPIRED",
];

/** The event of a step from one state to another; undefined where there is no such step. */
export function eventOf(from: PaymentStatus, to: PaymentStatus): PaymentEventType | undefined {
  return TRANSITIONS[from][to];
}

/** What can no longer turn into money by itself. */
export const DEAD_STATES: readonly PaymentStatus[] = ["FAILED", "CANCELED", "EXPIRED", "REFUNDED"];

/** True where the payment may still take money, or has taken some that was not given back. */
export function isLive(status: PaymentStatus): boolean {
  return !DEAD_STATES.includes(status);
}

/** What of a payment's money has moved, in minor units. */
export interface Amounts {
  /** Held or taken. */
  authorized: bigint;
  captured: bigint;
  refunded: bigint;
}

/** Where a payment stands once its money was held: the status follows the amounts. */
export function statusOfAmounts({ authorized, captured, refunded }: Amounts): PaymentStatus {
  if (captured === 0n) return "AUTHORIZED";
  if (authorized > captured) return "PARTIALLY_CAPTURED";
  if (refunded === 0n) return "CAPTURED";
  return refunded >= captured ? "REFUNDED" : "PARTIALLY_REFUNDED";
}

/** The states of a payment that came to nothing. Money can still come late. */
export const ENDED_UNPAID: readonly PaymentStatus[] = ["FAILED", "CANCELED", "EXPIRED"];

/** The states in which money was taken. */
export const CAPTURED_STATES: readonly PaymentStatus[] = [
  "PARTIALLY_CAPTURED",
  "CAPTURED",
  "PARTIALLY_REFUNDED",
  "REFUNDED",
];

/**
 * Where the provider shows that a payment stands.
 * @param amounts as the provider shows them, and as we know them of refunds
 * @returns undefined where the payment is still being worked on
 */
export function statusShown(state: ProviderPaymentState, amounts: Amounts): PaymentStatus | undefined {
  switch (state) {
    case "pending":
      return undefined;
    case "requires_action":
      return "REQUIRES_ACTION";
    case "failed":
      return "FAILED";
    case "canceled":
      return amounts.captured > 0n ? statusOfAmounts(amounts) : "CANCELED";
    case "expired":
      return amounts.captured > 0n ? statusOfAmounts(amounts) : "EXPIRED";
    case "authorized":
    case "captured":
      return statusOfAmounts(amounts);
    default:
      return unreachable(state);
  }
}

/** What the merchant may do next with a payment (semantics sections 3 and 5). */
export type PaymentAction = "CAPTURE" | "CANCEL" | "REFUND";

/** The parts of a payment that say what may be done with it. */
export interface Changeable extends Amounts {
  status: PaymentStatus;
  capturing: bigint;
  refunding: bigint;
  disputed: bigint;
  changing: string | null;
}

/** Minor units that a capture may take now. */
export function capturable({ status, authorized, captured, capturing }: Changeable): bigint {
  return status === "AUTHORIZED" || status === "PARTIALLY_CAPTURED" ? authorized - captured - capturing : 0n;
}

/** Minor units that a refund may give back now: captured, and neither refunded, being refunded nor disputed. */
export function refundable({ status, captured, refunded, refunding, disputed }: Changeable): bigint {
  const left = captured - refunded - refunding - disputed;
  return CAPTURED_STATES.includes(status) && left > 0n ? left : 0n;
}

/** True where what was given back, is on its way back or is disputed was taken before. */
export function holdsBounds({
  captured,
  refunded,
  refunding,
  disputed,
}: Omit<Changeable, "status">): boolean {
  return refunded + refunding + disputed <= captured;
}

/** What may be done with a payment now. At most one capture or cancel of it runs at a time; refunds run side by side. */
export function availableActions(payment: Changeable): PaymentAction[] {
  const isFree = payment.changing === null;
  const may: Record<PaymentAction, boolean> = {
    CAPTURE: isFree && capturable(payment) > 0n,
    CANCEL: isFree && (capturable(payment) > 0n || payment.status === "REQUIRES_ACTION"),
    REFUND: refundable(payment) > 0n,
  };
  return (Object.keys(may) as PaymentAction[]).filter((action) => may[action]);
}
