import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";

/**
 * Erases what old keys stood for, once REPLAY_WINDOW has passed: the stored intent, the result, the fields in which
 * collisions differed and the requests that were sent. The key, its fingerprint and its payment stay for ever: a key
 * never expires into a second charge. What has not ended is never erased.
 * @param batch how many operations at most
 * @returns how many were erased
 */
export async function eraseContent(db: DataSource, batch: number): Promise<number> {
  const erased = await acrossMerchants(
    db,
    `with old as (
       select merchant_id, id from operations
       where intent is not null and replayable_until < now() and state in ('SUCCEEDED', 'FAILED')
       order by replayable_until limit $1 for update skip locked
     ), collided as (
       update key_collisions as c set changed_fields = null
       from old where c.merchant_id = old.merchant_id and c.operation_id = old.id
     ), sent as (
       update attempts as a set request = null
       from old where a.merchant_id = old.merchant_id and a.operation_id = old.id
     )
     update operations as o set intent = null, result = null, reason = null
     from old where o.merchant_id = old.merchant_id and o.id = old.id returning o.id`,
    [batch],
  );
  return erased.length;
}
