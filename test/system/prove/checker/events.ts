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

const OPEN = ["PROCESSING", "IN_DOUBT", "REQUIRES_ACTION"];
const TAKEN = ["PARTIALLY_CAPTURED", "CAPTURED", "PARTIALLY_REFUNDED", "REFUNDED"];
const UNPAID = ["FAILED", "CANCELED", "EXPIRED"];

/** From which status to which an event leads. */
interface Step {
  from: string[];
  to: string[];
}

const step = (from: string[], ...to: string[]): Step => ({ from, to });

/**
 * Where each event that moves the payment leads (semantics section 5): no other does, and none of these is told of a
 * payment that stands there already, except where amounts move and the status follows them.
 */
const STEPS: Record<string, Step[]> = {
  "payment.created": [step(["NONE"], "PROCESSING")],
  "payment.in_doubt": [step(["PROCESSING"], "IN_DOUBT")],
  "payment.requires_action": [step(["PROCESSING", "IN_DOUBT"], "REQUIRES_ACTION")],
  "payment.authorized": [step(OPEN, "AUTHORIZED")],
  "payment.partially_captured": [
    step(["PROCESSING", "IN_DOUBT", "AUTHORIZED", "PARTIALLY_CAPTURED"], "PARTIALLY_CAPTURED"),
  ],
  "payment.captured": [
    step([...OPEN, "AUTHORIZED", "PARTIALLY_CAPTURED"], "CAPTURED"),
    // What was given back before the rest was taken or released shows only then.
    step(["PARTIALLY_CAPTURED"], "PARTIALLY_REFUNDED", "REFUNDED"),
  ],
  "payment.failed": [step(OPEN, "FAILED")],
  "payment.canceled": [step([...OPEN, "AUTHORIZED"], "CANCELED")],
  "payment.expired": [step([...OPEN, "AUTHORIZED"], "EXPIRED")],
  "payment.authorized_late": [step(UNPAID, "AUTHORIZED")],
  "payment.captured_late": [step(UNPAID, "CAPTURED")],
  "payment.conflicted": [step([...OPEN, "AUTHORIZED", ...TAKEN, ...UNPAID], "CONFLICTED")],
  "payment.conflict_resolved": [step(["CONFLICTED"], "AUTHORIZED", ...TAKEN, ...UNPAID)],
  "refund.succeeded": [
    step(["PARTIALLY_CAPTURED"], "PARTIALLY_CAPTURED"),
    step(["CAPTURED", "PARTIALLY_REFUNDED"], "PARTIALLY_REFUNDED", "REFUNDED"),
  ],
  "refund.reversed": [
    step(["PARTIALLY_CAPTURED"], "PARTIALLY_CAPTURED"),
    step(["PARTIALLY_REFUNDED", "REFUNDED"], "PARTIALLY_REFUNDED", "CAPTURED"),
    // Of a charge too many: what was given back is no longer among what was taken either.
    step(["REFUNDED"], "REFUNDED"),
  ],
};

/** A capture that the provider takes back: the only way backwards but for a refund that comes back. */
const REVOCATION = [step(TAKEN, "AUTHORIZED", ...TAKEN, ...UNPAID)];

/** The events that leave the payment's status as it is. */
const ASIDE = [
  "payment.capture_failed",
  ...["refund.created", "refund.failed", "refund.in_doubt"],
  ...["dispute.opened", "dispute.won", "dispute.lost"],
  ...["operation.parked", "operation.reprocessed", "operation.resolved"],
];
/** While evidence contradicts itself money may move, and the status waits for a decision. */
const IN_CONFLICT = ["refund.succeeded", "refund.reversed"];

/** True where the event may be told of a payment that stood at `before`, and leaves it where it says. */
export function mayFollow(before: string, event: EventRead, payment: PaymentRead): boolean {
  const { type, status } = event;
  const isIn = (steps: Step[]) => steps.some(({ from, to }) => from.includes(before) && to.includes(status));
  if (type === "payment.capture_failed" && isRevocation(event, payment)) return isIn(REVOCATION);
  const isAside = ASIDE.includes(type) || (before === "CONFLICTED" && IN_CONFLICT.includes(type));
  return isAside ? status === before && before !== "NONE" : isIn(STEPS[type] ?? []);
}

/** What each prefix of a payment's events adds up to: the sum after each of them. */
export function prefixSums(payment: PaymentRead): Sum[] {
  let sum: Sum = { status: "NONE", authorized: 0, captured: 0, refunded: 0, refunding: 0 };
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
