import { testAll, type Parts } from "./bad";
import type { Invariant } from "./history";
import {
  canceled,
  captured,
  captureFailed,
  charged,
  conflicted,
  declined,
  paid,
  parked,
  undecided,
} from "./stories";

const TOLD = "no event without a change, no change without its event";
const ORDER = "each payment is linearizable";
const AGREE = "both ledgers agree";

describe("changes and events", () =>
  testAll([
    {
      name: "an event has a number too high",
      of: captured,
      change: (parts) => (parts.event("payment.captured").sequence += 1),
      breaks: [TOLD],
      detail: /^pay_captured: event 4 has the number 5$/,
    },
    {
      name: "a step that there is not",
      of: canceled,
      change: (parts) => parts.repeat("payment.authorized", { status: "FAILED", type: "payment.failed" }),
      breaks: [TOLD],
      detail: /^pay_canceled: payment.failed made FAILED of AUTHORIZED$/,
    },
    {
      name: "the creation is not told",
      of: declined,
      change: (parts) => parts.drop("payment.created"),
      breaks: [TOLD],
      detail: /^pay_declined: payment.failed made FAILED of NONE$/,
    },
    {
      name: "nothing is told",
      of: parked,
      change: ({ payment }) => (payment.events = []),
      breaks: [TOLD],
      detail: /^pay_parked: it is IN_DOUBT, captured 0, refunded 0, its events add up to nothing$/,
    },
    {
      name: "a capture is not told",
      of: captured,
      change: (parts) => parts.drop("payment.partially_captured"),
      breaks: [TOLD],
      detail:
        /^pay_captured: it is PARTIALLY_REFUNDED, captured 9000.*, its events add up to .*, captured 5000, refunded 3000$/,
    },
    {
      name: "a capture is told twice",
      of: captured,
      change: (parts) => parts.repeat("payment.partially_captured"),
      breaks: [TOLD],
      detail: /^rest showed pay_captured as CAPTURED, captured 9000, refunded 0, which no event told of$/,
    },
    {
      name: "an answer shows what no event told of",
      of: captured,
      change: (parts) => (parts.told("part").answer.payment.captured = 4_001),
      breaks: [TOLD, ORDER],
      detail:
        /^part showed pay_captured as PARTIALLY_CAPTURED, captured 4001, refunded 0, which no event told of$/,
    },
  ]));

describe("told of what there is not, or twice", () =>
  testAll([
    ...(
      [
        [canceled, "payment.created", "PROCESSING of PROCESSING"],
        [canceled, "payment.authorized", "AUTHORIZED of AUTHORIZED"],
        [canceled, "payment.canceled", "CANCELED of CANCELED"],
        [declined, "payment.failed", "FAILED of FAILED"],
        [charged, "payment.captured", "CAPTURED of CAPTURED"],
        [parked, "payment.in_doubt", "IN_DOUBT of IN_DOUBT"],
        [paid, "payment.requires_action", "REQUIRES_ACTION of REQUIRES_ACTION"],
        [conflicted, "payment.conflicted", "CONFLICTED of CONFLICTED"],
      ] as const
    ).map(([of, type, made]) => ({
      name: `${type} twice`,
      of,
      change: (parts: Parts) => parts.repeat(type),
      breaks: [TOLD] as [Invariant],
      detail: new RegExp(`: ${type} made ${made}$`),
    })),
    {
      name: "an event's type does not fit its status",
      of: declined,
      change: (parts) => (parts.event("payment.failed").type = "payment.canceled"),
      breaks: [TOLD],
      detail: /^pay_declined: payment.canceled made FAILED of PROCESSING$/,
    },
    {
      name: "a status that no refund leads to",
      of: paid,
      change: (parts) => (parts.event("refund.succeeded").status = "CAPTURED"),
      breaks: [TOLD],
      detail: /^pay_paid: refund.succeeded made CAPTURED of CAPTURED$/,
    },
    {
      name: "what moves nothing moves the payment",
      of: paid,
      change: (parts) => (parts.event("refund.created").status = "PARTIALLY_REFUNDED"),
      breaks: [TOLD],
      detail: /^pay_paid: refund.created made PARTIALLY_REFUNDED of CAPTURED$/,
    },
    {
      name: "a capture that failed moves the payment",
      of: captureFailed,
      change: (parts) => (parts.event("payment.capture_failed").status = "CANCELED"),
      breaks: [TOLD],
      detail: /^pay_failed: payment.capture_failed made CANCELED of AUTHORIZED$/,
    },
    {
      name: "the bank takes back what opens the payment again",
      of: paid,
      change: (parts) => (parts.event("payment.capture_failed").status = "REQUIRES_ACTION"),
      breaks: [TOLD],
      detail: /^pay_paid: payment.capture_failed made REQUIRES_ACTION of PARTIALLY_REFUNDED$/,
    },
    {
      name: "a conflict that ends by itself",
      of: undecided,
      change: (parts) => (parts.event("refund.succeeded").status = "PARTIALLY_REFUNDED"),
      breaks: [TOLD],
      detail: /^pay_undecided: refund.succeeded made PARTIALLY_REFUNDED of CONFLICTED$/,
    },
    {
      name: "an event that is not on the list",
      of: charged,
      change: (parts) => parts.repeat("payment.captured", { type: "payment.settled" }),
      breaks: [TOLD],
      detail: /^pay_charged: payment.settled made CAPTURED of CAPTURED$/,
    },
    {
      name: "an event of an operation that there is not",
      of: charged,
      change: (parts) => (parts.event("payment.captured").operationId = "op_other"),
      breaks: [TOLD],
      detail: /^pay_charged: payment.captured is of op_other, which there is not$/,
    },
    {
      name: "that nobody knows is not told",
      of: parked,
      change: (parts) => parts.drop("operation.parked"),
      breaks: [TOLD],
      detail: /^create make is PARKED, and nothing tells of it$/,
    },
    {
      name: "that nobody knows is told of another operation",
      of: parked,
      change: (parts) => (parts.event("operation.parked").operationId = null),
      breaks: [TOLD],
      detail: /^create make is PARKED, and nothing tells of it$/,
    },
    {
      name: "that nobody knows is told twice",
      of: parked,
      change: (parts) => parts.repeat("operation.parked"),
      breaks: [TOLD],
      detail: /^that create make is parked is told 2 times$/,
    },
    {
      name: "that a capture failed is not told",
      of: captureFailed,
      change: (parts) => parts.drop("payment.capture_failed"),
      breaks: [TOLD],
      detail: /^that capture first, FAILED, failed is told 0 times$/,
    },
    {
      name: "that a capture failed is told twice",
      of: captureFailed,
      change: (parts) => parts.repeat("payment.capture_failed"),
      breaks: [TOLD],
      detail: /^that capture first, FAILED, failed is told 2 times$/,
    },
    {
      name: "that a capture failed is told of one that did not",
      of: captured,
      change: (parts) => parts.repeat("payment.partially_captured", { type: "payment.capture_failed" }),
      breaks: [TOLD],
      detail: /^that capture part, SUCCEEDED, failed is told 1 times$/,
    },
  ]));

describe("sums", () =>
  testAll([
    {
      name: "it stands elsewhere in the end",
      of: captured,
      change: ({ payment }) => Object.assign(payment, { version: 99, status: "REFUNDED" }),
      breaks: [TOLD, ORDER],
      detail: /^pay_captured: it is REFUNDED, .* its events add up to PARTIALLY_REFUNDED, /,
    },
    {
      name: "it has given back something else in the end",
      of: captured,
      change: ({ payment }) => Object.assign(payment, { version: 99, refunded: 3_001 }),
      breaks: [TOLD, AGREE, ORDER],
      detail: /refunded 3001, its events add up to .*, refunded 3000$/,
    },
    {
      name: "an answer shows another status",
      of: captured,
      change: (parts) => (parts.told("rest").answer.payment.status = "REFUNDED"),
      breaks: [TOLD, ORDER],
      detail: /^rest showed pay_captured as REFUNDED, .* which no event told of$/,
    },
    {
      name: "an answer shows that something else was given back",
      of: captured,
      change: (parts) => (parts.told("rest").answer.payment.refunded = 1),
      breaks: [TOLD, ORDER],
      detail: /^rest showed pay_captured as CAPTURED, captured 9000, refunded 1, which no event told of$/,
    },
  ]));
