import type { Tx } from "../db/transaction";
import type { RefundSnapshot } from "../providers/provider";
import type { Payment } from "./payment.entity";
import { Refund } from "./refund.entity";

/** The refund of ours that the provider shows, with its operation; null where we did not make it. */
export async function ourRefund(tx: Tx, payment: Payment, one: RefundSnapshot) {
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

/** True where the provider shows it as we asked for it. */
export function sameAmount(refund: Refund, { amount }: RefundSnapshot): boolean {
  return refund.amount === amount.minor && refund.currency === amount.currency;
}

/** It is known already, or there is money to give back; one that was never paid out moves none. */
export async function isPossible(
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
