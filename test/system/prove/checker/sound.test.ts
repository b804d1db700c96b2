import { Parts } from "./bad";
import type { History } from "./history";
import { check } from "./invariants";
import * as stories from "./stories";

test.each(Object.entries(stories))("every promise holds in the history %s", (_name, story) => {
  expect(check(story())).toEqual([]);
});

/** What may be so, too: it breaks nothing. */
const SOUND: { name: string; of: () => History; change(parts: Parts): void }[] = [
  {
    name: "a refund that failed there goes out under the same reference: one effect",
    of: stories.captured,
    change: ({ ledger, refund }) => ledger.refunds.unshift({ ...refund, id: "re_0", status: "failed" }),
  },
  {
    name: "a refund that FAILED has left no trace at the provider",
    of: stories.captured,
    change: ({ ledger }) => (ledger.refunds = ledger.refunds.filter(({ status }) => status !== "failed")),
  },
  {
    name: "a doubt about a refund comes again before it ends",
    of: stories.captured,
    change: (parts) => {
      parts.repeat("refund.created", { type: "refund.in_doubt" });
      parts.repeat("refund.in_doubt");
    },
  },
  {
    name: "a refund that was given up goes out all the same",
    of: stories.captured,
    change: (parts) => {
      const { status } = parts.event("refund.created");
      parts.repeat("refund.created", { type: "refund.failed", status });
    },
  },
  {
    name: "two refunds run side by side",
    of: stories.refunded,
    change: (parts) => {
      const { events } = parts.payment;
      const second = parts.event("refund.created", 1);
      events.splice(events.indexOf(second), 1);
      events.splice(events.indexOf(parts.event("refund.succeeded")), 0, { ...second, status: "CAPTURED" });
      parts.renumber();
    },
  },
  {
    name: "a doubt about a refund of all that is left",
    of: stories.cameBack,
    change: (parts) => parts.repeat("refund.created", { type: "refund.in_doubt" }, 1),
  },
  ...(["fail", "expire", "pay", "cancel"] as const).map((kind) => ({
    name: `what comes too late to change anything at the provider: ${kind}`,
    of: stories.charged,
    change: ({ history }: Parts) => {
      history.deeds.push({ paymentIntent: "pi_charged", kind, minor: 0, begun: 90, ended: 99 });
    },
  })),
  {
    name: "a doubt about a refund is gone, and it runs on",
    of: stories.refundParked,
    change: (parts) => (parts.known("doubted").status = "PROCESSING"),
  },
  {
    name: "a refund of which nobody knew has failed",
    of: stories.captured,
    change: (parts) => parts.repeat("refund.created", { type: "refund.in_doubt" }, 1),
  },
  {
    name: "a refund that came back goes out again, and comes back again",
    of: stories.cameBack,
    change: (parts) => {
      const { status } = parts.event("refund.succeeded");
      parts.repeat("refund.reversed");
      parts.repeat("refund.reversed", { type: "refund.succeeded", status });
    },
  },
  {
    name: "the books are in another order",
    of: stories.paid,
    change: ({ ledger }) => ledger.refunds.reverse(),
  },
  {
    name: "an answer is given while the operation runs",
    of: stories.declined,
    change: (parts) => {
      const { answer } = parts.told("make");
      Object.assign(answer, { state: "IN_PROGRESS", result: null });
      Object.assign(answer.payment, { version: 1, status: "PROCESSING" });
    },
  },
  {
    name: "what was parked is asked for again, and parked again",
    of: stories.parked,
    change: (parts) => {
      parts.repeat("operation.parked");
      parts.repeat("operation.parked", { type: "operation.reprocessed" });
    },
  },
];

test.each(SOUND)("$name", ({ of, change }) => {
  const history = of();
  change(new Parts(history));
  expect(check(history)).toEqual([]);
});
