import type { EventRead, PaymentRead } from "./history";

/** What the events of a payment add up to. Minor units. */
export interface Sum {
  status: string;
  authorized: number;
  captured: number;
  refunded: number;
  /** What refunds reserve. */
  refunding: number;
}

/** Which status may follow which (semantics section 5); each may follow itself. CONFLICTED may follow any. */
const FOLLOWS: Record<string, string[]> = {
  PROCESSING: [
    "IN_DOUBT",
    "REQUIRES_ACTION",
    "AUTHORIZED",
    "PARTIALLY_CAPTURED",
    "CAPTURED",
    "FAILED",
    "CANCELED",
    "EXPIRED",
  ],
  IN_DOUBT: [
    "REQUIRES_ACTION",
    "AUTHORIZED",
    "PARTIALLY_CAPTURED",
    "CAPTURED",
    "FAILED",
    "CANCELED",
    "EXPIRED",
  ],
  REQUIRES_ACTION: ["AUTHORIZED", "CAPTURED", "FAILED", "CANCELED", "EXPIRED"],
  AUTHORIZED: ["PARTIALLY_CAPTURED", "CAPTURED", "CANCELED", "EXPIRED"],
  PARTIALLY_CAPTURED: ["CAPTURED", "PARTIALLY_REFUNDED", "REFUNDED"],
  CAPTURED: ["PARTIALLY_REFUNDED", "REFUNDED"],
  PARTIALLY_REFUNDED: ["REFUNDED", "CAPTURED"],
  REFUNDED: ["PARTIALLY_REFUNDED", "CAPTURED"],
  FAILED: ["AUTHORIZED", "CAPTURED"],
  CANCELED: ["AUTHORIZED", "CAPTURED"],
  EXPIRED: ["AUTHORIZED", "CAPTURED"],
};

/** What each event leads to from its own part of the table, where the status changes. */
export function mayFollow(before: string, { type, status }: EventRead): boolean {
  if (status === before || status === "CONFLICTED" || type === "payment.conflict_resolved") return true;
  // A capture that the provider revokes is the other way backwards.
  if (type === "payment.capture_failed") return true;
  return FOLLOWS[before]?.includes(status) ?? false;
}

/** What each prefix of a payment's events adds up to: the sum after each of them. */
export function prefixSums(payment: PaymentRead): Sum[] {
  let sum: Sum = { status: "PROCESSING", authorized: 0, captured: 0, refunded: 0, refunding: 0 };
  const refunds = new Map<string, string>();
  return payment.events.map((event) => {
    sum = { ...added(sum, event, payment, refunds), status: event.status };
    return sum;
  });
}

function added(sum: Sum, event: EventRead, payment: PaymentRead, refunds: Map<string, string>): Sum {
  const { type, minor, refundId } = event;
  const refund = refundId ?? "";
  const isReserved = refunds.get(refund) === "created";
  if (type.startsWith("refund.") && type !== "refund.in_doubt")
    refunds.set(refund, type.slice("refund.".length));
  switch (type) {
    case "payment.authorized":
    case "payment.authorized_late":
      return { ...sum, authorized: payment.minor };
    case "payment.partially_captured":
      return { ...sum, authorized: sum.authorized || payment.minor, captured: sum.captured + minor };
    case "payment.captured":
    case "payment.captured_late": {
      // A release moves nothing: its event tells of the payment as a whole.
      const isRelease = sum.captured > 0 && sum.captured + minor > sum.authorized;
      const captured = isRelease ? sum.captured : sum.captured + minor;
      return { ...sum, authorized: captured, captured };
    }
    case "payment.canceled":
    case "payment.expired":
      return { ...sum, authorized: 0 };
    case "payment.capture_failed":
      return isRevocation(event, payment)
        ? { ...sum, authorized: sum.authorized - minor, captured: sum.captured - minor }
        : sum;
    case "refund.created":
      return { ...sum, refunding: sum.refunding + minor };
    case "refund.failed":
      return { ...sum, refunding: sum.refunding - minor };
    case "refund.succeeded":
      return { ...sum, refunding: sum.refunding - (isReserved ? minor : 0), refunded: sum.refunded + minor };
    case "refund.reversed":
      return { ...sum, refunded: sum.refunded - minor };
    default:
      return sum;
  }
}

/** A capture that failed is its own operation's; one that was revoked is told of the payment's create. */
function isRevocation({ operationId }: EventRead, { operations }: PaymentRead): boolean {
  return operations.find(({ id }) => id === operationId)?.kind !== "capture";
}
