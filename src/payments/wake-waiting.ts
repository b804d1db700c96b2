import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import type { ProviderAccount } from "../providers/provider-account.entity";

/** Spread, so that a provider that has just come back is not met by everybody at once. */
const SPREAD_SECONDS = 10;

/** A provider that answers again: what waits for it is due now, and not when its pause would have ended. */
export async function wakeWaiting(db: DataSource, account: ProviderAccount): Promise<void> {
  await acrossMerchants(
    db,
    `update unfinished_operations as u set due_at = now() + random() * $3 * interval '1 s'
     from attempts as a
     where u.due_at > now() + $3 * interval '1 s' and u.merchant_id = $1
       and (u.lease_expires_at is null or u.lease_expires_at < now())
       and a.merchant_id = u.merchant_id and a.operation_id = u.operation_id and a.provider_account_id = $2`,
    [account.merchantId, account.id, SPREAD_SECONDS],
  );
}
