import type { Reader } from "../db/transaction";
import { filterName, readPage, withRows, type Page, type PageWanted } from "../db/page";
import { Where } from "../db/where";
import { operationsOf } from "../idempotency/find-operations";
import {
  hasEnded,
  type Operation,
  type OperationKind,
  type OperationState,
} from "../idempotency/operation.entity";

/** Which operations: those to which everything that is given applies. A list means any of its members. */
export interface OperationFilter {
  state?: OperationState[] | null;
  kind?: OperationKind[] | null;
  /** Parked, or neither ended nor younger than `stuckAfter`. False: the others. */
  stuck?: boolean | null;
  /** With at least one refused collision of its key. False: without. */
  collided?: boolean | null;
  /** Half open: from ≤ createdAt < to. */
  createdAt?: { from?: Date | null; to?: Date | null } | null;
}

/**
 * A page of the merchant's operations, newest first. The order never changes: a walk meets each operation that was there
 * at its start, and still matches, exactly once.
 * @param wanted `stuckAfter`: milliseconds within which an operation should have ended
 * @throws Refusal BAD_USER_INPUT for a cursor of another list, merchant or filter
 */
export async function listOperations(
  read: Reader,
  wanted: PageWanted & { filter?: OperationFilter | null; stuckAfter: number },
): Promise<Page<Operation>> {
  const filter = wanted.filter ?? {};
  const list = {
    name: ["operations", filterName(filter)],
    table: "operations",
    where: whereOf(read, filter, wanted.stuckAfter),
    time: "created_at",
    newestFirst: true,
  };
  const page = await readPage(read, list, wanted);
  const ids = page.edges.map((edge) => edge.node);
  return withRows(page, await operationsOf(read, ids));
}

function whereOf({ merchantId }: Reader, filter: OperationFilter, stuckAfter: number): Where {
  const { state, stuck, collided, createdAt } = filter;
  const where = new Where(merchantId)
    .and(state, (states) => `state = any(${states})`)
    .and(filter.kind, (kinds) => `kind = any(${kinds})`)
    .and(createdAt?.from, (from) => `created_at >= ${from}`)
    .and(createdAt?.to, (to) => `created_at < ${to}`);
  if (stuck === true || state?.every((one) => !hasEnded(one))) where.andThat(OPEN);
  if (stuck != null) where.and(stuckAfter, (ms) => (stuck ? stuckBy(ms) : `not (${stuckBy(ms)})`));
  if (collided != null) where.andThat(collided ? COLLIDED : NEVER_COLLIDED);
  return where;
}

const stuckBy = (ms: string) =>
  `(state = 'PARKED' or state not in ('SUCCEEDED', 'FAILED') and created_at < now() - ${ms} * interval '1 ms')`;

/**
 * Few among many, and no index on `state` may find them (docs/decisions/0003): what is under way has a row of its own,
 * and what was ever parked an event.
 */
const OPEN = `id = any(array(
  select operation_id from unfinished_operations where merchant_id = $1
  union all select operation_id from payment_events where merchant_id = $1 and type = 'operation.parked'))`;

const COLLIDED = `id = any(array(select operation_id from operation_counters where merchant_id = $1 and collisions > 0))`;

const NEVER_COLLIDED = `not exists (
  select from operation_counters as c where c.merchant_id = $1 and c.operation_id = operations.id and c.collisions > 0)`;
