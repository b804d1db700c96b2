import type { Tx } from "../db/transaction";
import { hasEnded } from "../idempotency/operation.entity";
import { isRefundSnapshot, type Failure, type RefundSnapshot } from "../providers/provider";
import { assert } from "../shared/assert";
import { change, end, park, schedule, wait, type Finding, type Rows } from "./outcome-rows";
import { CAPTURED_STATES, eventOf, statusOfAmounts } from "./payment-state";
import { pollAfter } from "./recovery-schedule";
import type { Refund } from "./refund.entity";

/** The rows of a refund's operation. */
type RefundRows = Rows & { refund: Refund };

/** What was found out about a refund: its reservation becomes a refund, or is given back once. */
export async function recordRefund(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  assert(hasRefund(rows), "a refund's operation has a refund");
  const { attempt, operation } = rows;
  const { outcome } = finding;
  if (outcome.kind === "happened") {
    assert(isRefundSnapshot(outcome.snapshot), "a refund's operation shows a refund");
    attempt.evidence = outcome.evidence;
    return recordShown(tx, rows, finding, outcome.snapshot);
  }
  if (outcome.kind === "not_happened") {
    if (hasEnded(operation.state)) return;
    attempt.outcome = "NOT_HAPPENED";
    attempt.evidence = outcome.evidence;
    attempt.detail = outcome.failure.message;
    return fail(tx, rows, finding, outcome.failure);
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
  switch (shown.state) {
    case "pending":
      if (!unfinished) return;
      if (refund.status === "IN_DOUBT") refund.status = "PROCESSING";
      operation.state = "AWAITING_PROVIDER";
      return schedule(rows, pollAfter(unfinished.recoverySteps));
    case "succeeded":
      if (refund.status === "SUCCEEDED") return;
      attempt.outcome = "HAPPENED";
      return succeed(tx, rows, finding);
    case "failed":
      if (refund.status === "FAILED") return;
      return refund.status === "SUCCEEDED"
        ? reverse(tx, rows, finding, shown.failure)
        : fail(tx, rows, finding, shown.failure);
  }
}

/** The money went back. A refund that was given up for absent and turns up is money that moved all the same. */
async function succeed(tx: Tx, rows: RefundRows, finding: Finding): Promise<void> {
  const { payment, refund } = rows;
  if (refund.status !== "FAILED") payment.refunding -= refund.amount;
  refund.status = "SUCCEEDED";
  refund.failure = null;
  payment.refunded += refund.amount;
  follow(rows);
  await change(tx, rows, finding, { type: "refund.succeeded", amount: refund.amount });
  end(rows, "SUCCEEDED", null);
}

/** It did not go back: the reservation does, once. */
async function fail(tx: Tx, rows: RefundRows, finding: Finding, failure: Failure | null): Promise<void> {
  const { payment, refund, attempt } = rows;
  attempt.outcome = "NOT_HAPPENED";
  payment.refunding -= refund.amount;
  refund.status = "FAILED";
  refund.failure = failure;
  await change(tx, rows, finding, { type: "refund.failed", amount: refund.amount });
  end(rows, "FAILED", failure);
}

/** It had gone back, and came back: the only way in which a payment's status goes backwards. */
async function reverse(tx: Tx, rows: RefundRows, finding: Finding, failure: Failure | null): Promise<void> {
  const { payment, refund } = rows;
  refund.status = "FAILED";
  refund.failure = failure;
  payment.refunded -= refund.amount;
  follow(rows);
  await change(tx, rows, finding, { type: "refund.reversed", amount: refund.amount });
}

/** The status follows the amounts; one that something contradicts stays as it is. */
function follow({ payment }: RefundRows): void {
  if (!CAPTURED_STATES.includes(payment.status)) return;
  const status = statusOfAmounts(payment);
  if (status === payment.status) return;
  assert(eventOf(payment.status, status) !== undefined, "a refund moves a payment as the table says");
  payment.status = status;
}
