import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beganAt, isRunning } from "./embedded-pid";

/** Who holds a folder: the process, and when it began, as a pid is used again some day. */
interface Holder {
  pid: number;
  began: string | null;
}

/** A lock changes hands in microseconds; more rounds than this mean that something is wrong. */
const ROUNDS = 20;

/**
 * Takes DATA_DIR for this process, so that two starts do not stop each other's database. A lock whose holder is gone,
 * by kill -9 too, is taken over.
 * @returns what gives it back; a second call does nothing
 * @throws Error that names the process which holds it
 */
export function lockDataDir(dataDir: string): () => void {
  const file = path.join(dataDir, "umavez.lock");
  const own = JSON.stringify({ pid: process.pid, began: beganAt(process.pid) } satisfies Holder);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (create(file, own)) return release(file);
    const words = read(file);
    if (words === null) continue;
    const holder = holderOf(words);
    if (holder && isAlive(holder))
      throw new Error(
        `DATA_DIR ${dataDir} is in use by the process ${holder.pid}: stop it, or set DATA_DIR to another folder`,
      );
    removeStale(file, words);
  }
  throw new Error(`DATA_DIR ${dataDir} could not be locked: other starts take it at this moment`);
}

/** The file appears with its words in it, or not at all: nobody ever reads an empty one. */
function create(file: string, words: string): boolean {
  const draft = aside(file);
  fs.writeFileSync(draft, words, { mode: 0o600 });
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    fs.rmSync(draft);
  }
}

function release(file: string): () => void {
  let held = true;
  return () => {
    if (held) fs.rmSync(file, { force: true });
    held = false;
  };
}

/** Two may remove the same stale lock: who finds that it moved a fresh one away puts it back. */
function removeStale(file: string, stale: string): void {
  const moved = aside(file);
  try {
    fs.renameSync(file, moved);
  } catch {
    return;
  }
  if (read(moved) !== stale) create(file, read(moved) ?? stale);
  fs.rmSync(moved, { force: true });
}

function aside(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
}

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function holderOf(words: string): Holder | null {
  try {
    return JSON.parse(words) as Holder;
  } catch {
    return null;
  }
}

function isAlive({ pid, began }: Holder): boolean {
  return isRunning(pid) && (began === null || beganAt(pid) === began);
}
