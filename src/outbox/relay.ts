import type { DataSource } from "typeorm";
import { acrossMerchants, inOrder, type Reader } from "../db/transaction";
import type { Consumer } from "./consumer";

/**
 * Gives committed events their positions, one merchant after the other, each under its own lock: what commits late gets a
 * later position and is never skipped. In the same transaction each event becomes due for every consumer.
 * @param batch how many events of one merchant at most
 * @returns how many events were numbered
 */
export async function relayEvents(
  db: DataSource,
  consumers: readonly Consumer[],
  batch: number,
): Promise<number> {
  const waiting = await acrossMerchants<{ merchant_id: string }>(
    db,
    `select distinct merchant_id from outbox`,
  );
  let relayed = 0;
  for (const { merchant_id: merchantId } of waiting)
    relayed += await inOrder(db, merchantId, (tx) => relayMerchant(tx, consumers, batch));
  return relayed;
}

async function relayMerchant(tx: Reader, consumers: readonly Consumer[], batch: number): Promise<number> {
  const { merchantId } = tx;
  const [feed] = await tx.sql<{ last_position: string }>(
    `insert into feeds (merchant_id) values ($1)
     on conflict (merchant_id) do update set last_position = feeds.last_position returning last_position`,
    [merchantId],
  );
  // A statement of its own: its snapshot is taken under the lock.
  const [numbered] = await tx.sql<{ n: string }>(
    `with taken as (
       delete from outbox where merchant_id = $1 and event_id in (
         select event_id from outbox where merchant_id = $1 order by number limit $3)
       returning event_id, number
     ), placed as (
       insert into feed_entries (merchant_id, position, event_id)
       select $1, $2::bigint + row_number() over (order by number), event_id from taken
       returning event_id
     ), due as (
       insert into effects (merchant_id, event_id, consumer, payment_id)
       select $1, e.id, c.name, e.payment_id from placed
       join payment_events as e on e.merchant_id = $1 and e.id = placed.event_id
       cross join unnest($4::text[]) as c (name)
     )
     select count(*) as n from placed`,
    [merchantId, feed?.last_position, batch, consumers.map((consumer) => consumer.name)],
  );
  const n = Number(numbered?.n);
  await tx.sql(`update feeds set last_position = last_position + $2 where merchant_id = $1`, [merchantId, n]);
  return n;
}
