import { Client } from "pg";
import { DataSource } from "typeorm";
import { ChargeOnce1764547200000 } from "../../migrations/1764547200000-charge-once";
import { CaptureCancelRefund1764633600000 } from "../../migrations/1764633600000-capture-cancel-refund";
import { Lists1764640800000 } from "../../migrations/1764640800000-lists";
import { OrderFences1764651600000 } from "../../migrations/1764651600000-order-fences";
import { Relay1764655200000 } from "../../migrations/1764655200000-relay";
import { PayerActs1764662400000 } from "../../migrations/1764662400000-payer-acts";
import { Inbox1764666000000 } from "../../migrations/1764666000000-inbox";
import { Conflicts1764669600000 } from "../../migrations/1764669600000-conflicts";
import { EffectsList1764669660000 } from "../../migrations/1764669660000-effects-list";

/** Every migration, oldest first. `ormconfig.ts` and `migrate` share this list. */
export const migrations = [
  ChargeOnce1764547200000,
  CaptureCancelRefund1764633600000,
  Lists1764640800000,
  OrderFences1764651600000,
  Relay1764655200000,
  PayerActs1764662400000,
  Inbox1764666000000,
  Conflicts1764669600000,
  EffectsList1764669660000,
];

/** Any number: it names the lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_301_985;

/**
 * Brings the database's schema up to date. Safe to run from several processes at once.
 * @returns the names of the migrations that were run now
 */
export async function migrate(url: string): Promise<string[]> {
  const lock = new Client({ connectionString: url });
  // A lost connection fails the query that is under way; without a listener it would end the process instead.
  lock.on("error", () => undefined);
  await lock.connect();
  const db = new DataSource({ type: "postgres", url, migrations, installExtensions: false, poolSize: 1 });
  try {
    await lock.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await db.initialize();
    const run = await db.runMigrations({ transaction: "each" });
    return run.map((migration) => migration.name);
  } finally {
    if (db.isInitialized) await db.destroy();
    await lock.end();
  }
}

/** How many migrations the database still lacks. */
export async function pendingMigrations(url: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(`select name from migrations`);
    return migrations.length - rows.length;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return migrations.length;
    throw error;
  } finally {
    await client.end();
  }
}

/** Milliseconds. */
const CONNECT_TIMEOUT = 5_000;
const UNDEFINED_TABLE = "42P01";
