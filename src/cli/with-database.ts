import type { DataSource } from "typeorm";
import { listMerchants } from "../access/merchants";
import { readConfig, type Config } from "../config";
import { createDataSource } from "../db/data-source";
import { pendingMigrations } from "../db/migrate";
import { encodeId } from "../shared/ids";
import { runningStart } from "./data-dir";

/** The database of DATABASE_URL, else of the `umavez start` that runs on this DATA_DIR. */
export async function existingDatabase(config: Config): Promise<string> {
  const url = config.databaseUrl ?? runningStart(config)?.databaseUrl;
  if (url === undefined)
    throw new Error(`DATABASE_URL: not set, and no \`umavez start\` runs on DATA_DIR ${config.dataDir}`);
  const pending = await pendingMigrations(url).catch((error: Error) => {
    throw new Error(`the database of DATABASE_URL cannot be reached: ${error.message || String(error)}`);
  });
  if (pending > 0) throw new Error(`the database lacks ${pending} migrations: run \`umavez migrate\` first`);
  return url;
}

/** What a command that only asks or writes the database has. */
export interface Desk {
  config: Config;
  db: DataSource;
}

/** Does one thing with the database, and lets go of it. */
export async function withDatabase(work: (desk: Desk) => Promise<void>): Promise<void> {
  const config = readConfig();
  const db = createDataSource(await existingDatabase(config), { size: 1 });
  await db.initialize();
  try {
    await work({ config, db });
  } finally {
    await db.destroy();
  }
}

/**
 * The merchant that is named, else all of them.
 * @throws Error where there is no such merchant
 */
export async function merchantsOf(db: DataSource, named: string | undefined): Promise<string[]> {
  const ids = (await listMerchants(db)).map((merchant) => merchant.id);
  if (named === undefined) return ids;
  if (!ids.includes(named)) throw new Error(`there is no merchant ${encodeId("mer", named)}`);
  return [named];
}
