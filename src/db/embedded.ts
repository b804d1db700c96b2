import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { lockDataDir } from "./data-lock";
import { INSTEAD } from "./embedded-binaries";
import { initialise, keptIn, USER, type Kept } from "./embedded-data";
import { findHome, type Home } from "./embedded-home";
import { forgetStranger, isGone, serverOn } from "./embedded-pid";
import { watch } from "./embedded-watch";

/** A Postgres of ours that runs. */
export interface Embedded {
  /** With user, password and the database `umavez`. */
  url: string;
  /** On 127.0.0.1. */
  port: number;
  /** Of the server's first process. */
  pid: number;
  /** Stops it: open transactions are rolled back, what is committed is on disk. May be called twice. */
  stop(): Promise<void>;
}

/** How to run it. */
export interface EmbeddedOptions {
  /** DATA_DIR: the server's data lies in `postgres` below it. */
  dataDir: string;
  /** This port and no other. Absent: the one of the last start while that is free, else any free one. */
  port?: number;
  /** Told when the server ends without being asked to. It may be started again from here. */
  onExit?: (reason: string) => void;
  /** Told each line that the server prints. */
  log?: (line: string) => void;
  /** False only where the data may be lost with the machine: tests. */
  durable?: boolean;
}

const DATABASE = "umavez";

/** Milliseconds in which a server may stop in order, before it is stopped at once: the next start then recovers it. */
const STOPS_WITHIN = 10_000;

/**
 * Starts the embedded Postgres: real server programs from npm, data in DATA_DIR/postgres. A server that an earlier
 * process left behind, by kill -9 say, is stopped first, so that the new one is watched as a child of ours.
 * @throws Error with the server's last words, and what to do instead
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = path.resolve(options.dataDir);
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(dataDir);
  try {
    const home = findHome(dataDir);
    await stopLeftover(home);
    const kept = await keptIn(home.folder, options.port);
    await initialise(home, kept.password);
    return await runWatched(home, kept, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function stopLeftover(home: Home): Promise<void> {
  const data = path.join(home.folder, "data");
  const left = serverOn(data);
  if (left === null) return forgetStranger(data);
  home.signal(left, "SIGINT");
  if (await isGone(left, STOPS_WITHIN)) return;
  home.signal(left, "SIGQUIT");
  if (!(await isGone(left, STOPS_WITHIN)))
    throw new Error(`the earlier Postgres on this data, process ${left}, does not stop: end it, ${INSTEAD}`);
}

async function runWatched(
  home: Home,
  kept: Kept,
  options: EmbeddedOptions,
  unlock: () => void,
): Promise<Embedded> {
  const { child, server } = await run(home, kept, options);
  const pid = child.pid as number;
  let asked = false;
  const ask = () => {
    asked = true;
    // Once it is over its pid may be somebody else's.
    if (child.exitCode === null && child.signalCode === null) home.signal(pid, "SIGINT");
  };
  // Whatever ends our process, bar kill -9, takes the server along.
  process.once("exit", ask);
  const over = server.exited.then((reason) => {
    process.off("exit", ask);
    unlock();
    if (!asked) options.onExit?.(`it ended by itself (${reason})\n${server.lastWords()}`);
  });
  const stop = async () => {
    ask();
    const late = setTimeout(() => home.signal(pid, "SIGQUIT"), STOPS_WITHIN);
    await over;
    clearTimeout(late);
  };
  return { url: urlOf(kept, DATABASE), port: kept.port, pid, stop };
}

/** Milliseconds that the remains of a server which was killed may take to end: its processes share memory. */
const REMAINS_END_WITHIN = 10_000;

async function run(home: Home, kept: Kept, options: EmbeddedOptions) {
  for (const end = performance.now() + REMAINS_END_WITHIN; ; await sleep(100)) {
    const child = home.run("postgres", [
      "-D",
      path.join(home.folder, "data"),
      ...settings(kept.port, options),
    ]);
    const server = watch(child, options.log);
    const over = new AbortController();
    const failure = await Promise.race([server.exited, answers(kept, over.signal)]);
    over.abort();
    if (failure === null) return { child, server };
    child.kill("SIGQUIT");
    await server.exited;
    const words = server.lastWords();
    if (words.includes("pre-existing shared memory block") && performance.now() < end) continue;
    throw new Error(`the embedded Postgres could not start (${failure}): see below, ${INSTEAD}\n${words}`);
  }
}

function settings(port: number, { durable = true }: EmbeddedOptions): string[] {
  const onDisk = durable ? "on" : "off";
  const wanted: Record<string, string> = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    // A socket's path has a limit of about 100 characters, which DATA_DIR may exceed.
    unix_socket_directories: "",
    // Several gateways with a pool each, and the tests' files side by side.
    max_connections: "200",
    timezone: "UTC",
    log_timezone: "UTC",
    shared_buffers: "128MB",
    fsync: onDisk,
    synchronous_commit: onDisk,
    full_page_writes: onDisk,
  };
  return Object.entries(wanted).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Milliseconds from one sign of life to the next: recovery after a crash itself may take as long as it takes. */
const SIGN_OF_LIFE_WITHIN = 60_000;
const ASK_EVERY_MS = 20;
/** SQLSTATE, as are those below: the server starts up or recovers. */
const CANNOT_CONNECT_NOW = "57P03";
const INVALID_PASSWORD = "28P01";

/** Resolves to null once the server answers and has our database, else to what is wrong. */
async function answers(kept: Kept, over: AbortSignal): Promise<string | null> {
  let wrong = "";
  let end = performance.now() + SIGN_OF_LIFE_WITHIN;
  for (; !over.aborted && performance.now() < end; await sleep(ASK_EVERY_MS)) {
    try {
      await ensureDatabase(urlOf(kept, "postgres"));
      return null;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      wrong = message;
      if (code === INVALID_PASSWORD) return message;
      if (code === CANNOT_CONNECT_NOW) end = performance.now() + SIGN_OF_LIFE_WITHIN;
    }
  }
  return wrong;
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf({ port, password }: Kept, database: string): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
}
