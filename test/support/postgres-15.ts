import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { until } from "./client";
import { needDebianPackage } from "./debian";

const BINARIES = "/usr/lib/postgresql/15/bin";

/** Debian's Postgres 15, the oldest that is promised, running on a port of its own. */
export interface Postgres15 {
  url: string;
  /** Runs one of its programs, and returns what it printed. */
  run(program: string, ...given: string[]): string;
  stop(): Promise<void>;
}

/** Starts it in a folder of its own; Debian's package is installed where it is missing. */
export async function startPostgres15(): Promise<Postgres15> {
  needDebianPackage("postgresql-15", `${BINARIES}/postgres`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-postgres-15-"));
  const run = (program: string, ...given: string[]) => execute(asUser([`${BINARIES}/${program}`, ...given]));
  if (process.getuid?.() === 0) execute(["chown", "postgres", folder]);
  run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--locale=C", "--encoding=UTF8", folder);
  const port = await freePort();
  const given = ["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"];
  const [command = "", ...rest] = asUser([`${BINARIES}/postgres`, ...given]);
  const server = spawn(command, rest, { stdio: "ignore" });
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await until(
    () => answers(url),
    (up) => up,
    30_000,
  );
  return { url, run, stop: () => stop(server, folder) };
}

/** Postgres refuses to run as root. */
function asUser(command: string[]): string[] {
  return process.getuid?.() === 0
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command]
    : command;
}

function execute([program = "", ...given]: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, given, {
    encoding: "utf8",
    timeout: 60_000,
    cwd: "/",
  });
  if (status !== 0) throw new Error(`${program} ${given.join(" ")} failed: ${stderr}`);
  return stdout;
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return port;
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = once(server, "exit");
  server.kill("SIGINT");
  await ended;
  fs.rmSync(folder, { recursive: true, force: true });
}
