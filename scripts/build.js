"use strict";
// Builds src into dist, unless dist was made from these very sources. `npm ci` runs this by `prepare`.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { buildClientPackage } = require("./client-package.js");
const { buildPages } = require("./pages.js");
const { root, hashOfSources, hashOfBuild, isBuilt } = require("./sources.js");

const dist = path.join(root, "dist");

async function build() {
  if (isBuilt()) return 0;
  const compiler = findTool("typescript", "bin/tsc");
  const bundler = findTool("vite", "bin/vite.js");
  if (!compiler || !bundler) {
    const what = hashOfBuild() === undefined ? "not built" : "not built anew, dist is of older sources";
    const missing = compiler ? "Vite" : "TypeScript";
    console.error(
      `umavez: ${what}: ${missing}, a development dependency, is not installed (npm ci brings it)`,
    );
    return 0;
  }
  const begun = performance.now();
  const sources = hashOfSources();
  // Built beside the old one and renamed, so that a process which starts meanwhile never finds half of it.
  const draft = `${dist}.${process.pid}`;
  removeDrafts();
  const built = await Promise.all([
    run([compiler, "-p", "tsconfig.build.json", "--outDir", draft]),
    buildClientPackage((...args) => run([compiler, ...args])),
    buildPages("playground", { dist, draft, bundle: (...args) => run([bundler, ...args]) }),
  ]);
  const failed = built.find((status) => status !== 0);
  if (failed !== undefined) {
    fs.rmSync(draft, { recursive: true, force: true });
    return failed;
  }
  fs.writeFileSync(path.join(draft, ".sources-sha256"), sources);
  putInPlace(draft);
  console.error(`umavez: built in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  return 0;
}

/** A tool's file; undefined where it is not installed. Found by its folder: not every package lets its files be named. */
function findTool(name, file) {
  const found = path.join(root, "node_modules", name, file);
  return fs.existsSync(found) ? found : undefined;
}

function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => child.once("exit", (status) => resolve(status ?? 1)));
}

function putInPlace(draft) {
  const old = `${draft}.old`;
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  try {
    fs.renameSync(draft, dist);
  } catch (error) {
    // Another build was there first. It is as good as ours if it is of the same sources; else the next one sees that.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    fs.rmSync(draft, { recursive: true, force: true });
  }
  fs.rmSync(old, { recursive: true, force: true });
}

/** What builds that were killed have left. Those of processes that run are theirs. */
function removeDrafts() {
  for (const name of fs.readdirSync(root)) {
    const pid = /^dist\.(\d+)(\.old)?$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) fs.rmSync(path.join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

build().then((status) => (process.exitCode = status));
