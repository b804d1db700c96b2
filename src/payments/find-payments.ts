import { In } from "typeorm";
import type { Reader } from "../db/transaction";
import { Attempt } from "./attempt.entity";
import { Payment } from "./payment.entity";
import { DEAD_STATES } from "./payment-state";

/** Names one payment in one of these ways. */
export interface PaymentBy {
  /** The uuid. */
  id?: string;
  /** Of the merchant's own keys. */
  idempotencyKey?: string;
  /** The live payment of that order, else its latest. */
  orderReference?: string;
  providerReference?: string;
}

/** The payment that is named, or null: for absent and foreign ones alike. */
export async function findPayment(read: Reader, by: PaymentBy): Promise<Payment | null> {
  const { merchantId, manager } = read;
  if (by.id !== undefined) return manager.findOneBy(Payment, { merchantId, id: by.id });
  if (by.idempotencyKey !== undefined) return ofKey(read, by.idempotencyKey);
  if (by.providerReference !== undefined) return ofProvider(read, by.providerReference);
  return by.orderReference === undefined ? null : ofOrder(read, by.orderReference);
}

async function ofKey(read: Reader, idempotencyKey: string): Promise<Payment | null> {
  const [operation] = await read.sql<{ id: string }>(
    `select payment_id as id from operations
     where merchant_id = $1 and kind = 'CREATE_PAYMENT' and session_order = '' and idempotency_key = $2`,
    [read.merchantId, idempotencyKey],
  );
  return operation ? findPayment(read, { id: operation.id }) : null;
}

async function ofProvider(read: Reader, providerReference: string): Promise<Payment | null> {
  const [known] = await read.sql<{ id: string }>(
    `select payment_id as id from provider_references where merchant_id = $1 and provider_reference = $2 limit 1`,
    [read.merchantId, providerReference],
  );
  return known ? findPayment(read, { id: known.id }) : null;
}

async function ofOrder(read: Reader, orderReference: string): Promise<Payment | null> {
  const [payment] = await read.sql<{ id: string }>(
    `select id from payments where merchant_id = $1 and order_reference = $2
     order by (status = any($3)), created_at desc, id desc limit 1`,
    [read.merchantId, orderReference, DEAD_STATES],
  );
  return payment ? findPayment(read, { id: payment.id }) : null;
}

/** The payments with these ids, in no order. */
export async function paymentsOf(read: Reader, ids: string[]): Promise<Payment[]> {
  return ids.length === 0 ? [] : read.manager.findBy(Payment, { merchantId: read.merchantId, id: In(ids) });
}

/** The attempts of these operations, by operation and number. */
export async function attemptsOf(read: Reader, operationIds: string[]): Promise<Attempt[]> {
  return read.manager.find(Attempt, {
    where: { merchantId: read.merchantId, operationId: In(operationIds) },
    order: { operationId: "ASC", number: "ASC" },
  });
}
