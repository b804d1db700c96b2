"use strict";
// Compiles src into dist, unless dist was made from these very sources. `npm ci` runs this by `prepare`.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { root, hashOfSources, hashOfBuild } = require("./sources.js");

const wanted = hashOfSources();
if (hashOfBuild() === wanted) process.exit(0);

let compiler;
try {
  compiler = require.resolve("typescript/bin/tsc");
} catch {
  console.error("umavez: not built: TypeScript is a development dependency, and it is not installed");
  process.exit(0);
}

const begun = performance.now();
// Built beside the old one and renamed, so that a process which starts meanwhile never finds half of it.
const draft = path.join(root, `dist.${process.pid}`);
const dist = path.join(root, "dist");
fs.rmSync(draft, { recursive: true, force: true });
const built = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", draft], {
  cwd: root,
  stdio: "inherit",
});
if (built.status !== 0) {
  fs.rmSync(draft, { recursive: true, force: true });
  process.exit(built.status ?? 1);
}
fs.writeFileSync(path.join(draft, ".sources-sha256"), wanted);
fs.rmSync(dist, { recursive: true, force: true });
fs.renameSync(draft, dist);
console.error(`umavez: built in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
