import { spawnSync } from "node:child_process";
import fs from "node:fs";

/** How long an installation may take (milliseconds). */
const INSTALLS_WITHIN = 600_000;

/**
 * Sees that a program of a Debian package is there: as root the package is installed, else the error names it.
 * @param program where the package puts it
 */
export function needDebianPackage(name: string, program: string): void {
  if (fs.existsSync(program)) return;
  const isRoot = process.getuid?.() === 0 && fs.existsSync("/usr/bin/apt-get");
  const reason = isRoot ? installDebianPackage(name, INSTALLS_WITHIN) : "";
  if (!fs.existsSync(program))
    throw new Error(
      `${program} is missing: install Debian's package ${name} (apt-get install ${name}). ${reason}`,
    );
}

/**
 * Installs a package as root. Another installation's lock is waited for.
 * @returns what went wrong; empty where nothing did
 */
export function installDebianPackage(name: string, withinMs: number): string {
  const until = performance.now() + withinMs;
  const apt = (...args: string[]) =>
    spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=240", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      encoding: "utf8",
      timeout: Math.max(1, Math.ceil(until - performance.now())),
    });
  let listed = apt("update");
  while (/Could not get lock/.test(listed.stderr) && performance.now() < until) {
    spawnSync("sleep", ["1"]);
    listed = apt("update");
  }
  const { status, stderr } = apt("install", "-y", "--no-install-recommends", name);
  return status === 0 ? "" : `${listed.stderr}${stderr}`;
}
