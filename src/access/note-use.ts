import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import type { Caller } from "./caller";

/** A key's last use is written at most once in this time (milliseconds). */
const NOTED_EVERY = 60_000;

/** Notes when keys were last used, beside the calls that use them: no call waits for it, none fails because of it. */
export class KeyUse {
  /** By key, when this process last noted its use. */
  private readonly noted = new Map<string, number>();

  constructor(private readonly db: DataSource) {}

  /** Resolves once the use is noted, or need not or cannot be. */
  async note({ merchantId, apiKeyId }: Pick<Caller, "merchantId" | "apiKeyId">): Promise<void> {
    const now = performance.now();
    if (now - (this.noted.get(apiKeyId) ?? -Infinity) < NOTED_EVERY) return;
    this.noted.set(apiKeyId, now);
    // Other processes note it too: whoever comes second neither waits for the first nor writes again.
    await acrossMerchants(
      this.db,
      `update api_keys set last_used_at = now() where (merchant_id, id) in
         (select merchant_id, id from api_keys
          where merchant_id = $1 and id = $2
            and (last_used_at is null or last_used_at < now() - $3 * interval '1 ms')
          for no key update skip locked)`,
      [merchantId, apiKeyId, NOTED_EVERY],
    ).catch(() => this.noted.delete(apiKeyId));
  }
}
