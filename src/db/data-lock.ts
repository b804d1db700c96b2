import fs from "node:fs";
import path from "node:path";

/** Who holds a folder: the process, and when it began, as a pid is used again some day. */
interface Holder {
  pid: number;
  began: string | null;
}

/**
 * Takes DATA_DIR for this process, so that two starts do not stop each other's database. A lock whose holder is gone,
 * by kill -9 too, is taken over.
 * @returns what gives it back
 * @throws Error that names the process which holds it
 */
export function lockDataDir(dataDir: string): () => void {
  const file = path.join(dataDir, "umavez.lock");
  const own = JSON.stringify({ pid: process.pid, began: beganAt(process.pid) } satisfies Holder);
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      fs.writeFileSync(file, own, { flag: "wx", mode: 0o600 });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = readHolder(file);
      if (holder && isAlive(holder))
        throw new Error(
          `DATA_DIR ${dataDir} is in use by the process ${holder.pid}: stop it, or set DATA_DIR to another folder`,
        );
      fs.rmSync(file, { force: true });
    }
  }
  throw new Error(`DATA_DIR ${dataDir} could not be locked: another start took it at this moment`);
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Holder;
  } catch {
    return null;
  }
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return began === null || beganAt(pid) === began;
}

/** When a process began, in the kernel's ticks; null where the system does not tell. */
function beganAt(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
