import type { Tx } from "../db/transaction";
import type { DisputeSnapshot, Outcome, RefundSnapshot, Snapshot } from "../providers/provider";
import { adoptRefund } from "./adopt-refund";
import { amountsShown, isRevoked } from "./adopt-snapshot";
import { isPossible, ourRefund, sameAmount } from "./known-refund";
import { lockPayment, type Finding } from "./outcome-rows";
import { recordDispute } from "./record-dispute";
import { recordOutcome } from "./record-outcome";

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
  // What runs may have taken effect before the provider was asked, and its reply may be older than what was shown.
  if (payment.changing !== null && isRevoked(payment, amountsShown(payment, snapshot))) return false;
  const outcome: Outcome = { kind: "happened", snapshot, evidence: "webhook" };
  await recordOutcome(tx, { ...create, outcome, isLatest: true });
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

/** An operator decides. */
async function contradiction(tx: Tx, { create, snapshot }: Shown, detail: string): Promise<void> {
  const outcome: Outcome = { kind: "unknown", cause: "other_amount", seen: snapshot, detail };
  await recordOutcome(tx, { ...create, outcome, confirmed: true });
}
