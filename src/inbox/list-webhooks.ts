import type { Reader } from "../db/transaction";

/** What a provider told, and what became of it. */
export interface ToldEvent {
  type: string;
  /** RECEIVED waits to be applied; UNATTRIBUTED has matched nothing of ours for an hour. */
  state: "RECEIVED" | "APPLIED" | "IGNORED" | "UNATTRIBUTED";
  /** The provider's id of the event. */
  eventId: string;
  paymentId: string | null;
  tries: number;
  lastError: string | null;
  receivedAt: Date;
}

/**
 * What the merchant's providers told, newest first.
 * @param wanted.waiting only what could not be applied yet, or matches nothing
 */
export function listWebhooks(
  read: Reader,
  { first, waiting }: { first: number; waiting: boolean },
): Promise<ToldEvent[]> {
  return read.sql<ToldEvent>(
    `select type, state, event_id as "eventId", payment_id as "paymentId", tries, last_error as "lastError",
            received_at as "receivedAt"
     from inbox where merchant_id = $1 and (not $2 or state in ('RECEIVED', 'UNATTRIBUTED'))
     order by id desc limit $3`,
    [read.merchantId, waiting, first],
  );
}
