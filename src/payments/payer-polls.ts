import type { DataSource } from "typeorm";
import { acrossMerchants, type Tx } from "../db/transaction";
import { newUuid } from "../shared/ids";
import type { Rows } from "./outcome-rows";

/** A payment whose payer may have acted, and the lease under which we ask. */
export interface DuePoll {
  merchantId: string;
  paymentId: string;
  operationId: string;
  attempt: number;
  leaseToken: string;
  /** How often it has been asked for, this time included. */
  polls: number;
}

/** How soon after it began to wait a payment is asked for (semantics section 4), in milliseconds. */
const FIRST_POLL_MS = 30_000;

/** A payment has begun to wait for its payer: from now on it is asked for. */
export async function beginPolls(tx: Tx, { payment, operation, attempt, now }: Rows): Promise<void> {
  const left = payment.expiresAt ? payment.expiresAt.getTime() - now.getTime() : FIRST_POLL_MS;
  await tx.sql(
    `insert into payer_polls (merchant_id, payment_id, operation_id, attempt, due_at)
     values ($1, $2, $3, $4, now() + $5 * interval '1 ms') on conflict do nothing`,
    [tx.merchantId, payment.id, operation.id, attempt.number, Math.max(0, Math.min(FIRST_POLL_MS, left))],
  );
}

/**
 * Takes up to `room` polls that are due, of all merchants. Two workers never take the same one.
 * @param lease milliseconds, after which it is due again
 */
export async function takeDuePolls(db: DataSource, room: number, lease: number): Promise<DuePoll[]> {
  const leaseToken = newUuid();
  const rows = await acrossMerchants<{
    merchant_id: string;
    payment_id: string;
    operation_id: string;
    attempt: number;
    polls: number;
  }>(
    db,
    `update payer_polls as p set lease_token = $1, due_at = now() + $2 * interval '1 ms', polls = polls + 1
     from (select merchant_id, payment_id from payer_polls
           where due_at <= now() order by due_at limit $3 for update skip locked) as due
     where p.merchant_id = due.merchant_id and p.payment_id = due.payment_id
     returning p.merchant_id, p.payment_id, p.operation_id, p.attempt, p.polls`,
    [leaseToken, lease, room],
  );
  return rows.map(({ merchant_id, payment_id, operation_id, attempt, polls }) => ({
    merchantId: merchant_id,
    paymentId: payment_id,
    operationId: operation_id,
    attempt,
    leaseToken,
    polls,
  }));
}

/** The next poll is due after `pause` milliseconds; with null there is none. Done only by the holder of the lease. */
export async function endPoll(db: DataSource, poll: DuePoll, pause: number | null): Promise<void> {
  const mine = [poll.merchantId, poll.paymentId, poll.leaseToken];
  const where = `where merchant_id = $1 and payment_id = $2 and lease_token = $3`;
  await (pause === null
    ? acrossMerchants(db, `delete from payer_polls ${where}`, mine)
    : acrossMerchants(
        db,
        `update payer_polls set lease_token = null, due_at = now() + $4 * interval '1 ms' ${where}`,
        [...mine, pause],
      ));
}
