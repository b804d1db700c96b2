import { readConfig, type Config } from "../config";
import { startHttp } from "../http/server";
import { closeApp, openApp, type Settled } from "../main";
import { createLog } from "../shared/log";
import { startWorker } from "../worker/loop";
import { encryptionKeyOf, runningStart } from "./data-dir";
import { listening } from "./listening";
import { untilSignal } from "./signals";
import { existingDatabase } from "./with-database";

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
  const databaseUrl = await existingDatabase(config);
  const sandboxUrl = config.sandboxUrl ?? runningStart(config)?.sandboxUrl;
  return { ...config, databaseUrl, sandboxUrl, encryptionKey: encryptionKeyOf(config) };
}
