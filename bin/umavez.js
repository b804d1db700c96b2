#!/usr/bin/env node
"use strict";
// Builds where the sources have changed since the last build, then runs.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { root, isBuilt } = require("../scripts/sources.js");

const main = path.join(root, "dist", "src", "cli", "umavez.js");

if (!isBuilt()) {
  // On stderr: what a command prints with --json is read by programs.
  const built = spawnSync(process.execPath, [path.join(root, "scripts", "build.js")], {
    stdio: ["ignore", 2, 2],
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
if (!fs.existsSync(main)) {
  console.error("umavez: there is nothing to run before it is built: npm ci && npm run build");
  process.exit(1);
}
require(main);
