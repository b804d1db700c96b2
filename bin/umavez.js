#!/usr/bin/env node
"use strict";
// Builds where the sources have changed since the last build, then runs.
const { spawnSync } = require("node:child_process");
const path = require("node:path");
const { hashOfSources, hashOfBuild } = require("../scripts/sources.js");

if (hashOfBuild() !== hashOfSources()) {
  const built = spawnSync(process.execPath, [path.join(__dirname, "..", "scripts", "build.js")], {
    stdio: "inherit",
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
require("../dist/src/cli/umavez.js");
