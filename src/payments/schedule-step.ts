import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";

/**
 * Gives the lease back, and makes the operation's next step due after `pause` milliseconds, for whoever takes it. Not in
 * T2: `due_at` is indexed, so that its change writes to every index of its table, and T2s that have read them would
 * abort each other (docs/decisions/0003-no-foreign-keys-in-the-payment-path.md). Where it is not reached, the lease runs
 * out by itself.
 */
export async function scheduleStep(
  db: DataSource,
  lease: { merchantId: string; operationId: string; leaseToken: string },
  pause: number,
): Promise<void> {
  await acrossMerchants(
    db,
    `update unfinished_operations
     set lease_token = null, lease_expires_at = null, due_at = now() + $4 * interval '1 ms'
     where merchant_id = $1 and operation_id = $2 and lease_token = $3`,
    [lease.merchantId, lease.operationId, lease.leaseToken, pause],
  );
}
