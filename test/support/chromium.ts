import fs from "node:fs";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";
import { installDebianPackage } from "./debian";

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

/** Starts a headless Chromium with an empty profile, and with further switches of its command line. */
export async function launchChromium(...more: string[]): Promise<Browser> {
  // Chromium has no sandbox of its own for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox", ...QUIET] : QUIET;
  return chromium.launch({ executablePath: findChromium(), args: [...args, ...more] });
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
  const reason =
    process.getuid?.() === 0 && onPath("apt-get") ? installDebianPackage("chromium", INSTALLS_WITHIN) : "";
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
