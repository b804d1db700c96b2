import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";

/** The provider has told something of a payment: recovery looks at what of it is unfinished, unless somebody does. */
export async function makeDue(db: DataSource, merchantId: string, paymentId: string): Promise<void> {
  await acrossMerchants(
    db,
    `update unfinished_operations as u set due_at = now()
     from operations as o
     where o.merchant_id = $1 and o.payment_id = $2 and u.merchant_id = o.merchant_id and u.operation_id = o.id
       and u.due_at > now() and (u.lease_expires_at is null or u.lease_expires_at < now())`,
    [merchantId, paymentId],
  );
}
