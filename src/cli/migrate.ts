import { readConfig } from "../config";
import { migrate } from "../db/migrate";
import { runningStart } from "./data-dir";

/** `umavez migrate`: brings the schema of DATABASE_URL up to date. */
export async function runMigrate(): Promise<void> {
  const config = readConfig();
  const url = config.databaseUrl ?? runningStart(config)?.databaseUrl;
  if (url === undefined) throw new Error("DATABASE_URL: set it to the database to migrate");
  const run = await migrate(url);
  console.log(run.length === 0 ? "nothing to migrate" : run.map((name) => `migrated: ${name}`).join("\n"));
}
