import type { Tx } from "../db/transaction";
import type { DisputeSnapshot, Outcome, RefundSnapshot, Snapshot } from "../providers/provider";
import { adoptRefund } from "./adopt-refund";
import { lockPayment, type Finding } from "./outcome-rows";
import type { Payment } from "./payment.entity";
import { recordDispute } from "./record-dispute";
import { recordOutcome } from "./record-outcome";
import { Refund } from "./refund.entity";

/** What a provider was asked after it had told us of something, and what was known before it was asked. */
export interface Shown {
  /** The payment's create: what the payment shows is recorded as its outcome. */
  create: Pick<Finding, "paymentId" | "operationId" | "attempt" | "leaseToken" | "actor">;
  /** The payment's version before the provider was asked. */
  version: number;
  snapshot: Snapshot;
  refunds: RefundSnapshot[];
  dispute: DisputeSnapshot | null;
}

/**
 * Records what a provider shows of a payment, of its refunds and of a dispute about it, whoever made them.
 * @returns false where the payment has changed since the provider was asked: nothing is recorded, and it is asked again,
 * since what goes back (a refund that failed late) must not be taken for older, nor what is older for going back
 */
export async function recordShown(tx: Tx, shown: Shown): Promise<boolean> {
  const { create, snapshot, refunds, dispute } = shown;
  const { payment } = await lockPayment(tx, create.paymentId);
  if (payment.version !== shown.version) return false;
  await recordOutcome(tx, { ...create, outcome: { kind: "happened", snapshot, evidence: "webhook" } });
  for (const one of refunds) await recordOne(tx, shown, one);
  if (!dispute) return true;
  if (dispute.amount.currency === payment.currency)
    await recordDispute(tx, { paymentId: payment.id, shown: dispute, actor: create.actor });
  else await contradiction(tx, shown, `${dispute.reference} disputes ${dispute.amount.currency}`);
  return true;
}

/** A refund of ours ends its operation; one that was made at the provider is adopted, where that is possible. */
async function recordOne(tx: Tx, shown: Shown, one: RefundSnapshot): Promise<void> {
  const { create } = shown;
  const { payment } = await lockPayment(tx, create.paymentId);
  const ours = await ourRefund(tx, payment, one);
  if (ours && sameAmount(ours.refund, one)) {
    const outcome: Outcome<RefundSnapshot> = { kind: "happened", snapshot: one, evidence: "webhook" };
    await recordOutcome(tx, { ...create, operationId: ours.operationId, attempt: ours.attempt, outcome });
    return;
  }
  if (!ours && (await isPossible(tx, payment, one)))
    return adoptRefund(tx, { paymentId: payment.id, shown: one, actor: create.actor });
  await contradiction(tx, shown, `${one.reference} gives back ${one.amount.minor} ${one.amount.currency}`);
}

async function ourRefund(tx: Tx, payment: Payment, one: RefundSnapshot) {
  if (one.ours === null) return null;
  const [attempt] = await tx.sql<{ operation_id: string; number: number }>(
    `select operation_id, number from attempts where merchant_id = $1 and reference = $2 and payment_id = $3`,
    [tx.merchantId, one.ours, payment.id],
  );
  if (!attempt) return null;
  const { merchantId } = tx;
  const refund = await tx.manager.findOneBy(Refund, {
    merchantId,
    operationId: attempt.operation_id,
    paymentId: payment.id,
  });
  return refund && { refund, operationId: attempt.operation_id, attempt: attempt.number };
}

function sameAmount(refund: Refund, { amount }: RefundSnapshot): boolean {
  return refund.amount === amount.minor && refund.currency === amount.currency;
}

/** It is known already, or there is money to give back; one that was never paid out moves none. */
async function isPossible(
  tx: Tx,
  payment: Payment,
  { reference, amount, state }: RefundSnapshot,
): Promise<boolean> {
  if (amount.currency !== payment.currency) return false;
  if (state !== "succeeded" || payment.refunded + amount.minor <= payment.captured) return true;
  const { merchantId } = tx;
  const known = await tx.manager.findOneBy(Refund, { merchantId, providerReference: reference });
  return known?.status === "SUCCEEDED";
}

/** An operator decides. */
async function contradiction(tx: Tx, { create, snapshot }: Shown, detail: string): Promise<void> {
  const outcome: Outcome = { kind: "unknown", cause: "other_amount", seen: snapshot, detail };
  await recordOutcome(tx, { ...create, outcome, confirmed: true });
}
