import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import type { Repeated } from "./count-repeats";
import type { OperationState } from "./operation.entity";

/** How often the one poller of this process looks; a call that ends in this process wakes its waiters itself. */
const POLL_EVERY_MS = 50;

/**
 * Repeats that wait for the call in flight. They hold no connection: one poller looks for all of them, and only while
 * somebody waits.
 */
export class Waiting {
  private readonly waiters = new Map<string, { merchantId: string; wake: Set<() => void> }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: DataSource) {}

  /** Resolves when the operation has left PROCESSING, its lease has run out, or `timeoutMs` has passed. */
  async untilAnswered({ merchantId, operationId }: Repeated, timeoutMs: number): Promise<void> {
    if (timeoutMs <= 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(deadline);
        this.remove(operationId, done);
        resolve();
      };
      const deadline = setTimeout(done, timeoutMs);
      const others = this.waiters.get(operationId) ?? { merchantId, wake: new Set() };
      others.wake.add(done);
      this.waiters.set(operationId, others);
      this.schedule();
    });
  }

  /** Told by whoever has just written the operation's answer in this process. */
  wake(operationId: string): void {
    for (const done of [...(this.waiters.get(operationId)?.wake ?? [])]) done();
  }

  private remove(operationId: string, done: () => void): void {
    const others = this.waiters.get(operationId);
    others?.wake.delete(done);
    if (others?.wake.size === 0) this.waiters.delete(operationId);
  }

  private schedule(): void {
    if (this.timer !== undefined || this.waiters.size === 0) return;
    this.timer = setTimeout(() => {
      void this.look().finally(() => {
        this.timer = undefined;
        this.schedule();
      });
    }, POLL_EVERY_MS);
  }

  private async look(): Promise<void> {
    try {
      const rows = await acrossMerchants<{ id: string; state: OperationState; leased: boolean }>(
        this.db,
        `select o.id, o.state, coalesce(u.lease_expires_at > now(), false) as leased
         from unnest($1::uuid[], $2::uuid[]) as w (merchant_id, operation_id)
         join operations as o on o.merchant_id = w.merchant_id and o.id = w.operation_id
         left join unfinished_operations as u on u.merchant_id = o.merchant_id and u.operation_id = o.id`,
        [[...this.waiters.values()].map((waiter) => waiter.merchantId), [...this.waiters.keys()]],
      );
      for (const row of rows) if (row.state !== "PROCESSING" || !row.leased) this.wake(row.id);
    } catch {
      // The database is away: whoever waits is answered by its own deadline, and the next look tries again.
    }
  }
}
