import type { Tx } from "../db/transaction";
import { hasEnded } from "../idempotency/operation.entity";
import { isRefundSnapshot, type RefundSnapshot } from "../providers/provider";
import { assert } from "../shared/assert";
import { change, end, park, schedule, wait, type Changing, type Finding, type Rows } from "./outcome-rows";
import type { Payment } from "./payment.entity";
import { CAPTURED_STATES, eventOf, statusOfAmounts } from "./payment-state";
import { pollAfter } from "./recovery-schedule";
import type { Refund, RefundStatus } from "./refund.entity";
import { settleConflict } from "./resolve-conflict";

/** The rows of a refund's operation. */
type RefundRows = Rows & { refund: Refund };

/** What was found out about a refund: its reservation becomes a refund, or is given back once. */
export async function recordRefund(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  assert(hasRefund(rows), "a refund's operation has a refund");
  const { attempt, operation } = rows;
  const { outcome } = finding;
  if (outcome.kind === "happened") {
    assert(isRefundSnapshot(outcome.snapshot), "a refund's operation shows a refund");
    // Later word of what is known to have happened is no better evidence of it.
    if (attempt.outcome !== "HAPPENED") attempt.evidence = outcome.evidence;
    return recordShown(tx, rows, finding, outcome.snapshot);
  }
  if (outcome.kind === "not_happened") {
    if (hasEnded(operation.state)) return;
    attempt.outcome = "NOT_HAPPENED";
    attempt.evidence = outcome.evidence;
    attempt.detail = outcome.failure.message;
    await moveRefund(tx, rows, finding, { state: "failed", failure: outcome.failure });
    return end(rows, "FAILED", outcome.failure);
  }
  if (rows.refund.status === "PROCESSING") {
    rows.refund.status = "IN_DOUBT";
    await change(tx, rows, finding, { type: "refund.in_doubt", amount: rows.refund.amount });
  }
  if (!finding.confirmed) return wait(tx, rows, finding, outcome);
  operation.lastError = outcome.detail;
  if (!hasEnded(operation.state) && operation.state !== "PARKED") await park(tx, rows, finding);
}

function hasRefund(rows: Rows): rows is RefundRows {
  return rows.refund !== null;
}

/** The provider told how far the refund is. */
async function recordShown(tx: Tx, rows: RefundRows, finding: Finding, shown: RefundSnapshot): Promise<void> {
  const { refund, attempt, operation, unfinished } = rows;
  attempt.providerReference = shown.reference;
  refund.providerReference = shown.reference;
  if (shown.state === "pending") {
    if (!unfinished) return;
    if (refund.status === "IN_DOUBT") refund.status = "PROCESSING";
    operation.state = "AWAITING_PROVIDER";
    return schedule(rows, pollAfter(unfinished.recoverySteps));
  }
  const moved = await moveRefund(tx, rows, finding, shown);
  if (moved === "succeeded") {
    attempt.outcome = "HAPPENED";
    if (operation.kind === "RESOLVE_CONFLICT" && unfinished) await settleConflict(tx, rows, finding);
    end(rows, "SUCCEEDED", null);
  } else if (moved === "failed") {
    attempt.outcome = "NOT_HAPPENED";
    end(rows, "FAILED", shown.failure);
  }
}

/** What became of a refund: it went back; it did not; or it had, and came back. */
export type RefundMove = "succeeded" | "failed" | "reversed";

/**
 * Moves the money of a refund as the provider shows it, once: its reservation becomes a refund or is given back, and
 * what had gone back and came back is there again, which is the only way in which a payment's status goes backwards.
 * @returns null where that is known already
 */
export async function moveRefund(
  tx: Tx,
  moving: Changing & { refund: Refund },
  by: Pick<Finding, "actor">,
  shown: Pick<RefundSnapshot, "state" | "failure">,
): Promise<RefundMove | null> {
  const { payment, refund } = moving;
  const { amount, status } = refund;
  const move = moveOf(status, shown.state);
  if (move === null) return null;
  // A refund that was given up for absent and turns up is money that moved all the same: its reservation is gone.
  if (status === "PROCESSING" || status === "IN_DOUBT") payment.refunding -= amount;
  if (move === "succeeded") payment.refunded += amount;
  if (move === "reversed") payment.refunded -= amount;
  if (refund.surplusCharge !== null) countSurplus(payment, refund, move);
  refund.status = move === "succeeded" ? "SUCCEEDED" : "FAILED";
  refund.failure = move === "succeeded" ? null : shown.failure;
  if (move !== "failed") follow(payment);
  await change(tx, moving, by, { type: `refund.${move}`, amount });
  if (move === "reversed" && refund.surplusCharge !== null && payment.status !== "CONFLICTED") {
    payment.status = "CONFLICTED";
    await change(tx, moving, by, { type: "payment.conflicted" });
  }
  return move;
}

/** A charge too many is among what was taken only while it is given back: what stays is for an operator to decide. */
function countSurplus(payment: Payment, { amount, status }: Refund, move: RefundMove): void {
  const counted = status !== "FAILED";
  const moved = move === "succeeded" ? (counted ? 0n : amount) : -amount;
  payment.surplus += moved;
  payment.captured += moved;
  payment.authorized += moved;
}

function moveOf(from: RefundStatus, to: RefundSnapshot["state"]): RefundMove | null {
  if (to === "succeeded") return from === "SUCCEEDED" ? null : "succeeded";
  if (to === "pending" || from === "FAILED") return null;
  return from === "SUCCEEDED" ? "reversed" : "failed";
}

/** The status follows the amounts; one that something contradicts stays as it is. */
function follow(payment: Payment): void {
  if (!CAPTURED_STATES.includes(payment.status)) return;
  const status = statusOfAmounts(payment);
  if (status === payment.status) return;
  assert(eventOf(payment.status, status) !== undefined, "a refund moves a payment as the table says");
  payment.status = status;
}
