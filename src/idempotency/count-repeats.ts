import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import { newUuid } from "../shared/ids";

/** The operation whose key was sent again. */
export interface Repeated {
  merchantId: string;
  operationId: string;
}

/** Counts the repeats of keys, outside T1 and T2. Repeats that arrive together in one process are one statement. */
export class RepeatCounter {
  private readonly waiting = new Map<string, { add: number; written: Promise<void> }>();

  constructor(private readonly db: DataSource) {}

  /** Counts one replay; resolved once it is written. */
  countReplay(repeated: Repeated): Promise<void> {
    const joined = this.waiting.get(repeated.operationId);
    if (joined) {
      joined.add += 1;
      return joined.written;
    }
    const batch = { add: 1, written: Promise.resolve() };
    this.waiting.set(repeated.operationId, batch);
    // The next turn of the event loop: those who arrive with us are counted with us.
    batch.written = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.waiting.delete(repeated.operationId);
      return this.add(repeated, batch.add);
    });
    return batch.written;
  }

  private async add({ merchantId, operationId }: Repeated, replays: number): Promise<void> {
    await acrossMerchants(
      this.db,
      `insert into operation_counters (merchant_id, operation_id, replays) values ($1, $2, $3)
       on conflict (merchant_id, operation_id) do update set replays = operation_counters.replays + excluded.replays`,
      [merchantId, operationId, replays],
    );
  }
}

/** Counts and lists one refused use of a key. */
export async function recordCollision(
  db: DataSource,
  { merchantId, operationId }: Repeated,
  changedFields: string[] | null,
  actor: string,
): Promise<void> {
  await acrossMerchants(
    db,
    `with listed as (
       insert into key_collisions (merchant_id, operation_id, id, changed_fields, actor) values ($1, $2, $3, $4, $5)
     )
     insert into operation_counters (merchant_id, operation_id, collisions) values ($1, $2, 1)
     on conflict (merchant_id, operation_id) do update set collisions = operation_counters.collisions + 1`,
    [merchantId, operationId, newUuid(), changedFields, actor],
  );
}
