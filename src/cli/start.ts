import { readConfig, type Config } from "../config";
import { startEmbedded } from "../db/embedded";
import { migrate } from "../db/migrate";
import { startHttp } from "../http/server";
import { closeApp, openApp } from "../main";
import { createLog, type Log } from "../shared/log";
import { startWorker } from "../worker/loop";
import { encryptionKeyOf, removeDataFile, writeDataFile, type Runtime } from "./data-dir";
import { ensureDemo } from "./demo";
import { registerDemoWebhooks } from "./demo-webhooks";
import { assertFree, listening } from "./listening";
import { startSandboxProcess } from "./sandbox-process";
import { untilSignal } from "./signals";
import { welcome } from "./welcome";

/** What has been started, to be stopped in the opposite order. */
type Stops = (() => Promise<unknown>)[];

/** `umavez start`: database, migrations, sandbox, gateway and worker, until Ctrl-C. */
export async function runStart(): Promise<void> {
  const config = readConfig();
  const log = createLog({ level: config.logLevel });
  const stops: Stops = [];
  const signal = untilSignal();
  try {
    const text = await startAll(config, log, stops);
    console.log(text);
    await signal;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function startAll(config: Config, log: Log, stops: Stops): Promise<string> {
  await assertFree(config.port, config.host, "PORT");
  const encryptionKey = encryptionKeyOf(config);
  const databaseUrl = await step("database", () => startDatabase(config, log, stops));
  const warn = (reason: string) => log.warn(reason);
  const [sandbox] = await Promise.all([
    step("sandbox provider", () => startSandboxProcess(config, warn)),
    step("migrations", () => migrate(databaseUrl)),
  ]);
  stops.push(() => sandbox.stop());
  const sandboxUrl = config.sandboxUrl ?? sandbox.url;
  const app = await openApp({ ...config, databaseUrl, sandboxUrl, encryptionKey }, log);
  stops.push(() => closeApp(app));
  const credentials = config.production ? null : await ensureDemo(app);
  const worker = startWorker(app);
  stops.push(() => worker.stop());
  const http = await step("gateway", () =>
    listening(startHttp(app, credentials?.keys.payments), config.port, "PORT"),
  );
  stops.push(() => http.close());
  if (credentials)
    await step("webhooks", () => registerDemoWebhooks(app, http.url, credentials)).catch(unheard);
  const runtime: Runtime = { url: http.url, databaseUrl, sandboxUrl, pid: process.pid };
  writeDataFile(config, "runtime.json", runtime);
  stops.push(async () => removeDataFile(config, "runtime.json"));
  return welcome(runtime, credentials, config.playground);
}

/** A provider that cannot be told of our address is asked for what it would have told: nothing is lost. */
function unheard(error: Error): void {
  console.log(`webhooks: not registered at the sandbox (${error.message}); what it would tell is asked for`);
}

/** The database that is set, else our own, which is started again on the same port if it dies. */
async function startDatabase(config: Config, log: Log, stops: Stops): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  let stopping = false;
  const start = (port?: number): ReturnType<typeof startEmbedded> =>
    startEmbedded({
      dataDir: config.dataDir,
      port,
      onExit: (reason) => {
        if (stopping) return;
        log.error(`the embedded Postgres ended: ${reason}; it is started again`);
        start(server.port).then(
          (next) => (server = next),
          (error: Error) => log.fatal({ err: error }, "the embedded Postgres could not be started again"),
        );
      },
    });
  let server = await start();
  stops.push(async () => {
    stopping = true;
    await server.stop();
  });
  return server.url;
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  console.log(`${name}: ready after ${((performance.now() - begun) / 1_000).toFixed(2)} s`);
  return result;
}
