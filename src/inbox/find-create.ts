import type { Reader } from "../db/transaction";

/** A payment of ours that a provider's event is about, by its create. */
export interface KnownPayment {
  paymentId: string;
  operationId: string;
  attempt: number;
  version: number;
}

/** What it is found by. */
export interface SoughtPayment {
  /** The account that the event came to: another account's payments are none of its business. */
  accountId: string;
  /** The provider's id of the payment. */
  reference: string;
  /** Our attempt reference as the provider has it; null where it has not been asked. */
  ours: string | null;
}

/** By the provider's id where it was recorded, else by our reference. */
export async function findCreate(read: Reader, sought: SoughtPayment): Promise<KnownPayment | null> {
  const { accountId, reference, ours } = sought;
  const [found] = await read.sql<KnownPayment>(
    `select a.payment_id as "paymentId", a.operation_id as "operationId", a.number as attempt, p.version
     from attempts as a
     join operations as o on o.merchant_id = a.merchant_id and o.id = a.operation_id and o.kind = 'CREATE_PAYMENT'
     join payments as p on p.merchant_id = a.merchant_id and p.id = a.payment_id
     where a.merchant_id = $1 and a.provider_account_id = $2 and ${
       ours === null
         ? `o.payment_id in (select payment_id from provider_references
                             where merchant_id = $1 and provider_reference = $3)`
         : `a.reference = $3`
     }
     order by a.number desc limit 1`,
    [read.merchantId, accountId, ours ?? reference],
  );
  return found ?? null;
}
