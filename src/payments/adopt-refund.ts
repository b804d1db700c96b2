import type { Tx } from "../db/transaction";
import type { RefundSnapshot } from "../providers/provider";
import { newUuid } from "../shared/ids";
import { moveFence } from "./order-fence";
import { change, lockPayment, writePayment, writeRefund } from "./outcome-rows";
import type { Actor } from "./payment-event.entity";
import { moveRefund } from "./record-refund";
import { Refund } from "./refund.entity";

/**
 * A refund that was made at the provider is one of the payment's: it has no operation and no key. What is known of it
 * already changes nothing.
 */
export async function adoptRefund(
  tx: Tx,
  { paymentId, shown, actor }: { paymentId: string; shown: RefundSnapshot; actor: Actor },
): Promise<void> {
  const { merchantId } = tx;
  const { payment, now } = await lockPayment(tx, paymentId);
  const known = await tx.manager.findOneBy(Refund, { merchantId, providerReference: shown.reference });
  const refund = known ?? newRefund(merchantId, paymentId, shown);
  const moving = { payment, refund, operation: null };
  const before = payment.status;
  if (!known) {
    await tx.manager.insert(Refund, refund);
    payment.refunding += refund.amount;
    await change(tx, moving, { actor }, { type: "refund.created", amount: refund.amount });
  }
  const moved = await moveRefund(tx, moving, { actor }, shown);
  if (known && moved === null) return;
  await moveFence(tx, payment, before, payment.status);
  await writePayment(tx, payment, now);
  await writeRefund(tx, refund, now);
}

function newRefund(merchantId: string, paymentId: string, { reference, amount }: RefundSnapshot): Refund {
  return Object.assign(new Refund(), {
    merchantId,
    id: newUuid(),
    paymentId,
    operationId: null,
    idempotencyKey: null,
    status: "PROCESSING",
    amount: amount.minor,
    currency: amount.currency,
    reason: null,
    failure: null,
    providerReference: reference,
  } satisfies Partial<Refund>);
}
