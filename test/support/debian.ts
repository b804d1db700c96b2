import { spawnSync } from "node:child_process";
import fs from "node:fs";

/**
 * Sees that a program of a Debian package is there: as root the package is installed, else the error names it.
 * @param program where the package puts it
 */
export function needDebianPackage(name: string, program: string): void {
  if (fs.existsSync(program)) return;
  if (process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get"))
    throw new Error(`${program} is missing: install Debian's package ${name} (apt-get install ${name})`);
  // Another installation may be under way: apt waits for its lock.
  const patient = ["-q", "-o", "DPkg::Lock::Timeout=300"];
  run(["apt-get", ...patient, "update"]);
  run(["apt-get", ...patient, "install", "-y", "--no-install-recommends", name]);
}

function run([command = "", ...given]: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync(command, given, { env, encoding: "utf8", timeout: 600_000 });
  if (status !== 0) throw new Error(`${command} ${given.join(" ")} failed:\n${stdout}\n${stderr}`);
}
