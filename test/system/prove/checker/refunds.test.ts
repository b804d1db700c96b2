import { testAll } from "./bad";
import { cameBack, captured, refundParked } from "./stories";

const TOLD = "no event without a change, no change without its event";
const AGREE = "both ledgers agree";
const ORDER = "each payment is linearizable";
const BOUNDED = "refunds are bounded at every prefix";

describe("refunds and their events", () =>
  testAll([
    {
      name: "the beginning of a refund is not told",
      of: captured,
      change: (parts) => parts.drop("refund.created"),
      breaks: [TOLD],
      detail: /^re_captured_1: refund.succeeded came after nothing$/,
    },
    {
      name: "nothing is told of a refund that failed",
      of: captured,
      change: (parts) => {
        const { payment } = parts;
        payment.events = payment.events.filter(({ refundId }) => refundId !== "re_captured_2");
        parts.renumber();
      },
      breaks: [TOLD],
      detail: /^re_captured_2 is FAILED, and the last that was told of it is nothing$/,
    },
    {
      name: "the end of a refund that failed is not told",
      of: captured,
      change: (parts) => parts.drop("refund.failed"),
      breaks: [TOLD],
      detail: /^re_captured_2 is FAILED, and the last that was told of it is refund.created$/,
    },
    {
      name: "a refund begins twice",
      of: captured,
      change: (parts) => parts.repeat("refund.created"),
      breaks: [TOLD],
      detail: /^re_captured_1: refund.created came after refund.created$/,
    },
    {
      name: "a refund goes out twice",
      of: captured,
      change: (parts) => parts.repeat("refund.succeeded"),
      breaks: [TOLD],
      detail: /^re_captured_1: refund.succeeded came after refund.succeeded$/,
    },
    {
      name: "a refund fails twice",
      of: captured,
      change: (parts) => parts.repeat("refund.failed"),
      breaks: [BOUNDED, TOLD],
      detail: /refunded 3000 and -1000 to come$/,
    },
    {
      name: "a refund comes back that never went out",
      of: captured,
      change: (parts) => (parts.event("refund.failed").type = "refund.reversed"),
      breaks: [TOLD, ORDER],
      detail: /^re_captured_2: refund.reversed came after refund.created$/,
    },
    {
      name: "a doubt about a refund that has ended",
      of: captured,
      change: (parts) => parts.repeat("refund.succeeded", { type: "refund.in_doubt" }),
      breaks: [TOLD],
      detail: /^re_captured_1: refund.in_doubt came after refund.succeeded$/,
    },
    {
      name: "a refund of another amount is told of",
      of: captured,
      change: (parts) => {
        parts.event("refund.created", 1).minor = 999;
        parts.event("refund.failed").minor = 999;
      },
      breaks: [TOLD],
      detail: /^re_captured_2 of 1000: refund.failed tells of 999$/,
    },
    {
      name: "a refund that there is not",
      of: captured,
      change: ({ payment }) => payment.refunds.pop(),
      breaks: [TOLD],
      detail: /^pay_captured: its events tell of the refund re_captured_2, which there is not$/,
    },
    {
      name: "a refund that came back stands as if it had not",
      of: cameBack,
      change: (parts) => (parts.known("first").status = "SUCCEEDED"),
      breaks: [TOLD, AGREE, ORDER],
      detail: /^re_back_1 is SUCCEEDED, and the last that was told of it is refund.reversed$/,
    },
    {
      name: "a refund that runs, as was told, stands as if it had ended",
      of: refundParked,
      change: (parts) => (parts.known("doubted").status = "SUCCEEDED"),
      breaks: [TOLD],
      detail: /^re_unknown_doubted is SUCCEEDED, and the last that was told of it is refund.in_doubt$/,
    },
    {
      name: "a refund stands elsewhere than was told",
      of: captured,
      change: (parts) => (parts.known("refused").status = "SUCCEEDED"),
      breaks: [TOLD, AGREE],
      detail: /^re_captured_2 is SUCCEEDED, and the last that was told of it is refund.failed$/,
    },
  ]));
