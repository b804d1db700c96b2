import { DataSource, EntityManager, QueryFailedError, QueryRunner } from "typeorm";
import { Refusal } from "../shared/refusal";

declare const tenant: unique symbol;

/** A way to read one merchant's rows. Only `readOnly` and `inTransaction` make one. */
export interface Reader {
  readonly [tenant]: "reader";
  readonly merchantId: string;
  readonly manager: EntityManager;
  /** Runs a statement and returns its rows, for UPDATE and DELETE … RETURNING too. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** An open SERIALIZABLE transaction of one merchant. A function that takes one never talks to a network. */
export interface Tx extends Reader {
  /** Milliseconds of the monotonic clock just before the transaction began: its `now()` is not earlier. */
  readonly beganAt: number;
}

/**
 * Runs `work` in one SERIALIZABLE transaction of one merchant and retries the whole of it on what a retry can mend.
 * `work` must be a single call that can run again from the start. Rows of other merchants are out of reach: the
 * transaction runs as the role `umavez_tenant`, under row-level security.
 * @throws Refusal UNAVAILABLE when the database is away or the retries ran out
 */
export async function inTransaction<T>(
  db: DataSource,
  merchantId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return retrying(() => once(db, merchantId, "BEGIN ISOLATION LEVEL SERIALIZABLE", work));
}

/** Runs `work` on one consistent, read-only view of one merchant's rows. */
export async function readOnly<T>(
  db: DataSource,
  merchantId: string,
  work: (read: Reader) => Promise<T>,
): Promise<T> {
  return retrying(() => once(db, merchantId, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work));
}

/**
 * Runs `work` in one READ COMMITTED transaction of one merchant: for work that queues on a lock, where a serializable one
 * would abort those who insert meanwhile. Each statement sees what has been committed before it.
 */
export async function inOrder<T>(
  db: DataSource,
  merchantId: string,
  work: (tx: Reader) => Promise<T>,
): Promise<T> {
  return retrying(() => once(db, merchantId, "BEGIN ISOLATION LEVEL READ COMMITTED", work));
}

/**
 * Runs one statement outside any merchant: credentials (which name the merchant) and the worker's look for due work.
 * @throws Refusal UNAVAILABLE when the database is away
 */
export async function acrossMerchants<Row>(
  db: DataSource,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return retrying(() => statement<Row>(db, text, values));
}

/** Whether the database answers. It is asked once. */
export async function answers(db: DataSource): Promise<boolean> {
  return statement(db, "select 1", []).then(
    () => true,
    () => false,
  );
}

async function statement<Row>(db: DataSource, text: string, values: unknown[]): Promise<Row[]> {
  const runner = db.createQueryRunner();
  let failure: Error | undefined;
  try {
    const { records } = await runner.query(text, values, true);
    return records as Row[];
  } catch (error) {
    // A connection on which an answer is still awaited would hold up whoever has it next.
    if (isConnectionLoss(error)) failure = error as Error;
    throw error;
  } finally {
    await discardOrRelease(runner, failure);
  }
}

async function once<T>(db: DataSource, merchantId: string, begin: string, work: (tx: Tx) => Promise<T>) {
  if (!UUID.test(merchantId)) throw new Error("assertion failed: a transaction belongs to a merchant");
  const runner = db.createQueryRunner();
  let failure: Error | undefined;
  try {
    await runner.connect();
    const beganAt = performance.now();
    // One round trip. The role and the merchant end with the transaction, so that a pooled connection keeps neither.
    // Without sequential scans, because one on a small table makes the transaction conflict with every writer of it.
    await runner.query(
      `${begin}; select set_config('umavez.merchant_id', '${merchantId}', true), set_config('role', 'umavez_tenant', true),
                        set_config('enable_seqscan', 'off', true)`,
    );
    const result = await work(handle(runner, merchantId, beganAt));
    await runner.query("COMMIT");
    return result;
  } catch (error) {
    failure = await rolledBack(runner, error);
    throw error;
  } finally {
    await discardOrRelease(runner, failure);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function handle(runner: QueryRunner, merchantId: string, beganAt: number): Tx {
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await runner.query(text, values, true)).records as Row[];
  return { merchantId, manager: runner.manager, sql, beganAt } as unknown as Tx;
}

/** Rolls back; where even that fails, the connection is of no more use and the error is returned. */
async function rolledBack(runner: QueryRunner, cause: unknown): Promise<Error | undefined> {
  if (isConnectionLoss(cause)) return cause as Error;
  try {
    await runner.query("ROLLBACK");
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function discardOrRelease(runner: QueryRunner, failure: Error | undefined): Promise<void> {
  if (failure === undefined) return runner.release();
  // A connection in an unknown state must not go back to the pool; TypeORM's public release cannot say so.
  await (
    runner as unknown as { releasePostgresConnection(error: Error): Promise<void> }
  ).releasePostgresConnection(failure);
}

// ── What a retry of the whole transaction can mend (storage.md, rule 8) ─────────────────────────────────────────

const RETRY_STATES = new Set([
  "40001", // serialization failure: another transaction came first
  "40P01", // deadlock
  "55P03", // lock_timeout: rolled back whole, like a deadlock
  "57P01", // the server is shutting down
  "57P02", // the server crashed
  "57P03", // the server is starting
  "25006", // read only: a failover is under way
  "53300", // too many connections
]);

/** Node's and node-postgres' words for a connection that is gone or cannot be had. */
const LOST =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|QueryRunner.*released|not queryable/i;
const LOST_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EHOSTUNREACH"]);

/** The SQLSTATE or system error code behind what TypeORM threw. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof QueryFailedError ? error.driverError : error;
  return (cause as { code?: string } | undefined)?.code;
}

function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (LOST_CODES.has(code) || code.startsWith("08"))) return true;
  return error instanceof Error && (LOST.test(error.message) || LOST.test(error.name));
}

function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "";
  return (
    isConnectionLoss(error) ||
    (code !== undefined && RETRY_STATES.has(code)) ||
    (code === "0A000" && message.includes("hot standby")) ||
    (code === "XX000" && message.includes("could not commit"))
  );
}

/** Bounded by time, so that a caller is told UNAVAILABLE while it still listens. */
const RETRY_FOR_MS = 10_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 200;

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + RETRY_FOR_MS;
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error)) throw isGone(error) ? unavailable(error) : error;
      if (performance.now() > until) throw unavailable(error);
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries));
    }
  }
}

/** The database is there but cannot serve now: a statement ran out of time, or the disk is full. */
function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === "57014" || (code !== undefined && code.startsWith("53"));
}

function unavailable(cause: unknown): Refusal<"UNAVAILABLE"> {
  const refusal = new Refusal(
    "UNAVAILABLE",
    "The database cannot be reached. Send the same key again; never a new one.",
    { retryAfterMs: 1_000 },
  );
  return Object.assign(refusal, { cause });
}

/** Full jitter: callers that collided once do not collide again together. */
function pause(most: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
