import "reflect-metadata";
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { startEmbedded, type Embedded } from "../../src/db/embedded";
import { migrate } from "../../src/db/migrate";
import { TEMPLATE } from "./database";

/** The run's own Postgres, what ends it with the run, and its folder. */
interface OwnServer {
  server: Embedded;
  watchman: ChildProcess;
  dataDir: string;
}

declare global {
  var umavezTestServer: OwnServer | undefined;
}

/**
 * One real Postgres for the whole run, ours or that of TEST_DATABASE_URL, and in it a migrated database that each test
 * file clones.
 */
export default async function setUp(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL ?? (await ownServer());
  process.env.UMAVEZ_TEST_SERVER = url;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.toString());
}

async function ownServer(): Promise<string> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-test-postgres-"));
  // What is lost with the machine is only this run.
  const server = await startEmbedded({ dataDir, durable: false });
  globalThis.umavezTestServer = { server, watchman: watchOver(server.pid, dataDir), dataDir };
  return server.url;
}

/**
 * A run may be aborted in ways that let nothing of it act, kill -9 among them. The pipe to this process then closes, and
 * it takes the server and its folder away.
 */
function watchOver(pid: number, dataDir: string): ChildProcess {
  const script = 'cat; kill -INT "$0"; while kill -0 "$0"; do sleep 0.1; done; rm -rf "$1"';
  // In a group of its own: Ctrl-C must not end it with the run.
  const watchman = spawn("sh", ["-c", script, String(pid), dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchman.unref();
  return watchman;
}
