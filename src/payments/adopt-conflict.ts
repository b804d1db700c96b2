import type { Tx } from "../db/transaction";
import { amountsShown } from "./adopt-snapshot";
import { adoptRefund } from "./adopt-refund";
import type { ShownConflict } from "./conflict";
import { isPossible, ourRefund } from "./known-refund";
import { writePayment } from "./outcome-rows";
import { Payment } from "./payment.entity";
import { holdsBounds } from "./payment-state";
import { invalidState } from "./refuse-state";

/**
 * Part of T1: what the provider shows of a payment that is CONFLICTED becomes its amounts, so that the bounds hold for
 * what is decided about it; refunds that were made there are adopted. It stays CONFLICTED.
 * @returns the payment as it stands then
 * @throws Refusal INVALID_STATE where more was given back than was charged
 */
export async function adoptConflict(
  tx: Tx,
  payment: Payment,
  { kept, refunds }: ShownConflict,
  now: Date,
): Promise<Payment> {
  payment.providerReference = kept.reference;
  payment.providerAmount = kept.amount.minor === payment.amount ? null : kept.amount.minor;
  Object.assign(payment, amountsShown(payment, kept));
  payment.card = kept.card ?? payment.card;
  if (!holdsBounds(payment)) throw overBounds(payment);
  await writePayment(tx, payment, now);
  for (const shown of refunds) {
    if (await ourRefund(tx, payment, shown)) continue;
    if (!(await isPossible(tx, payment, shown))) throw overBounds(payment);
    await adoptRefund(tx, { paymentId: payment.id, shown, actor: "operator" });
  }
  return tx.manager.findOneByOrFail(Payment, { merchantId: tx.merchantId, id: payment.id });
}

function overBounds(payment: Payment) {
  return invalidState(payment, "More was given back than the provider shows to be charged.");
}
