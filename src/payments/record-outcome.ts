import type { Tx } from "../db/transaction";
import { hasEnded, Operation, OperationState, UnfinishedOperation } from "../idempotency/operation.entity";
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
  paymentId: string;
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

/** The rows that an outcome changes, locked, at one instant of the database's clock. */
interface Rows {
  now: Date;
  payment: Payment;
  operation: Operation;
  /** Null once the operation has ended or is parked. */
  unfinished: UnfinishedOperation | null;
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

async function lockRows(tx: Tx, { paymentId, operationId, attempt: number }: Finding): Promise<Rows> {
  const { merchantId } = tx;
  // The weaker lock: a foreign key's share lock against FOR UPDATE deadlocks two changes of one payment.
  const [locked] = await tx.sql<{ now: Date }>(
    `select now() as now from payments where merchant_id = $1 and id = $2 for no key update`,
    [merchantId, paymentId],
  );
  assert(locked, "an outcome belongs to a payment");
  const payment = await tx.manager.findOneByOrFail(Payment, { merchantId, id: paymentId });
  const operation = await tx.manager.findOneByOrFail(Operation, { merchantId, id: operationId });
  const attempt = await tx.manager.findOneByOrFail(Attempt, { merchantId, operationId, number });
  const unfinished = await tx.manager.findOneBy(UnfinishedOperation, { merchantId, operationId });
  return { now: locked.now, payment, operation, unfinished, attempt };
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
    if (rows.unfinished) {
      operation.state = "AWAITING_PROVIDER";
      schedule(rows, pollAfter(rows.unfinished.recoverySteps));
    }
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
  const { payment, operation, attempt, unfinished } = rows;
  if (unfinished?.leaseToken !== finding.leaseToken) return payment.status;
  attempt.outcome = "UNKNOWN";
  attempt.detail = outcome.detail;
  attempt.providerReference = outcome.seen?.reference ?? attempt.providerReference;
  operation.lastError = `${outcome.cause}: ${outcome.detail}`;
  const event = eventOf(payment.status, "IN_DOUBT");
  if (event) {
    payment.status = "IN_DOUBT";
    await change(tx, rows, finding, event);
  }
  const pause = pauseAfter(unfinished.recoverySteps);
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

function end(rows: Rows, state: OperationState): void {
  const { payment, operation, attempt, now } = rows;
  attempt.finishedAt ??= now;
  if (hasEnded(operation.state)) return;
  operation.state = state;
  operation.result = resultOf(payment, now);
  operation.completedAt = now;
  rows.unfinished = null;
}

async function park(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  const { payment, operation } = rows;
  operation.state = "PARKED";
  rows.unfinished = null;
  await recordEvent(tx, payment, {
    type: "operation.parked",
    operationId: operation.id,
    actor: finding.actor,
  });
}

/** The next step of recovery is due after `pause` milliseconds, for whoever takes it. */
function schedule({ unfinished, now }: Rows, pause: number): void {
  assert(unfinished, "only what is unfinished has a next step");
  unfinished.leaseToken = null;
  unfinished.leaseExpiresAt = null;
  unfinished.dueAt = new Date(now.getTime() + pause);
}

function evidenceOf(outcome: Outcome): string | null {
  return outcome.kind === "unknown" ? null : outcome.evidence;
}

/** Writes the columns that outcomes own, never whole entities: what others own is not overwritten. */
async function write(tx: Tx, rows: Rows): Promise<void> {
  const { merchantId } = tx;
  const { payment, operation, attempt, unfinished, now } = rows;
  await tx.manager.update(
    Payment,
    { merchantId, id: payment.id },
    { ...pick(payment, PAYMENT_COLUMNS), updatedAt: now },
  );
  await tx.manager.update(Operation, { merchantId, id: operation.id }, pick(operation, OPERATION_COLUMNS));
  const attempted = { merchantId, operationId: operation.id, number: attempt.number };
  await tx.manager.update(Attempt, attempted, pick(attempt, ATTEMPT_COLUMNS));
  const mine = { merchantId, operationId: operation.id };
  if (unfinished) await tx.manager.update(UnfinishedOperation, mine, pick(unfinished, UNFINISHED_COLUMNS));
  else await tx.manager.delete(UnfinishedOperation, mine);
  if (attempt.providerReference !== null)
    await tx.sql(`insert into provider_references values ($1, $2, $3) on conflict do nothing`, [
      merchantId,
      attempt.providerReference,
      payment.id,
    ]);
}

const PAYMENT_COLUMNS = [
  "status",
  "version",
  "eventCount",
  "authorized",
  "captured",
  "refunded",
  "card",
  "nextAction",
  "failure",
  "providerReference",
  "authorizedAt",
  "capturedAt",
] as const;
const OPERATION_COLUMNS = ["state", "result", "lastError", "completedAt"] as const;
const ATTEMPT_COLUMNS = [
  "lastSendBefore",
  "providerReference",
  "outcome",
  "evidence",
  "detail",
  "finishedAt",
] as const;
const UNFINISHED_COLUMNS = ["leaseToken", "leaseExpiresAt", "dueAt"] as const;

function pick<T, K extends keyof T>(row: T, columns: readonly K[]): Pick<T, K> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<T, K>;
}
