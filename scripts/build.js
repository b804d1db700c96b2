"use strict";
// Compiles src into dist, unless dist was made from these very sources. `npm ci` runs this by `prepare`.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { root, hashOfSources, hashOfBuild, isBuilt } = require("./sources.js");

const dist = path.join(root, "dist");

function build() {
  if (isBuilt()) return 0;
  const compiler = findCompiler();
  if (!compiler) {
    const what = hashOfBuild() === undefined ? "not built" : "not built anew, dist is of older sources";
    console.error(
      `umavez: ${what}: TypeScript, a development dependency, is not installed (npm ci brings it)`,
    );
    return 0;
  }
  const begun = performance.now();
  const sources = hashOfSources();
  // Built beside the old one and renamed, so that a process which starts meanwhile never finds half of it.
  const draft = `${dist}.${process.pid}`;
  removeDrafts();
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", draft];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    fs.rmSync(draft, { recursive: true, force: true });
    return status ?? 1;
  }
  fs.writeFileSync(path.join(draft, ".sources-sha256"), sources);
  putInPlace(draft);
  console.error(`umavez: built in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  return 0;
}

function findCompiler() {
  try {
    return require.resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
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

process.exitCode = build();
