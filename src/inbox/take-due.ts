import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import type { WebhookSubject } from "../providers/webhook";
import { newUuid } from "../shared/ids";

/** A stored event that is to be applied, under a lease that is ours. */
export interface DueEvent {
  merchantId: string;
  id: string;
  accountId: string;
  subject: WebhookSubject;
  leaseToken: string;
}

/** What became of applying an event. */
export type Applied =
  | { state: "APPLIED"; paymentId: string }
  /** It is about nothing of ours. */
  | { state: "IGNORED"; reason: string }
  /** Nothing of ours is known that it is about: it may be early. */
  | { state: "UNMATCHED"; reason: string }
  /** It is to be tried again. */
  | { state: "WAITING"; reason: string };

/** Takes up to `room` events that are due, oldest first; two workers never take the same one. */
export async function takeDueEvents(db: DataSource, room: number, lease: number): Promise<DueEvent[]> {
  const leaseToken = newUuid();
  const rows = await acrossMerchants<{
    merchant_id: string;
    id: string;
    provider_account_id: string;
    subject: WebhookSubject;
  }>(
    db,
    `update inbox as i set lease_token = $1, due_at = now() + $2 * interval '1 ms', tries = tries + 1
     from (select merchant_id, id from inbox where state = 'RECEIVED' and due_at <= now()
           order by due_at limit $3 for update skip locked) as due
     where i.merchant_id = due.merchant_id and i.id = due.id
     returning i.merchant_id, i.id, i.provider_account_id, i.subject`,
    [leaseToken, lease, room],
  );
  return rows.map(({ merchant_id: merchantId, id, provider_account_id: accountId, subject }) => ({
    merchantId,
    id,
    accountId,
    subject,
    leaseToken,
  }));
}

/** How long an event that matches nothing may be early. */
const EARLY_AT_MOST = "1 hour";

/**
 * Notes what became of an event and gives the lease back. What is to be tried again is due after a second, and from
 * the tenth try on after ever longer pauses, up to five minutes; it is never given up, and shows its last error.
 */
export async function noteApplied(db: DataSource, due: DueEvent, applied: Applied): Promise<void> {
  const paymentId = applied.state === "APPLIED" ? applied.paymentId : null;
  await acrossMerchants(
    db,
    `update inbox set
       state = case when $4 = 'UNMATCHED' and received_at < now() - interval '${EARLY_AT_MOST}' then 'UNATTRIBUTED'
                    when $4 in ('UNMATCHED', 'WAITING') then 'RECEIVED' else $4 end,
       due_at = now() + least(300, power(2, greatest(0, tries - 10))) * interval '1 s',
       applied_at = case when $4 = 'APPLIED' then now() end,
       payment_id = coalesce($5, payment_id), last_error = $6, lease_token = null
     where merchant_id = $1 and id = $2 and lease_token = $3`,
    [
      due.merchantId,
      due.id,
      due.leaseToken,
      applied.state,
      paymentId,
      applied.state === "APPLIED" ? null : applied.reason,
    ],
  );
}
