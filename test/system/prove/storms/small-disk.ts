import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestDatabase } from "../../../support/database";
import { migrateByBuild } from "./own-server";
import type { Said, Told } from "./small-disk-process";

/** A Postgres whose disk can be full. */
export interface SmallDisk extends TestDatabase {
  /** From here on nothing more can be written to it. */
  fill(): Promise<void>;
  /** There is room again; where the server had ended it is started. @returns how often it had ended by itself */
  free(): Promise<number>;
}

/** Room for an empty cluster, its log and a little more (megabytes). */
const SIZE = 200;

/**
 * Mounts a small disk where only the server sees it, in a user namespace, and starts a Postgres on it.
 * @throws where such a namespace is refused: the storm is then not possible, and must not pass for green
 */
export async function openSmallDisk(): Promise<SmallDisk> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-storm-disk-"));
  const script = `mount -t tmpfs -o size=${SIZE}m none "$1" && exec "$0" -r @swc-node/register "$2" "$1"`;
  const file = path.join(__dirname, "small-disk-process.ts");
  const words = ["-r", "-m", "sh", "-c", script, process.execPath, dataDir, file];
  const child = spawn("unshare", words, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const complaints: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => complaints.push(chunk.toString("utf8")));
  const ask = async (told: Told) => {
    const said = next(child, complaints);
    child.send(told);
    return said;
  };
  const drop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    }
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const said = await next(child, complaints);
    if (!("url" in said)) throw new Error("it said something else than its address");
    await migrateByBuild(said.url);
    return {
      url: said.url,
      fill: async () => void (await ask("fill")),
      free: async () => {
        const freed = await ask("free");
        return "ends" in freed ? freed.ends : 0;
      },
      drop,
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function next(child: ChildProcess, complaints: string[]): Promise<Said> {
  const ended = once(child, "exit").then(() => {
    const why = complaints.join("").trim();
    throw new Error(
      `no Postgres on a small disk: it needs user namespaces with mounts (unshare -r -m), Linux: ${why}`,
    );
  });
  const [said] = (await Promise.race([once(child, "message"), ended])) as [Said];
  if ("failed" in said) throw new Error(said.failed);
  return said;
}
