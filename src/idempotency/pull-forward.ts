import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import type { Repeated } from "./count-repeats";

/** A caller that asks again and again does not make recovery ask the provider more often than this. */
const PULL_AT_MOST_EVERY_SECONDS = 30;

/** A repeat that meets an operation in doubt makes its next step of recovery due now. */
export async function pullForward(db: DataSource, { merchantId, operationId }: Repeated): Promise<void> {
  await acrossMerchants(
    db,
    `update unfinished_operations set due_at = now(), pulled_at = now()
     where merchant_id = $1 and operation_id = $2 and due_at > now()
       and (lease_expires_at is null or lease_expires_at < now())
       and (pulled_at is null or pulled_at < now() - $3 * interval '1 s')`,
    [merchantId, operationId, PULL_AT_MOST_EVERY_SECONDS],
  );
}
