import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";

/** It asks nobody for updates, safe sites or experiments: a test's browser talks to the gateway alone. */
const QUIET = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long the first test on a new machine may wait for Debian's package (milliseconds). */
export const INSTALLS_WITHIN = 300_000;

/** Starts a headless Chromium with an empty profile. */
export async function launchChromium(): Promise<Browser> {
  // Chromium has no sandbox of its own for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox", ...QUIET] : QUIET;
  return chromium.launch({ executablePath: findChromium(), args });
}

/**
 * The machine's Chromium: the one that is set, else the one on PATH, else Debian's, installed by root.
 * @throws where there is none: a browser test that is not run proves nothing
 */
function findChromium(): string {
  const set = process.env.CHROMIUM_PATH;
  if (set) return set;
  const found = onPath("chromium") ?? onPath("chromium-browser") ?? onPath("google-chrome");
  if (found) return found;
  const reason = process.getuid?.() === 0 && onPath("apt-get") ? install() : "";
  const installed = onPath("chromium");
  if (installed) return installed;
  throw new Error(
    `the browser tests need Chromium: install Debian's package chromium, or set CHROMIUM_PATH. ${reason}`,
  );
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

/** Returns what went wrong; empty where nothing did. Another process's lock is waited for. */
function install(): string {
  const until = performance.now() + INSTALLS_WITHIN;
  const apt = (...args: string[]) =>
    spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=240", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      encoding: "utf8",
      timeout: Math.max(1, until - performance.now()),
    });
  let listed = apt("update");
  while (/Could not get lock/.test(listed.stderr) && performance.now() < until) {
    spawnSync("sleep", ["1"]);
    listed = apt("update");
  }
  const { status, stderr } = apt("install", "-y", "--no-install-recommends", "chromium");
  return status === 0 ? "" : `${listed.stderr}${stderr}`;
}
