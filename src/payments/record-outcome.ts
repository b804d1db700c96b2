import type { Tx } from "../db/transaction";
import { hasEnded, Operation, OperationState } from "../idempotency/operation.entity";
import type { Failure, NotHappened, Outcome, Snapshot, Unknown } from "../providers/provider";
import { assert, unreachable } from "../shared/assert";
import type { Money } from "../shared/money";
import { Attempt } from "./attempt.entity";
import { resultOf } from "./operation-result";
import type { Actor } from "./payment-event.entity";
import { Payment } from "./payment.entity";
import { eventOf, PaymentEventType, PaymentStatus, STATUS_OF } from "./payment-state";
import { recordEvent } from "./record-event";
import { pauseAfter, pollAfter } from "./recovery-schedule";

/** What was found out about one attempt of an operation, and by whom. */
export interface Finding {
  operationId: string;
  attempt: number;
  outcome: Outcome;
  actor: Actor;
  /** Who asked: an `unknown` is recorded only by the holder of the lease. */
  leaseToken: string;
  /** True where a second look showed the same contradiction: then an operator decides. */
  confirmed?: boolean;
  /** Applied only where the payment is still at this version: for conclusions from the clock or from absence. */
  onlyAtVersion?: number;
  /** True where a call of ours to the provider has just ended: nothing of the attempt leaves us after it. */
  callEnded?: boolean;
  /** When the next step is worth taking at the earliest, in milliseconds from now; the schedule's pause when absent. */
  nextStepWithin?: number;
}

/** The three rows that an outcome changes, locked, at one instant of the database's clock. */
interface Rows {
  now: Date;
  payment: Payment;
  operation: Operation;
  attempt: Attempt;
}

/**
 * T2, and the only writer of payment state: request, recovery and whoever else finds something out end here.
 * Evidence is applied through the transition table; what is known already, or older, changes nothing.
 * @returns the payment's status afterwards
 */
export async function recordOutcome(tx: Tx, finding: Finding): Promise<PaymentStatus> {
  const rows = await lockRows(tx, finding);
  if (finding.onlyAtVersion !== undefined && rows.payment.version !== finding.onlyAtVersion)
    return rows.payment.status;
  const { outcome } = finding;
  switch (outcome.kind) {
    case "happened":
      return contradicts(rows.payment, outcome.snapshot)
        ? recordContradiction(tx, rows, finding, outcome.snapshot)
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

async function lockRows(tx: Tx, { operationId, attempt: number }: Finding): Promise<Rows> {
  const { merchantId } = tx;
  const [found] = await tx.sql<{ id: string; now: Date }>(
    `select payment_id as id, now() as now from operations where merchant_id = $1 and id = $2`,
    [merchantId, operationId],
  );
  assert(found, "an outcome belongs to an operation");
  const payment = await tx.manager.findOneOrFail(Payment, {
    where: { merchantId, id: found.id },
    lock: { mode: "for_no_key_update" },
  });
  const operation = await tx.manager.findOneByOrFail(Operation, { merchantId, id: operationId });
  const attempt = await tx.manager.findOneByOrFail(Attempt, { merchantId, operationId, number });
  return { now: found.now, payment, operation, attempt };
}

function contradicts(payment: Payment, snapshot: Snapshot): boolean {
  const isOurs = (money: Money) => money.currency === payment.currency;
  return !isOurs(snapshot.amount) || snapshot.amount.minor !== payment.amount || !isOurs(snapshot.captured);
}

/** The provider told where the payment stands. */
async function recordSnapshot(tx: Tx, rows: Rows, finding: Finding, snapshot: Snapshot) {
  const { payment, operation, attempt } = rows;
  const status = STATUS_OF[snapshot.state];
  attempt.providerReference = snapshot.reference;
  attempt.evidence = evidenceOf(finding.outcome);
  if (status === undefined) {
    operation.state = hasEnded(operation.state) ? operation.state : "AWAITING_PROVIDER";
    schedule(rows, pollAfter(operation.recoverySteps));
    await write(tx, rows);
    return payment.status;
  }
  const event = eventOf(payment.status, status);
  if (event) {
    adopt(rows, snapshot, status);
    await change(tx, rows, finding, event);
  }
  attempt.outcome = status === "FAILED" || status === "CANCELED" ? "NOT_HAPPENED" : "HAPPENED";
  if (!event && payment.status !== status)
    attempt.detail = `${attempt.evidence} showed ${snapshot.state}, which is older`;
  end(rows, attempt.outcome === "HAPPENED" ? "SUCCEEDED" : "FAILED");
  await write(tx, rows);
  return payment.status;
}

function adopt({ payment, now }: Rows, snapshot: Snapshot, status: PaymentStatus): void {
  const moneyHeld = status === "AUTHORIZED" || status === "CAPTURED";
  payment.status = status;
  payment.authorized = moneyHeld ? snapshot.amount.minor : payment.authorized;
  payment.captured = snapshot.captured.minor;
  payment.refunded = snapshot.refunded.minor;
  payment.authorizedAt ??= moneyHeld ? now : null;
  payment.capturedAt ??= status === "CAPTURED" ? now : null;
  payment.providerReference = snapshot.reference;
  payment.card = snapshot.card ?? payment.card;
  payment.nextAction = snapshot.nextAction;
  payment.failure = status === "FAILED" ? (snapshot.failure ?? UNEXPLAINED) : null;
}

const UNEXPLAINED: Failure = {
  kind: "DECLINED",
  code: "other",
  message: "The provider did not say why.",
  retryAdvice: "OTHER_METHOD",
};

/** It definitely did not happen. A payment that something else is known of keeps what is known. */
async function recordRefusal(tx: Tx, rows: Rows, finding: Finding, outcome: NotHappened) {
  const { payment, operation, attempt } = rows;
  if (hasEnded(operation.state)) return payment.status;
  attempt.outcome = "NOT_HAPPENED";
  attempt.evidence = outcome.evidence;
  attempt.providerReference = outcome.reference ?? attempt.providerReference;
  attempt.detail = outcome.failure.message;
  const event = eventOf(payment.status, "FAILED");
  if (event) {
    payment.status = "FAILED";
    payment.failure = outcome.failure;
    payment.providerReference = outcome.reference ?? payment.providerReference;
    await change(tx, rows, finding, event);
  }
  end(rows, "FAILED");
  await write(tx, rows);
  return payment.status;
}

/** Nobody knows. Never shown as failed: recovery asks again, until its safe steps run out. */
async function recordDoubt(tx: Tx, rows: Rows, finding: Finding, outcome: Unknown) {
  const { payment, operation, attempt } = rows;
  if (operation.leaseToken !== finding.leaseToken || hasEnded(operation.state)) return payment.status;
  attempt.outcome = "UNKNOWN";
  attempt.detail = outcome.detail;
  attempt.providerReference = outcome.seen?.reference ?? attempt.providerReference;
  operation.lastError = `${outcome.cause}: ${outcome.detail}`;
  const event = eventOf(payment.status, "IN_DOUBT");
  if (event) {
    payment.status = "IN_DOUBT";
    await change(tx, rows, finding, event);
  }
  const pause = pauseAfter(operation.recoverySteps);
  if (pause === null) {
    await park(tx, rows, finding);
  } else {
    operation.state = "IN_DOUBT";
    schedule(rows, Math.min(pause, finding.nextStepWithin ?? pause));
    if (finding.callEnded) attempt.lastSendBefore = rows.now;
  }
  await write(tx, rows);
  return payment.status;
}

/** The evidence contradicts itself: another amount, another currency, a second charge. An operator decides. */
async function recordContradiction(tx: Tx, rows: Rows, finding: Finding, seen: Snapshot | null) {
  const { payment, operation, attempt } = rows;
  const event = eventOf(payment.status, "CONFLICTED");
  attempt.outcome = "UNKNOWN";
  attempt.providerReference = seen?.reference ?? attempt.providerReference;
  attempt.detail = finding.outcome.kind === "unknown" ? finding.outcome.detail : "another amount or currency";
  operation.lastError = attempt.detail;
  if (event) {
    payment.status = "CONFLICTED";
    payment.providerReference = seen?.reference ?? payment.providerReference;
    await change(tx, rows, finding, event);
  }
  if (!hasEnded(operation.state) && operation.state !== "PARKED") await park(tx, rows, finding);
  await write(tx, rows);
  return payment.status;
}

// ── The parts that every outcome is made of ─────────────────────────────────────────────────────────────────────

/** One change of the payment: its version grows by one, and an event tells of it. */
async function change(tx: Tx, { payment, operation }: Rows, finding: Finding, type: PaymentEventType) {
  payment.version += 1;
  await recordEvent(tx, payment, { type, operationId: operation.id, actor: finding.actor });
}

function end({ payment, operation, attempt, now }: Rows, state: OperationState): void {
  attempt.finishedAt ??= now;
  if (hasEnded(operation.state)) return;
  operation.state = state;
  operation.result = resultOf(payment, now);
  operation.completedAt = now;
  release(operation);
}

async function park(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  rows.operation.state = "PARKED";
  release(rows.operation);
  const { payment, operation } = rows;
  await recordEvent(tx, payment, {
    type: "operation.parked",
    operationId: operation.id,
    actor: finding.actor,
  });
}

function release(operation: Operation): void {
  operation.leaseToken = null;
  operation.leaseExpiresAt = null;
  operation.dueAt = null;
}

/** The next step of recovery is due after `pause` milliseconds. */
function schedule({ operation, now }: Rows, pause: number): void {
  release(operation);
  operation.dueAt = new Date(now.getTime() + pause);
}

function evidenceOf(outcome: Outcome): string | null {
  return outcome.kind === "unknown" ? null : outcome.evidence;
}

/** Writes the columns that outcomes own, never whole entities: what others own is not overwritten. */
async function write(tx: Tx, { payment, operation, attempt, now }: Rows): Promise<void> {
  const { merchantId } = tx;
  await tx.manager.update(
    Payment,
    { merchantId, id: payment.id },
    {
      status: payment.status,
      version: payment.version,
      eventCount: payment.eventCount,
      authorized: payment.authorized,
      captured: payment.captured,
      refunded: payment.refunded,
      card: payment.card,
      nextAction: payment.nextAction,
      failure: payment.failure,
      providerReference: payment.providerReference,
      updatedAt: now,
      authorizedAt: payment.authorizedAt,
      capturedAt: payment.capturedAt,
    },
  );
  await tx.manager.update(
    Operation,
    { merchantId, id: operation.id },
    {
      state: operation.state,
      result: operation.result as object | null,
      lastError: operation.lastError,
      leaseToken: operation.leaseToken,
      leaseExpiresAt: operation.leaseExpiresAt,
      dueAt: operation.dueAt,
      completedAt: operation.completedAt,
    },
  );
  await tx.manager.update(
    Attempt,
    { merchantId, operationId: operation.id, number: attempt.number },
    {
      lastSendBefore: attempt.lastSendBefore,
      providerReference: attempt.providerReference,
      outcome: attempt.outcome,
      evidence: attempt.evidence,
      detail: attempt.detail,
      finishedAt: attempt.finishedAt,
    },
  );
}
