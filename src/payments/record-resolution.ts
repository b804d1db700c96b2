import type { Tx } from "../db/transaction";
import {
  isRefundSnapshot,
  type Failure,
  type Happened,
  type NotHappened,
  type Outcome,
  type Snapshot,
} from "../providers/provider";
import { assert, unreachable } from "../shared/assert";
import { amountsShown, takeSnapshot } from "./adopt-snapshot";
import { end, wait, type Finding, type Rows } from "./outcome-rows";
import type { Payment } from "./payment.entity";
import { holdsBounds, statusShown, type PaymentStatus } from "./payment-state";
import { recordRefund } from "./record-refund";
import { settleConflict, tellResolved } from "./resolve-conflict";

/** What a decision about a conflict came to: a refund of what is extra, a charge too many that was called off, or a look. */
export async function recordResolution(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  if (rows.refund) return recordRefund(tx, rows, finding);
  const outcome = finding.outcome as Outcome;
  switch (outcome.kind) {
    case "happened":
      assert(!isRefundSnapshot(outcome.snapshot), "without a refund the provider shows a payment");
      if (rows.unfinished) await recordDone(tx, rows, finding, outcome.snapshot);
      return;
    case "not_happened":
      if (rows.unfinished) recordRefusal(rows, outcome);
      return;
    case "unknown":
      return wait(tx, rows, finding, outcome);
    default:
      return unreachable(outcome);
  }
}

async function recordDone(tx: Tx, rows: Rows, finding: Finding, snapshot: Snapshot): Promise<void> {
  const { payment, attempt } = rows;
  const wasCalledOff = snapshot.reference !== payment.providerReference;
  const status = wasCalledOff ? undefined : statusOfCharge(payment, snapshot);
  if (!wasCalledOff && !status) return recordRefusal(rows, CHANGED);
  attempt.outcome = "HAPPENED";
  attempt.evidence = (finding.outcome as Happened).evidence;
  attempt.providerReference = snapshot.reference;
  if (status) {
    takeSnapshot(rows, snapshot, status);
    await tellResolved(tx, rows, finding);
  } else await settleConflict(tx, rows, finding);
  end(rows, "SUCCEEDED", null);
}

/** Where a charge that is accepted stands; undefined where it can no longer be accepted as it is now. */
function statusOfCharge(payment: Payment, snapshot: Snapshot): PaymentStatus | undefined {
  const amounts = amountsShown(payment, snapshot);
  const status = statusShown(snapshot.state, amounts);
  return holdsBounds({ ...payment, ...amounts }) ? status : undefined;
}

/** The payment stays as it was, but for what may be decided about it next. */
function recordRefusal(rows: Rows, { failure, evidence }: Pick<NotHappened, "failure" | "evidence">): void {
  const { payment, attempt } = rows;
  attempt.outcome = "NOT_HAPPENED";
  attempt.evidence = evidence;
  attempt.detail = failure.message;
  payment.version += 1;
  end(rows, "FAILED", failure);
}

const CHANGED: Pick<NotHappened, "failure" | "evidence"> = {
  failure: {
    kind: "INVALID",
    code: "other",
    message: "The provider shows something else than when it was decided: look again.",
    retryAdvice: "LATER",
  } satisfies Failure,
  evidence: "retrieved",
};
