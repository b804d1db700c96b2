import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** True while the process is there. One that has ended and whose parent has not looked yet does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Of another user: it is there all the same.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statOf(pid)?.[STATE] !== "Z";
}

/** Resolves to true once the process is gone, to false where it is still there after so many milliseconds. */
export async function isGone(pid: number, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; isRunning(pid); await sleep(LOOK_EVERY_MS))
    if (performance.now() > end) return false;
  return true;
}

/** When a process began, in words that differ for any other process of that pid; null where the system does not tell. */
export function beganAt(pid: number): string | null {
  const ticks = statOf(pid)?.[BEGAN];
  if (ticks !== undefined || process.platform === "win32") return ticks ?? null;
  return (
    spawnSync("ps", ["-o", "lstart=", "-p", String(pid)])
      .stdout?.toString("utf8")
      .trim() || null
  );
}

/**
 * The Postgres that runs on this data folder, read from its postmaster.pid. After a crash that file may name a process
 * of somebody else, another Postgres even: only one that works in this very folder counts.
 */
export function serverOn(data: string): number | null {
  const pid = namedIn(data);
  return pid !== null && isRunning(pid) && worksIn(pid, data) ? pid : null;
}

/**
 * Postgres refuses to start while the process that postmaster.pid names is there, whatever it is by now. It lets the
 * number of its parent pass, so ours is put in; the rest stays, as by it Postgres finds remains of the killed server.
 */
export function forgetStranger(data: string): void {
  const pid = namedIn(data);
  if (pid === null || !isRunning(pid) || worksIn(pid, data)) return;
  const [, ...rest] = fs.readFileSync(pidFile(data), "utf8").split("\n");
  fs.writeFileSync(pidFile(data), [process.pid, ...rest].join("\n"));
}

function namedIn(data: string): number | null {
  try {
    const pid = Number(fs.readFileSync(pidFile(data), "utf8").split("\n")[0]);
    return pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

function pidFile(data: string): string {
  return path.join(data, "postmaster.pid");
}

function worksIn(pid: number, data: string): boolean {
  if (fs.existsSync("/proc/self/cwd")) {
    try {
      return fs.realpathSync(`/proc/${pid}/cwd`) === fs.realpathSync(data);
    } catch {
      return false;
    }
  }
  const command = spawnSync("ps", ["-o", "command=", "-p", String(pid)]).stdout?.toString("utf8") ?? "";
  return command.includes("postgres") && command.includes(data);
}

const LOOK_EVERY_MS = 20;

/** Places in /proc/PID/stat after the name, which is in brackets and may hold anything: proc(5). */
const STATE = 0;
const BEGAN = 19;

function statOf(pid: number): string[] | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
