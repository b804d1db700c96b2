import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { INSTEAD, nativeFolder, programIn } from "./embedded-binaries";

/** Where the server's data lies, and how this user may run its programs. */
export interface Home {
  /** Holds the data folder `data` and what is kept beside it. */
  folder: string;
  /** Starts a program in a process group of its own, with stdout and stderr piped. */
  run(program: "initdb" | "postgres", args: string[]): ChildProcess;
  /** Tells a server to stop: SIGINT in order, SIGQUIT at once. */
  signal(pid: number, signal: "SIGINT" | "SIGQUIT"): void;
}

/** How to become somebody whom Postgres accepts: not root, and known to the system by a name. */
interface Runner {
  /** Words before the command. */
  before: string[];
  uid?: number;
  gid?: number;
}

/** By the system's numbers. */
interface User {
  uid: number;
  gid: number;
}

/** A folder for a root that has to run the server as another user, who cannot enter root's own. */
const SYSTEM_FOLDER = "/var/lib/umavez";

/**
 * Finds who runs the server, and where. Postgres refuses root, and a user without a name. In this order: as we are; in a
 * user namespace, where we seem another and may still enter every folder of ours; as the owner of the data; as another
 * user with the data in a system folder, which DATA_DIR/postgres/location names from then on.
 * @throws Error that names the folder which is closed
 */
export function findHome(dataDir: string): Home {
  const own = path.join(dataDir, "postgres");
  fs.mkdirSync(own, { recursive: true, mode: 0o700 });
  const native = nativeFolder();
  const folder = locationIn(own) ?? own;
  const owner = fs.statSync(folder);
  if (process.getuid === undefined || (process.getuid() !== 0 && hasName()))
    return homeOf(folder, native, { before: [] });
  if (process.getuid() === 0 && owner.uid !== 0)
    return asOther(folder, native, { uid: owner.uid, gid: owner.gid });
  const before = namespace();
  if (before) return homeOf(folder, native, { before });
  if (process.getuid() !== 0)
    throw new Error(`Postgres refuses a user without a name in the system: give it one, ${INSTEAD}`);
  return asOther(moveOut(own), native, stranger());
}

function homeOf(folder: string, native: string, runner: Runner): Home {
  const { before, ...ids } = runner;
  return {
    folder,
    run: (program, args) => {
      const [command = "", ...rest] = [...before, programIn(native, program), ...args];
      // A group of its own: Ctrl-C on a terminal must not end the database before the gateway has drained.
      return spawn(command, rest, {
        ...ids,
        cwd: folder,
        detached: true,
        windowsHide: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
    },
    signal: (pid, signal) => {
      // Windows knows no signals: Node would end the process on the spot.
      if (process.platform === "win32")
        spawnSync(programIn(native, "pg_ctl"), ["kill", signal.slice(3), `${pid}`]);
      else process.kill(pid, signal);
    },
  };
}

function hasName(): boolean {
  try {
    os.userInfo();
    return true;
  } catch {
    return false;
  }
}

/** The words that run a command in a user namespace; null where the kernel does not allow one. */
function namespace(): string[] | null {
  const { uid, gid } = stranger();
  const words = ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"];
  return spawnSync("unshare", [...words.slice(1), "true"]).status === 0 ? words : null;
}

/** Anybody but root that the system knows by a name; `nobody` where there is one. */
function stranger(): User {
  const users = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const found = users.find(({ name }) => name === "nobody") ?? users[0];
  if (!found)
    throw new Error(`Postgres refuses to run as root, and there is no other user: add one, ${INSTEAD}`);
  return { uid: found.uid, gid: found.gid };
}

function asOther(folder: string, native: string, user: User): Home {
  fs.chownSync(folder, user.uid, user.gid);
  const closed = closedTo(user, path.dirname(folder));
  if (closed)
    throw new Error(
      `Postgres refuses to run as root, and the owner of ${folder} may not enter ${closed}: open it, ${INSTEAD}`,
    );
  return homeOf(folder, closedTo(user, native) ? copyOut(native) : native, { before: [], ...user });
}

/** The outermost of a folder and those above it that a user may not enter; null where all are open. */
function closedTo(user: User, folder: string): string | null {
  const above = path.dirname(folder) === folder ? null : closedTo(user, path.dirname(folder));
  const { uid, gid, mode } = fs.statSync(folder);
  const mayEnter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return above ?? ((mode & mayEnter) === 0 ? folder : null);
}

function locationIn(own: string): string | null {
  const file = path.join(own, "location");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : null;
}

/** Gives the data of this DATA_DIR a place in the system folder. */
function moveOut(own: string): string {
  if (fs.existsSync(path.join(own, "data")))
    throw new Error(
      `Postgres refuses to run as root, no user namespace may be made here, and ${own} is root's: give it to another user with chown -R, ${INSTEAD}`,
    );
  const folder = path.join(SYSTEM_FOLDER, createHash("sha256").update(own).digest("hex").slice(0, 16));
  openSystemFolder();
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(own, "location"), `${folder}\n`);
  return folder;
}

/** Copies the programs to where everybody may run them, whole or not at all. */
function copyOut(native: string): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(native, "..", "package.json"), "utf8")) as {
    version: string;
  };
  const copy = path.join(SYSTEM_FOLDER, `postgres-${version}`);
  if (fs.existsSync(copy)) return copy;
  openSystemFolder();
  const draft = `${copy}.${process.pid}`;
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  fs.chmodSync(draft, 0o755);
  try {
    fs.renameSync(draft, copy);
  } catch (error) {
    if (!fs.existsSync(copy)) throw error; // else the start of another DATA_DIR was first
    fs.rmSync(draft, { recursive: true });
  }
  return copy;
}

function openSystemFolder(): void {
  try {
    fs.mkdirSync(SYSTEM_FOLDER, { recursive: true });
    fs.chmodSync(SYSTEM_FOLDER, 0o755);
  } catch (error) {
    throw new Error(
      `Postgres refuses to run as root, and ${SYSTEM_FOLDER}, for another user, cannot be made (${(error as Error).message}): ` +
        `run as an ordinary user, ${INSTEAD}`,
    );
  }
}
