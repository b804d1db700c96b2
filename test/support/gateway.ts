import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DestinationStream } from "pino";
import type { App } from "../../src/app";
import { ensureDemo, type Credentials } from "../../src/cli/demo";
import { registerDemoWebhooks } from "../../src/cli/demo-webhooks";
import { readConfig } from "../../src/config";
import { startHttp } from "../../src/http/server";
import { closeApp, openApp } from "../../src/main";
import { startSandbox } from "../../src/sandbox/server";
import { createLog } from "../../src/shared/log";
import { startWorker } from "../../src/worker/loop";
import { createTestDatabase, type TestDatabase } from "./database";
import { startMeddler, type Meddler } from "./meddler";

/** A whole house for one test file: database of its own, sandbox, gateway over HTTP, and a worker unless told not to. */
export interface House {
  app: App;
  url: string;
  sandboxUrl: string;
  /** Between the gateway and the sandbox. */
  meddler: Meddler;
  databaseUrl: string;
  dataDir: string;
  /** The script of the build whose processes run beside it; absent: see `subjectOf`. */
  subject: string | undefined;
  credentials: Credentials;
  close(): Promise<void>;
}

/** Any key will do, as long as every process of one house has the same. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** What a house has beside its gateway. */
export interface HouseOptions {
  worker?: boolean;
  webhooks?: boolean;
  log?: DestinationStream;
  /** The script of another build, whose processes run beside it. */
  subject?: string;
  /** Where it is not to be a new one of the run's own server. The house drops it. */
  database?: TestDatabase;
}

/** Settings that make time short where a test has to let it pass. */
export const QUICK = { PROVIDER_TIMEOUT_MS: "1000", LEASE: "2s" };

export async function openHouse(
  settings: Record<string, string> = {},
  { worker = true, webhooks = false, log, subject, database: given }: HouseOptions = {},
): Promise<House> {
  const database = given ?? (await createTestDatabase(subject));
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-test-"));
  const sandbox = await startSandbox({ port: 0, dataDir: path.join(dataDir, "sandbox") });
  const meddler = await startMeddler(sandbox.url);
  const config = readConfig({
    PORT: "0",
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    SANDBOX_URL: meddler.url,
    ...settings,
  });
  const app = await openApp(
    {
      ...config,
      databaseUrl: settings.DATABASE_URL ?? database.url,
      encryptionKey: TEST_ENCRYPTION_KEY,
    },
    createLog({ level: config.logLevel, destination: log }),
  );
  const credentials = await ensureDemo(app);
  const http = await startHttp(app, credentials.keys.payments);
  if (webhooks) await registerDemoWebhooks(app, http.url, credentials);
  const running = worker ? startWorker(app) : null;
  return {
    app,
    url: http.url,
    sandboxUrl: sandbox.url,
    meddler,
    databaseUrl: database.url,
    dataDir,
    subject,
    credentials,
    close: async () => {
      await http.close();
      await running?.stop();
      await closeApp(app);
      await meddler.close();
      await sandbox.close();
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
