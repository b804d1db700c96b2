import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import type { Waits } from "./poll-payers";

/** The create whose attempt has a reference, of whatever merchant: a payer has nothing but the address. */
export async function findReturned(db: DataSource, reference: string): Promise<Waits | null> {
  const [row] = await acrossMerchants<{
    merchant_id: string;
    payment_id: string;
    operation_id: string;
    number: number;
  }>(
    db,
    `select a.merchant_id, a.payment_id, a.operation_id, a.number from attempts as a
     join operations as o on o.merchant_id = a.merchant_id and o.id = a.operation_id
     where a.reference = $1 and o.kind = 'CREATE_PAYMENT'`,
    [reference],
  );
  if (!row) return null;
  const { merchant_id: merchantId, payment_id: paymentId, operation_id: operationId, number } = row;
  return { merchantId, paymentId, operationId, attempt: number };
}
