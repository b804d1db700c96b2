import type { Tx } from "../db/transaction";
import { Operation } from "../idempotency/operation.entity";
import { assert } from "../shared/assert";
import { Attempt } from "./attempt.entity";
import { change, end, write, type Finding, type Rows } from "./outcome-rows";
import { CAPTURED_STATES, ENDED_UNPAID, RESOLVED_STATES, statusOfAmounts } from "./payment-state";

/**
 * Part of T2: what was extra is no longer there. The payment leaves CONFLICTED, unless something else still contradicts
 * what was asked for.
 */
export async function settleConflict(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  const { payment } = rows;
  if (payment.status !== "CONFLICTED" || payment.contradictions > 0) return;
  payment.status = statusOfAmounts(payment);
  await tellResolved(tx, rows, finding);
}

/** The payment stands where the decision has led it; its create, which waited for an operator, ends with it. */
export async function tellResolved(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  const { payment, now } = rows;
  assert(RESOLVED_STATES.includes(payment.status), "a decision leads where the table says");
  const wasTaken = CAPTURED_STATES.includes(payment.status);
  if (wasTaken || payment.status === "AUTHORIZED") payment.authorizedAt ??= now;
  if (wasTaken) payment.capturedAt ??= now;
  const amount = wasTaken ? payment.captured : payment.authorized;
  await change(tx, rows, finding, { type: "payment.conflict_resolved", amount });
  await endCreate(tx, rows);
}

/** It ends with the result of the decision: what was charged is what happened. */
async function endCreate(tx: Tx, rows: Rows): Promise<void> {
  const { merchantId } = tx;
  const { payment } = rows;
  const operation = await tx.manager.findOneByOrFail(Operation, {
    merchantId,
    kind: "CREATE_PAYMENT",
    paymentId: payment.id,
  });
  if (operation.state !== "PARKED") return;
  const attempt = await tx.manager.findOneOrFail(Attempt, {
    where: { merchantId, operationId: operation.id },
    order: { number: "DESC" },
  });
  const failed = ENDED_UNPAID.includes(payment.status);
  attempt.outcome = failed ? "NOT_HAPPENED" : "HAPPENED";
  attempt.evidence = "operator";
  attempt.providerReference = payment.providerReference;
  const create: Rows = { ...rows, operation, attempt, refund: null, unfinished: null };
  end(create, failed ? "FAILED" : "SUCCEEDED");
  await write(tx, create);
}
