import type { Tx } from "../db/transaction";
import { hasEnded } from "../idempotency/operation.entity";
import {
  isRefundSnapshot,
  type Happened,
  type NotHappened,
  type Outcome,
  type Snapshot,
  type Unknown,
} from "../providers/provider";
import { assert, unreachable } from "../shared/assert";
import { adoptSnapshot, contradicts, isDeadOther } from "./adopt-snapshot";
import {
  change,
  end,
  holdsLease,
  lockRows,
  park,
  schedule,
  wait,
  write,
  type Finding,
  type Rows,
} from "./outcome-rows";
import { moveFence } from "./order-fence";
import { ENDED_UNPAID, eventOf } from "./payment-state";
import { beginPolls } from "./payer-polls";
import { recordRefund } from "./record-refund";
import { recordResolution } from "./record-resolution";
import { pollAfter } from "./recovery-schedule";

/**
 * T2, and the only writer of payment state: request, recovery and whoever else finds something out end here.
 * Evidence is applied through the transition table; what is known already, or older, changes nothing.
 * @returns in how many milliseconds the operation's next step is to be due; null where there is none
 */
export async function recordOutcome(tx: Tx, finding: Finding): Promise<number | null> {
  const rows = await lockRows(tx, finding);
  const { payment, operation } = rows;
  if (finding.onlyAtVersion !== undefined && payment.version !== finding.onlyAtVersion) return null;
  const { outcome } = finding;
  if (outcome.kind === "unknown" && !finding.confirmed && !holdsLease(rows, finding)) return null;
  const before = payment.status;
  if (operation.kind === "REFUND_PAYMENT") await recordRefund(tx, rows, finding);
  else if (operation.kind === "RESOLVE_CONFLICT") await recordResolution(tx, rows, finding);
  else await recordPayment(tx, rows, finding, outcome as Outcome);
  await moveFence(tx, payment, before, payment.status);
  await write(tx, rows);
  if (payment.status === "REQUIRES_ACTION" && before !== payment.status) await beginPolls(tx, rows);
  return rows.nextStepIn;
}

/** Of a create, a capture or a cancel: what the provider shows is the payment itself. */
async function recordPayment(tx: Tx, rows: Rows, finding: Finding, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case "happened":
      assert(!isRefundSnapshot(outcome.snapshot), "a payment's operation shows a payment");
      if (isDeadOther(rows.payment, outcome.snapshot)) return;
      // Later word of what is known to have happened is no better evidence of it.
      if (rows.attempt.outcome !== "HAPPENED") rows.attempt.evidence = outcome.evidence;
      if (contradicts(rows.payment, outcome.snapshot, finding))
        return recordContradiction(tx, rows, finding, outcome.snapshot);
      return isPast(rows, outcome) || isOutlived(rows, finding)
        ? undefined
        : recordSnapshot(tx, rows, finding, outcome.snapshot);
    case "not_happened":
      return recordRefusal(tx, rows, finding, outcome);
    case "unknown":
      return finding.confirmed
        ? recordContradiction(tx, rows, finding, outcome.seen)
        : recordDoubt(tx, rows, finding, outcome);
    default:
      return unreachable(outcome);
  }
}

/** A reply tells of the moment when its call took effect: what ended the operation was seen after it. */
function isPast({ operation, attempt }: Rows, { evidence }: Happened): boolean {
  const isReply = evidence === "reply" || evidence === "replayed_reply";
  return isReply && attempt.outcome === "HAPPENED" && hasEnded(operation.state);
}

/**
 * The provider has called the payment off since it was asked: what it showed then is no money that came late, but older.
 * Money that does come late is found by the next poll, or told by the provider.
 */
function isOutlived({ payment, operation }: Rows, { askedAtVersion }: Finding): boolean {
  const isCalledOff = payment.status === "CANCELED" || payment.status === "EXPIRED";
  const hasChanged = askedAtVersion !== undefined && askedAtVersion !== payment.version;
  return isCalledOff && hasChanged && operation.kind === "CREATE_PAYMENT" && hasEnded(operation.state);
}

/** The provider told where the payment stands. */
async function recordSnapshot(tx: Tx, rows: Rows, finding: Finding, snapshot: Snapshot): Promise<void> {
  const { payment, operation, attempt } = rows;
  attempt.providerReference = snapshot.reference;
  const shown = await adoptSnapshot(tx, rows, finding, snapshot);
  if (shown === undefined) {
    if (!rows.unfinished) return;
    operation.state = "AWAITING_PROVIDER";
    return schedule(rows, pollAfter(rows.unfinished.recoverySteps));
  }
  // Only a decision ends what waits for one.
  if (payment.status === "CONFLICTED" && operation.state === "PARKED") return;
  if (payment.status !== shown)
    attempt.detail = `${attempt.evidence} showed ${snapshot.state}, which is older`;
  const failed = operation.kind === "CREATE_PAYMENT" && ENDED_UNPAID.includes(shown);
  // What ended later happened all the same: the payer was asked to act.
  if (!failed || !hasEnded(operation.state)) attempt.outcome = failed ? "NOT_HAPPENED" : "HAPPENED";
  end(rows, failed ? "FAILED" : "SUCCEEDED");
}

/** It definitely did not happen. A payment that something else is known of keeps what is known. */
async function recordRefusal(tx: Tx, rows: Rows, finding: Finding, outcome: NotHappened): Promise<void> {
  const { payment, operation, attempt } = rows;
  if (hasEnded(operation.state)) return;
  attempt.outcome = "NOT_HAPPENED";
  attempt.evidence = outcome.evidence;
  attempt.providerReference = outcome.reference ?? attempt.providerReference;
  attempt.detail = outcome.failure.message;
  if (operation.kind === "CREATE_PAYMENT") await failPayment(tx, rows, finding, outcome);
  else if (operation.kind === "CAPTURE_PAYMENT")
    await change(tx, rows, finding, {
      type: "payment.capture_failed",
      amount: operation.amount ?? undefined,
    });
  // A cancel that failed leaves the payment as it was, but for what may be done with it next.
  else payment.version += 1;
  end(rows, "FAILED", outcome.failure);
}

async function failPayment(tx: Tx, rows: Rows, finding: Finding, outcome: NotHappened): Promise<void> {
  const { payment } = rows;
  const type = eventOf(payment.status, "FAILED");
  if (type === undefined) return;
  payment.status = "FAILED";
  payment.failure = outcome.failure;
  payment.providerReference = outcome.reference ?? payment.providerReference;
  await change(tx, rows, finding, { type });
}

/** Nobody knows. Never shown as failed; IN_DOUBT as the payment's status is of its create only. */
async function recordDoubt(tx: Tx, rows: Rows, finding: Finding, outcome: Unknown): Promise<void> {
  const { payment, operation } = rows;
  const event = operation.kind === "CREATE_PAYMENT" ? eventOf(payment.status, "IN_DOUBT") : undefined;
  if (event) {
    payment.status = "IN_DOUBT";
    await change(tx, rows, finding, { type: event });
  }
  await wait(tx, rows, finding, outcome);
}

/** The evidence contradicts itself: another amount, another currency, a second charge. An operator decides. */
async function recordContradiction(
  tx: Tx,
  rows: Rows,
  finding: Finding,
  seen: Snapshot | null,
): Promise<void> {
  const { payment, operation, attempt } = rows;
  const event = eventOf(payment.status, "CONFLICTED");
  attempt.outcome = "UNKNOWN";
  attempt.providerReference = seen?.reference ?? attempt.providerReference;
  attempt.detail = finding.outcome.kind === "unknown" ? finding.outcome.detail : "another amount or currency";
  operation.lastError = attempt.detail;
  if (event) {
    payment.status = "CONFLICTED";
    payment.providerReference = seen?.reference ?? payment.providerReference;
    await change(tx, rows, finding, { type: event });
  }
  if (!hasEnded(operation.state) && operation.state !== "PARKED") await park(tx, rows, finding);
}
