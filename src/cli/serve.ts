import { readConfig, type Config } from "../config";
import { pendingMigrations } from "../db/migrate";
import { startHttp } from "../http/server";
import { closeApp, openApp, type Settled } from "../main";
import { createLog } from "../shared/log";
import { startWorker } from "../worker/loop";
import { encryptionKeyOf, runningStart } from "./data-dir";
import { listening } from "./listening";
import { untilSignal } from "./signals";

/** `umavez serve`: the gateway alone, for a database and a sandbox that exist. */
export async function runServe(): Promise<void> {
  const config = await joining(readConfig());
  const app = await openApp(config, createLog({ level: config.logLevel }));
  const http = await listening(startHttp(app), config.port, "PORT");
  console.log(`gateway: ${http.url}/graphql`);
  await untilSignal();
  await http.close();
  await closeApp(app);
}

/** `umavez worker`: recovery alone, for a database and a sandbox that exist. */
export async function runWorker(): Promise<void> {
  const config = await joining(readConfig());
  const app = await openApp(config, createLog({ level: config.logLevel }));
  const worker = startWorker(app);
  console.log("worker: running");
  await untilSignal();
  await worker.stop();
  await closeApp(app);
}

/** What is not set is taken from the `umavez start` that runs on this DATA_DIR. */
async function joining(config: Config): Promise<Settled> {
  const runtime = runningStart(config);
  const databaseUrl = config.databaseUrl ?? runtime?.databaseUrl;
  if (databaseUrl === undefined)
    throw new Error(`DATABASE_URL: not set, and no \`umavez start\` runs on DATA_DIR ${config.dataDir}`);
  const pending = await pendingMigrations(databaseUrl);
  if (pending > 0) throw new Error(`the database lacks ${pending} migrations: run \`umavez migrate\` first`);
  const sandboxUrl = config.sandboxUrl ?? runtime?.sandboxUrl;
  return { ...config, databaseUrl, sandboxUrl, encryptionKey: encryptionKeyOf(config) };
}
