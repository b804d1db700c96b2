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
