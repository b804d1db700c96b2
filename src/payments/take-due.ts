import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import { newUuid } from "../shared/ids";

/** An operation whose next step is due, and the lease under which we take it. */
export interface Due {
  merchantId: string;
  operationId: string;
  leaseToken: string;
  /** Milliseconds of the monotonic clock, just before the lease was given. */
  leasedAt: number;
}

/**
 * Takes up to `room` operations that are due, oldest first, of all merchants, in one statement. Two workers never take
 * the same one, and neither waits for the other.
 * @param lease milliseconds
 */
export async function takeDue(db: DataSource, room: number, lease: number): Promise<Due[]> {
  const leasedAt = performance.now();
  const leaseToken = newUuid();
  const rows = await acrossMerchants<{ merchant_id: string; id: string }>(
    db,
    `update unfinished_operations as u
     set lease_token = $1, lease_expires_at = now() + $2 * interval '1 ms', due_at = now() + $2 * interval '1 ms',
         recovery_steps = recovery_steps + 1
     from (select merchant_id, operation_id from unfinished_operations
           where due_at <= now() order by due_at limit $3 for update skip locked) as due
     where u.merchant_id = due.merchant_id and u.operation_id = due.operation_id
     returning u.merchant_id, u.operation_id as id`,
    [leaseToken, lease, room],
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, operationId: row.id, leaseToken, leasedAt }));
}
