import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Config } from "../config";

/** What a running `umavez start` says of itself, so that a second process, psql or a test can join. */
export interface Runtime {
  url: string;
  databaseUrl: string;
  sandboxUrl: string;
  pid: number;
}

/** Reads a JSON file of DATA_DIR; null where there is none that can be read. */
export function readDataFile<T>(config: Config, name: string): T | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(config.dataDir, name), "utf8")) as T;
  } catch {
    return null;
  }
}

/** Writes a JSON file of DATA_DIR that only its owner may read; whole or not at all. */
export function writeDataFile(config: Config, name: string, content: unknown): void {
  fs.mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(config.dataDir, name);
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(draft, file);
}

/** Removes a file of DATA_DIR, if it is there. */
export function removeDataFile(config: Config, name: string): void {
  fs.rmSync(path.join(config.dataDir, name), { force: true });
}

/** The encryption key: as set, else, outside production, one that is made once and kept in DATA_DIR/secrets.json. */
export function encryptionKeyOf(config: Config): string {
  if (config.encryptionKey !== undefined) return config.encryptionKey;
  const kept = readDataFile<{ encryptionKey: string }>(config, "secrets.json");
  if (kept) return kept.encryptionKey;
  const encryptionKey = randomBytes(32).toString("base64");
  writeDataFile(config, "secrets.json", { encryptionKey });
  return encryptionKey;
}

/**
 * The encryption key that the gateway has already: a secret sealed by a new one could be opened by nobody.
 * @throws Error where there is none yet
 */
export function existingEncryptionKey(config: Config): string {
  const kept = readDataFile<{ encryptionKey: string }>(config, "secrets.json")?.encryptionKey;
  const key = config.encryptionKey ?? kept;
  if (key !== undefined) return key;
  throw new Error(
    `ENCRYPTION_KEY: not set, and DATA_DIR ${config.dataDir} has none: set it to the gateway's`,
  );
}

/** The `umavez start` that runs on this DATA_DIR; null where none does. */
export function runningStart(config: Config): Runtime | null {
  const runtime = readDataFile<Runtime>(config, "runtime.json");
  return runtime && isAlive(runtime.pid) ? runtime : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
