import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startEmbedded, type Embedded } from "../../../../src/db/embedded";
import type { TestDatabase } from "../../../support/database";
import { subjectOf } from "../../../support/processes";

/** A durable Postgres of a storm's own, which may die and come back. Its address stays. */
export interface OwnServer extends TestDatabase {
  /** Kills it and every session of it, wherever they are: what is committed is on disk, and nothing else. */
  kill(): Promise<void>;
  /** On the same port, with what is on disk. */
  start(): Promise<void>;
  /** While it does not run: its data as they lie on disk. */
  copyTo(folder: string): void;
  /** While it does not run: takes such a copy for its data. */
  restoreFrom(folder: string): void;
}

/** Starts one, migrated by the build that is tried. */
export async function openOwnServer(): Promise<OwnServer> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-storm-postgres-"));
  const data = path.join(dataDir, "postgres", "data");
  let running = await startOn(dataDir);
  const { url, port } = running.server;
  await migrateByBuild(url);
  const kill = async () => {
    for (const pid of [running.server.pid, ...childrenOf(running.server.pid)]) signal(pid, "SIGKILL");
    await running.gone;
  };
  return {
    url,
    kill,
    start: async () => void (running = await startOn(dataDir, port)),
    copyTo: (folder) => fs.cpSync(data, folder, { recursive: true }),
    restoreFrom: (folder) => {
      fs.rmSync(data, { recursive: true });
      fs.cpSync(folder, data, { recursive: true });
    },
    drop: async () => {
      await running.server.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startOn(dataDir: string, port?: number): Promise<{ server: Embedded; gone: Promise<void> }> {
  let onExit: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (onExit = resolve));
  return { server: await startEmbedded({ dataDir, port, onExit }), gone };
}

/** The build that is tried may have migrations of its own. */
export async function migrateByBuild(url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [subjectOf(), "migrate"], { env });
}

/** Where the system does not tell (Linux does), they end by themselves, once they are idle. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const words = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  return words.split(" ").filter(Boolean).map(Number);
}

/** What has ended meanwhile is none of ours any more. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
