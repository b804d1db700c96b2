import type { DataSource } from "typeorm";
import { acrossMerchants, inTransaction, type Tx } from "../db/transaction";
import { encodeId } from "../shared/ids";
import type { Log } from "../shared/log";
import { effectKeyOf, type Consumer, type DatabaseConsumer, type Told } from "./consumer";

/** An effect under way, or one whose worker died, is tried again after this time. */
const LEASE_SECONDS = 60;

/** Pauses between tries: doubled from the first to the longest. After the last try an operator is asked for. */
const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 3_600;
const TRIES_AT_MOST = 30;

/** One effect that is due. */
interface Due extends Told {
  consumer: string;
  attempts: number;
}

/** What the consumers' work needs. */
export interface Effects {
  db: DataSource;
  log: Log;
  consumers: readonly Consumer[];
}

/**
 * Takes the effects that are due and lets their consumers have them, side by side. Two workers never take the same one
 * at a time.
 * @returns how many were taken
 */
export async function applyEffects(effects: Effects, batch: number): Promise<number> {
  const { db, consumers } = effects;
  const due = await acrossMerchants<Due>(
    db,
    `with due as (
       select merchant_id, event_id, consumer from effects
       where state = 'PENDING' and due_at <= now() and consumer = any($2)
       order by due_at limit $1 for update skip locked
     )
     update effects as f set due_at = now() + $3 * interval '1 s', attempts = attempts + 1
     from due join payment_events as e on e.merchant_id = due.merchant_id and e.id = due.event_id
     where f.merchant_id = due.merchant_id and f.event_id = due.event_id and f.consumer = due.consumer
     returning f.merchant_id as "merchantId", f.event_id as "eventId", f.payment_id as "paymentId", e.type, f.consumer,
               f.attempts`,
    [batch, consumers.map((consumer) => consumer.name), LEASE_SECONDS],
  );
  await Promise.all(due.map((one) => applyEffect(effects, one)));
  return due.length;
}

async function applyEffect({ db, log, consumers }: Effects, due: Due): Promise<void> {
  const consumer = consumers.find(({ name }) => name === due.consumer);
  if (!consumer) return;
  try {
    if (consumer.kind === "database") {
      await inTransaction(db, due.merchantId, (tx) => applyOnce(tx, consumer, due));
    } else {
      await consumer.deliver(due, effectKeyOf(consumer.name, encodeId("evt", due.eventId)));
      await acrossMerchants(db, DONE, keyOf(due));
    }
  } catch (error) {
    log.warn(
      { err: error, consumer: due.consumer, event: due.eventId },
      "an effect failed, and is tried again",
    );
    await noteFailure(db, due, error);
  }
}

/** The effect and its key, in one transaction. */
async function applyOnce(tx: Tx, consumer: DatabaseConsumer, due: Due): Promise<void> {
  const mine = await tx.sql(`${DONE} returning consumer`, keyOf(due));
  if (mine.length === 1) await consumer.apply(tx, due);
}

const DONE = `
  update effects set state = 'DONE', done_at = now(), last_error = null
  where merchant_id = $1 and event_id = $2 and consumer = $3 and state = 'PENDING'`;

function keyOf({ merchantId, eventId, consumer }: Due): string[] {
  return [merchantId, eventId, consumer];
}

async function noteFailure(db: DataSource, due: Due, error: unknown): Promise<void> {
  const pause = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (due.attempts - 1));
  await acrossMerchants(
    db,
    `update effects set last_error = $4, due_at = now() + $5 * interval '1 s',
       state = case when attempts >= $6 then 'PARKED' else state end
     where merchant_id = $1 and event_id = $2 and consumer = $3 and state = 'PENDING'`,
    [...keyOf(due), String((error as Error).message ?? error).slice(0, 500), pause, TRIES_AT_MOST],
  );
}
