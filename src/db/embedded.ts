import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { Client } from "pg";
import { lockDataDir } from "./data-lock";
import { findBinaries, type Binaries } from "./embedded-binaries";

/** A Postgres of ours that runs. */
export interface Embedded {
  url: string;
  port: number;
  pid: number;
  /** Stops it: open transactions are rolled back, what is committed is on disk. */
  stop(): Promise<void>;
}

/** How to run it. */
export interface EmbeddedOptions {
  /** DATA_DIR: the server's data lies in `postgres` below it. */
  dataDir: string;
  /** Its port; absent: the one it had before, or a free one. */
  port?: number;
  /** Told when the server ends without being asked to. */
  onExit?: (reason: string) => void;
  /** False only where the data may be lost with the machine: tests. */
  durable?: boolean;
}

/** What is kept beside the data. */
interface Kept {
  port: number;
  password: string;
}

const USER = "umavez";
const DATABASE = "umavez";

/**
 * Starts the embedded Postgres: real server binaries from npm, its data in DATA_DIR/postgres. A server that an earlier
 * process left behind, by kill -9 say, is stopped first.
 * @throws Error with the server's last words and what to do instead
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = path.join(options.dataDir, "postgres");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(options.dataDir);
  try {
    const binaries = findBinaries(folder);
    const kept = await keptOf(options, folder);
    await initialise(binaries, folder, kept.password);
    await stopLeftover(path.join(folder, "data"));
    const server = await run(binaries, folder, kept, options);
    return { ...server, stop: async () => (await server.stop(), unlock()) };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function keptOf({ port }: EmbeddedOptions, folder: string): Promise<Kept> {
  const file = path.join(folder, "server.json");
  const before = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Kept) : null;
  const wanted = port ?? before?.port;
  const kept: Kept = {
    port: wanted !== undefined && (await isFreeSoon(wanted, folder)) ? wanted : await freePort(),
    password: before?.password ?? randomBytes(24).toString("base64url"),
  };
  fs.writeFileSync(`${file}.draft`, JSON.stringify(kept), { mode: 0o600 });
  fs.renameSync(`${file}.draft`, file);
  return kept;
}

/** A port that our own leftover server holds will be free once it is stopped. */
async function isFreeSoon(port: number, folder: string): Promise<boolean> {
  return readPidFile(path.join(folder, "data"))?.port === port || (await canListen(port)) !== null;
}

async function freePort(): Promise<number> {
  const port = await canListen(0);
  if (port === null) throw new Error("no free port for the embedded Postgres");
  return port;
}

function canListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => resolve(null));
    probe.listen(port, "127.0.0.1", () => {
      const bound = (probe.address() as net.AddressInfo).port;
      probe.close(() => resolve(bound));
    });
  });
}

/** Makes the data folder, whole or not at all: a half-made one, from a start that was killed, is made again. */
async function initialise(binaries: Binaries, folder: string, password: string): Promise<void> {
  if (fs.existsSync(path.join(folder, "data", "PG_VERSION"))) return;
  const draft = path.join(folder, "data.draft");
  const passwordFile = path.join(folder, "password");
  fs.rmSync(draft, { recursive: true, force: true });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const access = ["--username", USER, "--auth=scram-sha-256", "--pwfile", passwordFile];
  const child = binaries.run("initdb", ["-D", draft, ...locale, ...access, "--data-checksums"]);
  const words = lastWords(child);
  const code = await new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
  fs.rmSync(passwordFile, { force: true });
  if (code !== 0)
    throw new Error(`the embedded Postgres could not be made (set DATABASE_URL to use another):\n${words()}`);
  fs.renameSync(draft, path.join(folder, "data"));
}

/** How long a server may take to stop by itself before it is stopped at once. */
const STOPS_WITHIN_MS = 10_000;

/** kill -9 of our process leaves the server running: it is stopped, so that the new one is watched as our child. */
async function stopLeftover(data: string): Promise<void> {
  const left = readPidFile(data);
  if (!left || !isPostgres(left.pid)) return;
  process.kill(left.pid, "SIGINT");
  if (await isGone(left.pid, STOPS_WITHIN_MS)) return;
  process.kill(left.pid, "SIGQUIT");
  if (!(await isGone(left.pid, STOPS_WITHIN_MS)))
    throw new Error(`an earlier Postgres (process ${left.pid}) does not stop: end it, or set DATABASE_URL`);
}

function readPidFile(data: string): { pid: number; port: number } | null {
  try {
    const lines = fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch {
    return null;
  }
}

/** After a restart of the machine the pid may be somebody else's. */
function isPostgres(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres");
  } catch {
    return fs.existsSync("/proc") ? false : isRunning(pid);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; isRunning(pid); await pause())
    if (performance.now() > end) return false;
  return true;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function run(
  binaries: Binaries,
  folder: string,
  kept: Kept,
  options: EmbeddedOptions,
): Promise<Embedded> {
  const child = binaries.run("postgres", ["-D", path.join(folder, "data"), ...settings(kept.port, options)]);
  const words = lastWords(child);
  let stopping = false;
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(`it ended (${signal ?? code})`));
    child.once("error", (error) => resolve(error.message));
  });
  const url = `postgres://${USER}:${kept.password}@127.0.0.1:${kept.port}/${DATABASE}`;
  const failure = await Promise.race([exited, answers(url)]);
  if (failure !== null) {
    child.kill("SIGINT");
    throw new Error(
      `the embedded Postgres could not start (set DATABASE_URL to use another): ${failure}\n${words()}`,
    );
  }
  void exited.then((reason) => {
    if (!stopping) options.onExit?.(`${reason}\n${words()}`);
  });
  const stop = async () => {
    stopping = true;
    child.kill("SIGINT");
    await exited;
  };
  return { url, port: kept.port, pid: child.pid as number, stop };
}

function settings(port: number, { durable = true }: EmbeddedOptions): string[] {
  const wanted: Record<string, string> = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    // A socket's path has a limit of about 100 characters, which DATA_DIR may exceed.
    unix_socket_directories: "",
    max_connections: "200",
    timezone: "UTC",
    log_timezone: "UTC",
    shared_buffers: "128MB",
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
  };
  return Object.entries(wanted).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** How long recovery after a crash may take at a start. */
const ANSWERS_WITHIN_MS = 60_000;

/** Resolves to null once the server answers and has our database; else to what was wrong. */
async function answers(url: string): Promise<string | null> {
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  let last = "";
  for (const end = performance.now() + ANSWERS_WITHIN_MS; performance.now() < end; await pause()) {
    const client = new Client({ connectionString: maintenance.toString(), connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
      return null;
    } catch (error) {
      last = (error as Error).message;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return last;
}

/** Keeps the last lines that a child has printed, for the error that may need them. */
function lastWords(child: ChildProcess): () => string {
  let kept = "";
  const keep = (chunk: Buffer) => (kept = (kept + chunk.toString("utf8")).slice(-2_000));
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return () => kept.trim();
}
