import { testAll, type Bad, type Parts } from "./bad";
import type { Call, Result } from "./history";
import { canceled, captured, captureFailed, charged, releasedThere, revoked } from "./stories";

const ORDER = "each payment is linearizable";

/** What the rules of a payment do not allow, though all that is shown agrees. */
const unlawful = (bad: Omit<Bad, "breaks" | "detail">): Bad => ({
  ...bad,
  breaks: [ORDER],
  detail: /no order explains its history/,
});

/** Every call of a key. */
const calls = ({ history }: Parts, key: string): Call[] => history.calls.filter((call) => call.key === key);

/** The operation has ended otherwise, for all who ask. */
function ended(parts: Parts, key: string, result: Partial<Result>) {
  const operation = parts.operation(key);
  const before = operation.result;
  operation.result = before && { ...before, ...result };
  for (const { answer } of calls(parts, key))
    if (answer?.kind === "operation" && answer.result) answer.result = { ...answer.result, ...result };
}

/** Something else was asked for from the beginning. */
function asked(parts: Parts, key: string, minor: number) {
  for (const { intent } of calls(parts, key)) if (intent.kind !== "cancel") intent.minor = minor;
}

describe("against the rules", () =>
  testAll([
    ...[{ captured: 3_999 }, { refunded: 1 }, { paymentStatus: "CAPTURED" }].map((result) =>
      unlawful({
        name: `a result that never stood: ${JSON.stringify(result)}`,
        of: captured,
        change: (parts) => ended(parts, "part", result),
      }),
    ),
    unlawful({
      name: "more is captured than was asked for",
      of: captured,
      change: (parts) => asked(parts, "part", 3_999),
    }),
    unlawful({
      name: "more is refunded than was asked for",
      of: captured,
      change: (parts) => asked(parts, "some", 2_999),
    }),
    unlawful({
      name: "a failed capture of something else than was asked for",
      of: captureFailed,
      change: (parts) => (parts.operation("first").minor = 10_001),
    }),
    unlawful({
      name: "a create of another amount than the payment's",
      of: charged,
      change: (parts) => (parts.operation("make").minor = 9_999),
    }),
    unlawful({
      name: "another is said to run, and none does",
      of: captured,
      change: (parts) =>
        Object.assign(parts.refused("early").answer ?? {}, {
          code: "CONFLICT",
          reason: "OPERATION_IN_PROGRESS",
        }),
    }),
    unlawful({
      name: "what could be called off is refused to be",
      of: captured,
      change: (parts) => (parts.refused("more").intent = { kind: "cancel", paymentId: parts.payment.id }),
    }),
    unlawful({
      name: "a refund of all that is left is refused",
      of: captured,
      change: (parts) => asked(parts, "again", 6_000),
    }),
    unlawful({
      name: "a capture of all that is left is refused",
      of: captured,
      change: (parts) => asked(parts, "more", 6_000),
    }),
    unlawful({
      name: "what was called off shows that it can still be taken",
      of: canceled,
      change: (parts) => (parts.told("no").answer.payment.capturable = 1),
    }),
    unlawful({
      name: "the dashboard's release is not what led there",
      of: releasedThere,
      change: ({ history }) => (history.deeds = []),
    }),
    unlawful({
      name: "the bank is not what took it back",
      of: revoked,
      change: ({ history }) => (history.deeds = []),
    }),
  ]));
