import { transformFile } from "@swc/core";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { PlantedBug } from "./bugs";

/** A build of the product with a bug in it. */
export interface Patched {
  /** What runs it, as bin/umavez.js runs the product. */
  main: string;
  /** The whole of it: the folder that holds `src`. */
  dist: string;
  remove(): void;
}

const ROOT = path.resolve(__dirname, "../../../..");
const COPIED = ["src", "migrations", "schema", "ormconfig.ts", "package.json", ".swcrc"];
/** Built by tools of their own, and no part of a gateway. */
const APART = /^src\/(client|playground)\//;

/** Builds the product with a bug in it, in a folder of its own: without its pages, and without a check of types. */
export async function buildPatched(bug: PlantedBug): Promise<Patched> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-planted-"));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    await copySources(folder);
    await apply(bug, folder);
    fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
    const dist = path.join(folder, "dist");
    await compile(folder, dist);
    await fs.promises.cp(path.join(folder, "schema"), path.join(dist, "schema"), { recursive: true });
    return { main: path.join(dist, "src", "cli", "umavez.js"), dist, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Copies what the product is built from. */
export async function copySources(folder: string): Promise<void> {
  for (const name of COPIED)
    await fs.promises.cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
}

/** @throws where the patch does not fit the sources */
export async function apply(bug: PlantedBug, folder: string): Promise<void> {
  const patch = path.join(__dirname, bug.patch);
  // Without a repository around it, so that git takes the paths as they are.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) };
  await promisify(execFile)("git", ["apply", patch], { cwd: folder, env });
}

async function compile(folder: string, dist: string): Promise<void> {
  const all = ["src", "migrations"].flatMap((name) =>
    fs
      .readdirSync(path.join(folder, name), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(name, file)),
  );
  const sources = [...all, "ormconfig.ts"].filter((file) => file.endsWith(".ts") && !APART.test(file));
  await Promise.all(
    sources.map(async (file) => {
      const options = { cwd: folder, configFile: path.join(folder, ".swcrc"), sourceMaps: false };
      const { code } = await transformFile(path.join(folder, file), options);
      const target = path.join(dist, file.replace(/\.ts$/, ".js"));
      await fs.promises.mkdir(path.dirname(target), { recursive: true });
      await fs.promises.writeFile(target, code);
    }),
  );
}
