import type { Reader } from "../db/transaction";
import { ENDED_UNPAID, statusShown, type PaymentStatus } from "../payments/payment-state";
import type { RefundStatus } from "../payments/refund.entity";
import type { ShownPayment, ShownRefund, WebhookSubject } from "../providers/webhook";

/**
 * The payment that stands already where an event says: most events tell of what we did ourselves and were answered, and
 * asking the provider once more would find nothing new. Whatever differs, in the least, is asked for.
 * @returns null where there is something to ask for
 */
export async function findTold(
  read: Reader,
  { accountId, subject }: { accountId: string; subject: WebhookSubject },
): Promise<string | null> {
  if ((subject.kind !== "payment" && subject.kind !== "refund") || !subject.shown) return null;
  if (subject.kind === "payment") {
    const [found] = await read.sql<KnownPayment>(
      `select p.id, p.status, p.currency, p.amount, p.authorized, p.captured, p.refunded
       from provider_references as r
       join payments as p on p.merchant_id = r.merchant_id and p.id = r.payment_id
       where r.merchant_id = $1 and r.provider_reference = $2 and p.provider_reference = $2
         and p.provider_account_id = $3`,
      [read.merchantId, subject.reference, accountId],
    );
    return found && standsThere(found, subject.shown) ? found.id : null;
  }
  if (subject.reference === null) return null;
  const [found] = await read.sql<KnownRefund>(
    `select r.payment_id, r.status, r.currency, r.amount
     from refunds as r
     join payments as p on p.merchant_id = r.merchant_id and p.id = r.payment_id
     where r.merchant_id = $1 and r.provider_reference = $2 and p.provider_reference = $3
       and p.provider_account_id = $4`,
    [read.merchantId, subject.reference, subject.payment, accountId],
  );
  return found && endedThere(found, subject.shown) ? found.payment_id : null;
}

/** Amounts are minor units, as the database writes them. */
interface KnownPayment {
  id: string;
  status: PaymentStatus;
  currency: string;
  amount: string;
  authorized: string;
  captured: string;
  refunded: string;
}

function standsThere(payment: KnownPayment, shown: ShownPayment): boolean {
  const amounts = {
    authorized: BigInt(shown.authorized),
    captured: BigInt(shown.captured),
    refunded: BigInt(payment.refunded),
  };
  return (
    statusShown(shown.state, amounts) === payment.status &&
    shown.currency === payment.currency &&
    shown.amount === payment.amount &&
    shown.captured === payment.captured &&
    // Of what came to nothing the provider no longer tells what was held.
    (ENDED_UNPAID.includes(payment.status) || shown.authorized === payment.authorized)
  );
}

interface KnownRefund {
  payment_id: string;
  status: RefundStatus;
  currency: string;
  amount: string;
}

function endedThere(refund: KnownRefund, shown: ShownRefund): boolean {
  return (
    shown.state.toUpperCase() === refund.status &&
    shown.currency === refund.currency &&
    shown.amount === refund.amount
  );
}
