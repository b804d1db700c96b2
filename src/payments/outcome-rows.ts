import type { Tx } from "../db/transaction";
import {
  hasEnded,
  Operation,
  UnfinishedOperation,
  type OperationState,
} from "../idempotency/operation.entity";
import type { Failure, Outcome, RefundSnapshot, Snapshot, Unknown } from "../providers/provider";
import { assert } from "../shared/assert";
import { Attempt } from "./attempt.entity";
import { resultOf } from "./operation-result";
import type { Actor } from "./payment-event.entity";
import { Payment } from "./payment.entity";
import type { PaymentEventType } from "./payment-state";
import { recordEvent } from "./record-event";
import { pauseAfter } from "./recovery-schedule";
import { Refund } from "./refund.entity";

/** What was found out about one attempt of an operation, and by whom. */
export interface Finding {
  paymentId: string;
  operationId: string;
  attempt: number;
  outcome: Outcome | Outcome<RefundSnapshot>;
  actor: Actor;
  /** Who asked: an `unknown` is recorded only by the holder of the lease. */
  leaseToken: string;
  /** True where a second look showed the same contradiction: then an operator decides. */
  confirmed?: boolean;
  /** Applied only where the payment is still at this version: for conclusions from the clock or from absence. */
  onlyAtVersion?: number;
  /** The payment's version before the provider was asked: what it shows may be older than what is known by now. */
  askedAtVersion?: number;
  /** True where nothing has changed since the provider was asked: only then what it shows may go back. */
  isLatest?: boolean;
  /** True where a call of ours to the provider has just ended: nothing of the attempt leaves us after it. */
  callEnded?: boolean;
  /** When the next step is worth taking at the earliest, in milliseconds from now; the schedule's pause when absent. */
  nextStepWithin?: number;
}

/** The rows that an outcome changes, locked, at one instant of the database's clock. */
export interface Rows {
  now: Date;
  payment: Payment;
  operation: Operation;
  /** Null once the operation has ended or is parked. */
  unfinished: UnfinishedOperation | null;
  /** In how many milliseconds the next step is due; null where there is none, or the lease goes on. */
  nextStepIn: number | null;
  attempt: Attempt;
  /** Of a refund's operation. */
  refund: Refund | null;
}

/** Locks the payment, which queues all changes of it, and reads what belongs to the operation. */
export async function lockRows(
  tx: Tx,
  { paymentId, operationId, attempt: number }: Pick<Finding, "paymentId" | "operationId" | "attempt">,
): Promise<Rows> {
  const { merchantId } = tx;
  const { payment, now } = await lockPayment(tx, paymentId);
  const operation = await tx.manager.findOneByOrFail(Operation, { merchantId, id: operationId });
  const attempt = await tx.manager.findOneByOrFail(Attempt, { merchantId, operationId, number });
  const unfinished = await tx.manager.findOneBy(UnfinishedOperation, { merchantId, operationId });
  const { refundId } = operation;
  const refund =
    refundId === null ? null : await tx.manager.findOneByOrFail(Refund, { merchantId, id: refundId });
  return { now, payment, operation, unfinished, nextStepIn: null, attempt, refund };
}

/**
 * Locks a payment, which queues all changes of it, at one instant of the database's clock.
 * @returns null where the merchant has no such payment
 */
export async function lockPaymentIfAny(tx: Tx, id: string): Promise<Pick<Rows, "now" | "payment"> | null> {
  const { merchantId } = tx;
  // The weaker lock: a foreign key's share lock against FOR UPDATE deadlocks two changes of one payment.
  const [locked] = await tx.sql<{ now: Date }>(
    `select now() as now from payments where merchant_id = $1 and id = $2 for no key update`,
    [merchantId, id],
  );
  if (!locked) return null;
  return { now: locked.now, payment: await tx.manager.findOneByOrFail(Payment, { merchantId, id }) };
}

/** The same of a payment that is known to be there. */
export async function lockPayment(tx: Tx, id: string): Promise<Pick<Rows, "now" | "payment">> {
  const locked = await lockPaymentIfAny(tx, id);
  assert(locked, "an outcome belongs to a payment");
  return locked;
}

/** What a change is told as. */
export interface Change {
  type: PaymentEventType;
  /** Minor units that moved; the payment's amount when absent. */
  amount?: bigint;
}

/** What changes; without an operation where it was done at the provider. */
export interface Changing {
  payment: Payment;
  operation: Pick<Operation, "id"> | null;
  refund: Refund | null;
}

/** One change of the payment: its version grows by one, and an event tells of it. */
export async function change(
  tx: Tx,
  rows: Changing,
  { actor }: Pick<Finding, "actor">,
  { type, amount }: Change,
): Promise<void> {
  const { payment, operation, refund } = rows;
  payment.version += 1;
  await recordEvent(tx, payment, {
    type,
    operationId: operation?.id ?? null,
    actor,
    amount,
    refundId: type.startsWith("refund.") ? refund?.id : undefined,
  });
}

/** The operation is over: its result is frozen, and what it held of the payment is free. */
export function end(rows: Rows, state: OperationState, failure: Failure | null = rows.payment.failure): void {
  const { payment, operation, attempt, refund, now } = rows;
  attempt.finishedAt ??= now;
  if (hasEnded(operation.state)) return;
  if (payment.changing === operation.id) {
    payment.changing = null;
    payment.capturing = 0n;
  }
  operation.state = state;
  operation.result = resultOf({ payment, refund, failure }, now);
  operation.completedAt = now;
  rows.unfinished = null;
}

/** Safe steps have run out, or the evidence contradicts itself: an operator decides. */
export async function park(tx: Tx, rows: Rows, finding: Finding): Promise<void> {
  const { payment, operation } = rows;
  operation.state = "PARKED";
  rows.unfinished = null;
  await recordEvent(tx, payment, {
    type: "operation.parked",
    operationId: operation.id,
    actor: finding.actor,
  });
}

/** The next step of recovery is to be due after `pause` milliseconds. */
export function schedule(rows: Rows, pause: number): void {
  assert(rows.unfinished, "only what is unfinished has a next step");
  rows.nextStepIn = pause;
}

/** True where the finder may record a doubt: whoever holds the lease asked last. */
export function holdsLease({ unfinished }: Rows, finding: Finding): boolean {
  return unfinished !== null && unfinished.leaseToken === finding.leaseToken;
}

/** Nobody knows yet: recovery asks again, until its safe steps run out. */
export async function wait(
  tx: Tx,
  rows: Rows,
  finding: Finding,
  outcome: Unknown<Snapshot | RefundSnapshot>,
): Promise<void> {
  const { operation, attempt, unfinished, now } = rows;
  assert(unfinished, "a doubt is about what is unfinished");
  attempt.outcome = "UNKNOWN";
  attempt.detail = outcome.detail;
  attempt.providerReference = outcome.seen?.reference ?? attempt.providerReference;
  operation.lastError = `${outcome.cause}: ${outcome.detail}`;
  const pause = pauseAfter(unfinished.recoverySteps);
  if (pause === null) return park(tx, rows, finding);
  operation.state = "IN_DOUBT";
  schedule(rows, Math.min(pause, finding.nextStepWithin ?? pause));
  if (finding.callEnded) attempt.lastSendBefore = now;
}

/** Writes the columns that outcomes own, never whole entities: what others own is not overwritten. */
export async function write(tx: Tx, rows: Rows): Promise<void> {
  const { merchantId } = tx;
  const { payment, operation, attempt, unfinished, refund, now } = rows;
  await writePayment(tx, payment, now);
  await tx.manager.update(Operation, { merchantId, id: operation.id }, pick(operation, OPERATION_COLUMNS));
  const attempted = { merchantId, operationId: operation.id, number: attempt.number };
  await tx.manager.update(Attempt, attempted, pick(attempt, ATTEMPT_COLUMNS));
  const mine = { merchantId, operationId: operation.id };
  if (!unfinished) await tx.manager.delete(UnfinishedOperation, mine);
  if (refund) await writeRefund(tx, refund, now);
  if (attempt.providerReference !== null)
    await tx.sql(`insert into provider_references values ($1, $2, $3) on conflict do nothing`, [
      merchantId,
      attempt.providerReference,
      payment.id,
    ]);
}

/** Writes what outcomes own of a payment. */
export async function writePayment(tx: Tx, payment: Payment, now: Date): Promise<void> {
  const { merchantId } = tx;
  const changed = { ...pick(payment, PAYMENT_COLUMNS), updatedAt: now };
  await tx.manager.update(Payment, { merchantId, id: payment.id }, changed);
}

/** Writes what outcomes own of a refund. */
export async function writeRefund(tx: Tx, refund: Refund, now: Date): Promise<void> {
  const { merchantId } = tx;
  const changed = { ...pick(refund, REFUND_COLUMNS), updatedAt: now };
  await tx.manager.update(Refund, { merchantId, id: refund.id }, changed);
}

const PAYMENT_COLUMNS = [
  "status",
  "version",
  "eventCount",
  "providerAmount",
  "authorized",
  "captured",
  "capturing",
  "refunded",
  "refunding",
  "disputed",
  "surplus",
  "contradictions",
  "changing",
  "card",
  "payerCode",
  "nextAction",
  "failure",
  "providerReference",
  "authorizedAt",
  "capturedAt",
  "expiresAt",
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
const REFUND_COLUMNS = ["status", "failure", "providerReference"] as const;

function pick<T, K extends keyof T>(row: T, columns: readonly K[]): Pick<T, K> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<T, K>;
}
