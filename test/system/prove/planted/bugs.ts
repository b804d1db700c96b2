import type { Invariant } from "../checker/history";

/** A bug that others have had, planted to see that the suite finds it. */
export interface PlantedBug {
  name: string;
  /** A unified diff against the repository's root, beside this file. */
  patch: string;
  /** The promise that it breaks. */
  invariant: Invariant;
  /** The race that shows it (races.ts). */
  shownBy: string;
  /** Why this breaks the promise. */
  because: string;
}

/** All of them. Patched, the run breaks the promise; unpatched, the same run is green. */
export const BUGS: readonly PlantedBug[] = [
  {
    name: "no provider key",
    patch: "no-provider-key.patch",
    invariant: "one charge for each key",
    shownBy: "an answer is lost, and the books cannot be read",
    because: "The request that recovery sends again is a new one to the provider, which charges again.",
  },
  {
    name: "check-then-insert",
    patch: "check-then-insert.patch",
    invariant: "one charge for each key",
    shownBy: "one key, many callers at two gateways",
    because: "Two callers look before either has inserted, so that both find the key free.",
  },
  {
    name: "the call inside the transaction",
    patch: "call-inside-the-transaction.patch",
    invariant: "one charge for each key",
    shownBy: "sessions end while the provider is asked",
    because: "The retry of the transaction, whose charge nothing rolls back, charges again.",
  },
  {
    name: "outbox after commit",
    patch: "outbox-after-commit.patch",
    invariant: "no event without a change, no change without its event",
    shownBy: "killed where an event is written",
    because: "A gateway that dies between the two transactions has changed the payment, and tells nobody.",
  },
  {
    name: "webhook acknowledged before it is stored",
    patch: "webhook-acknowledged-before-it-is-stored.patch",
    invariant: "both ledgers agree",
    shownBy: "killed where a webhook is stored",
    because:
      "The provider does not send again what was acknowledged, and nobody else asks for such a refund.",
  },
  {
    name: "refund sum without a lock",
    patch: "refund-sum-without-a-lock.patch",
    invariant: "refunds are bounded at every prefix",
    shownBy: "two refunds of 60 on 100 at two gateways",
    because: "Both read what is left before either has reserved, so that both find enough.",
  },
  {
    name: "recovery that repeats without looking",
    patch: "recovery-that-repeats-without-looking.patch",
    invariant: "one charge for each key",
    shownBy: "an answer is lost at a provider without idempotency",
    because: "A provider that ignores keys, or has forgotten them, takes the repeat for another charge.",
  },
  {
    name: "a refused connection on a replay taken for never sent",
    patch: "refused-connection-taken-for-never-sent.patch",
    invariant: "a definite no is definite",
    shownBy: "an answer is lost, and the provider goes away",
    because: "That the repeat never left says nothing of the first call, which was charged.",
  },
  {
    name: "timeout as FAILED",
    patch: "timeout-as-failed.patch",
    invariant: "a definite no is definite",
    shownBy: "the provider charges, and answers too late",
    because: "A call that is given up may have been charged all the same.",
  },
  {
    name: "a key without the merchant",
    patch: "key-without-the-merchant.patch",
    invariant: "what was acknowledged is there",
    shownBy: "two merchants with the same key",
    because: "The second merchant is answered with the operation of the first, and has none of its own.",
  },
  {
    name: "a query without the merchant",
    patch: "query-without-the-merchant.patch",
    invariant: "both ledgers agree",
    shownBy: "a foreign merchant asks",
    because: "A merchant is shown a payment of which it has neither operations nor books.",
  },
  {
    name: "a random reference",
    patch: "random-reference.patch",
    invariant: "both ledgers agree",
    shownBy: "the same key after an old backup",
    because: "The provider is asked under another reference, and the first charge is of no payment.",
  },
];
