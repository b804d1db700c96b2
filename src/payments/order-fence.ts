import type { Tx } from "../db/transaction";
import { encodeId } from "../shared/ids";
import { Refusal } from "../shared/refusal";
import { DEAD_STATES, isLive, type PaymentStatus } from "./payment-state";

/** A payment of an order. */
interface Ordered {
  id: string;
  orderReference: string | null;
}

/**
 * The second fence, for keys that are chosen badly: an order has one live payment at most, unless the caller allows
 * another beside it (semantics section 2). Part of T1.
 * @throws Refusal CONFLICT, ORDER_HAS_LIVE_PAYMENT
 */
export async function enterFence(tx: Tx, payment: Ordered, allowAnother: boolean): Promise<void> {
  if (payment.orderReference === null) return;
  if (allowAnother) return takeOrJoin(tx, payment);
  const taken = await tx.sql(
    `insert into order_fences (merchant_id, order_reference, payment_id) values ($1, $2, $3)
     on conflict (merchant_id, order_reference) do nothing returning payment_id`,
    [tx.merchantId, payment.orderReference, payment.id],
  );
  if (taken.length === 0) throw await held(tx, payment.orderReference);
}

/** Takes the fence where it is free; else lives beside its holder. */
async function takeOrJoin(tx: Tx, { id, orderReference }: Ordered): Promise<void> {
  await tx.sql(
    `insert into order_fences (merchant_id, order_reference, payment_id) values ($1, $2, $3)
     on conflict (merchant_id, order_reference) do update set others = order_fences.others + 1`,
    [tx.merchantId, orderReference, id],
  );
}

async function held(tx: Tx, orderReference: string): Promise<Refusal<"CONFLICT">> {
  const [holder] = await tx.sql<{ payment_id: string; operation_id: string }>(
    `select f.payment_id, o.id as operation_id from order_fences as f
     join operations as o
       on o.merchant_id = f.merchant_id and o.payment_id = f.payment_id and o.kind = 'CREATE_PAYMENT'
     where f.merchant_id = $1 and f.order_reference = $2`,
    [tx.merchantId, orderReference],
  );
  if (!holder) throw new Error("assertion failed: an order's fence is held by a payment");
  const message =
    "This order has a live payment already. Ask for its state before you pay again; allowAnotherPayment takes another beside it.";
  return new Refusal("CONFLICT", message, {
    reason: "ORDER_HAS_LIVE_PAYMENT",
    paymentId: encodeId("pay", holder.payment_id),
    operationId: encodeId("op", holder.operation_id),
  });
}

/** Part of T2: a payment that leaves the live states lets its order go; late money takes it, if it is free. */
export async function moveFence(
  tx: Tx,
  payment: Ordered,
  before: PaymentStatus,
  after: PaymentStatus,
): Promise<void> {
  if (payment.orderReference === null || isLive(before) === isLive(after)) return;
  if (isLive(after)) return takeOrJoin(tx, payment);
  const ours = [tx.merchantId, payment.orderReference, payment.id];
  // The common case reads nothing but the fence itself.
  const [left] = await tx.sql<{ payment_id: string; others: number }>(
    `update order_fences set others = others - 1
     where merchant_id = $1 and order_reference = $2 and others > 0
     returning payment_id, others`,
    ours.slice(0, 2),
  );
  if (!left)
    await tx.sql(
      `delete from order_fences where merchant_id = $1 and order_reference = $2 and payment_id = $3`,
      ours,
    );
  else if (left.payment_id === payment.id) await handOver(tx, ours);
}

/** To the oldest of the other live payments of the order. */
async function handOver(tx: Tx, ours: unknown[]): Promise<void> {
  const [next] = await tx.sql<{ id: string }>(
    `select id from payments
     where merchant_id = $1 and order_reference = $2 and id <> $3 and status <> all($4)
     order by created_at, id limit 1`,
    [...ours, DEAD_STATES],
  );
  if (next)
    await tx.sql(`update order_fences set payment_id = $3 where merchant_id = $1 and order_reference = $2`, [
      ...ours.slice(0, 2),
      next.id,
    ]);
  else
    await tx.sql(
      `delete from order_fences where merchant_id = $1 and order_reference = $2`,
      ours.slice(0, 2),
    );
}
