import type { Tx } from "../db/transaction";
import { newUuid } from "../shared/ids";
import type { Actor } from "./payment-event.entity";
import type { Payment } from "./payment.entity";
import type { PaymentEventType } from "./payment-state";

/** What there is to tell. */
export interface Told {
  type: PaymentEventType;
  /** Null for what no operation of ours did. */
  operationId: string | null;
  actor: Actor;
  /** Minor units that moved; the payment's amount when absent. */
  amount?: bigint;
  refundId?: string;
}

/**
 * Writes one line of a payment's history and its outbox row, in the transaction of the change it tells of. The line's
 * number is counted on the payment, whose row that transaction writes after this.
 */
export async function recordEvent(tx: Tx, payment: Payment, told: Told): Promise<void> {
  payment.eventCount += 1;
  await tx.sql(
    `with event as (
       insert into payment_events (merchant_id, id, payment_id, sequence, type, status, amount, operation_id, actor, refund_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning merchant_id, id
     )
     insert into outbox (merchant_id, event_id) select merchant_id, id from event`,
    [
      tx.merchantId,
      newUuid(),
      payment.id,
      payment.eventCount,
      told.type,
      payment.status,
      (told.amount ?? payment.amount).toString(),
      told.operationId,
      told.actor,
      told.refundId ?? null,
    ],
  );
}
