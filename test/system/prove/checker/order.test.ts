import { testAll, type Parts } from "./bad";
import type { Invariant } from "./history";
import { captured, charged, declined, paid, parked, refundParked } from "./stories";

const SAME = "replays equal the first result";
const ENDS = "every operation ends or is parked with a reason";
const ORDER = "each payment is linearizable";

describe("replays that differ", () =>
  testAll([
    {
      name: "a repeat is answered with another operation",
      of: captured,
      change: (parts) => (parts.told("part", 1).answer.operationId = parts.operation("rest").id),
      breaks: [SAME, "what was acknowledged is there"],
      detail: /^capture part was answered with 2 operations$/,
    },
    {
      name: "a repeat is new",
      of: captured,
      change: (parts) => (parts.told("part", 1).answer.replayed = false),
      breaks: [SAME],
      detail: /^capture part was new 2 times$/,
    },
    {
      name: "a repeat shows another result",
      of: captured,
      change: (parts) => {
        const { answer } = parts.told("part", 1);
        answer.result = answer.result && { ...answer.result, captured: 9_000 };
      },
      breaks: [SAME],
      detail: /^capture part ended in 2 ways: .*"captured":4000.* and .*"captured":9000/,
    },
    {
      name: "a repeat shows another end",
      of: captured,
      change: (parts) => (parts.told("part", 1).answer.state = "FAILED"),
      breaks: [SAME, "what was acknowledged is there"],
      detail: /^capture part ended in 2 ways: \["SUCCEEDED".* and \["FAILED"/,
    },
    {
      name: "the result that is kept is not what was answered",
      of: declined,
      change: (parts) => {
        const operation = parts.operation("make");
        operation.result = operation.result && { ...operation.result, failure: "expired_card" };
      },
      breaks: [SAME],
      detail: /^create make ended in 2 ways: .*"other".* and .*"expired_card"/,
    },
    {
      name: "a key is taken with another content",
      of: captured,
      change: (parts) => (parts.told("make").intent = { kind: "create", minor: 1, captureMode: "MANUAL" }),
      breaks: [SAME],
      detail: /^create make was taken with 2 contents$/,
    },
  ]));

describe("left open", () =>
  testAll([
    {
      name: "an operation that has ended has no result",
      of: charged,
      change: (parts) => (parts.operation("make").result = null),
      breaks: [ENDS, ORDER],
      detail: /^create make is SUCCEEDED without a result$/,
    },
    {
      name: "an operation that has failed has no result",
      of: declined,
      change: (parts) => (parts.operation("make").result = null),
      breaks: [ENDS],
      detail: /^create make is FAILED without a result$/,
    },
    {
      name: "parked, and nobody says why",
      of: parked,
      change: (parts) => (parts.operation("make").lastError = null),
      breaks: [ENDS],
      detail: /^create make is PARKED without a reason$/,
    },
    ...["IN_PROGRESS", "IN_DOUBT", "AWAITING_PROVIDER"].map((state) => ({
      name: `an operation is ${state} for ever`,
      of: parked,
      change: (parts: Parts) => void (parts.operation("make").state = state),
      breaks: [ENDS] as [Invariant],
      detail: new RegExp(`^create make is still ${state}$`),
    })),
    {
      name: "a refund runs for ever",
      of: refundParked,
      change: (parts) => {
        parts.operation("doubted").state = "AWAITING_PROVIDER";
        parts.known("doubted").status = "PROCESSING";
        parts.drop("refund.in_doubt");
        parts.drop("operation.parked");
      },
      breaks: [ENDS],
      detail: /^refund doubted is still AWAITING_PROVIDER$/,
    },
  ]));

describe("out of order", () =>
  testAll([
    {
      name: "a version is shown in two ways",
      of: captured,
      change: (parts) => (parts.told("make", 1).answer.payment.refundable = 1),
      breaks: [ORDER],
      detail: /^pay_captured: version 10 was shown in 2 ways: .*, refundable 6000; .*, refundable 1$/,
    },
    {
      name: "an older version is shown later",
      of: captured,
      change: (parts) => (parts.told("part", 1).answer.payment = parts.told("part").answer.payment),
      breaks: [ORDER],
      detail: /^pay_captured: version 4 was shown after version 10$/,
    },
    {
      name: "the gateway shows an older version in the end",
      of: declined,
      change: ({ payment }) => (payment.version = 1),
      breaks: [ORDER],
      detail: /^pay_declined: version 1 was shown after version 2$/,
    },
    {
      name: "the gateway shows in the end that more can be given back",
      of: declined,
      change: ({ payment }) => Object.assign(payment, { version: 3, refundable: 1 }),
      breaks: [ORDER],
      detail: /no order explains its history; after .* came none of the last look$/,
    },
    {
      name: "the gateway shows in the end that nothing can be given back",
      of: paid,
      change: ({ payment }) => Object.assign(payment, { version: 99, refundable: 1 }),
      breaks: [ORDER],
      detail: /no order explains its history; after .*deed 3: .* came none of the last look$/,
    },
    {
      name: "a refund is taken before what it gives back",
      of: captured,
      change: (parts) => Object.assign(parts.told("some"), { begun: 0, ended: 1 }),
      breaks: [ORDER],
      detail: /^pay_captured: no order explains its history; after nothing came none of /,
    },
    {
      name: "a refusal that the state does not explain",
      of: captured,
      change: (parts) => {
        const { intent } = parts.refused("more");
        if (intent.kind === "capture") intent.minor = 1_000;
      },
      breaks: [ORDER],
      detail: /no order explains its history; after .*, capture part ends, call 4 came none of .* call 5/,
    },
  ]));
