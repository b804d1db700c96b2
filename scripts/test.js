"use strict";
// `npm test` and, with --system, `npm run test:system`. Further arguments go to jest.
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("./sources.js");

const given = process.argv.slice(2);
const isSystem = given.includes("--system");

function main() {
  if (isSystem && !hasTests(path.join(root, "test", "system"))) {
    console.log("There is no system test yet: test/system holds no *.test.ts. Nothing was run.");
    return;
  }
  // The command line is tested as it ships.
  const built = spawnSync(process.execPath, [require.resolve("./build.js")], { stdio: "inherit" });
  if (built.status !== 0) process.exit(built.status ?? 1);
  runJest();
}

function hasTests(folder) {
  return fs.existsSync(folder) && fs.readdirSync(folder).some((name) => name.endsWith(".test.ts"));
}

function runJest() {
  const config = isSystem ? "jest.system.config.js" : "jest.config.js";
  const rest = given.filter((argument) => argument !== "--system");
  const jest = spawn(process.execPath, [require.resolve("jest/bin/jest"), "--config", config, ...rest], {
    cwd: root,
    stdio: "inherit",
  });
  // Ctrl-C reaches jest by itself, as it is of the terminal's group; what a person or CI sends to us alone is passed on.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => jest.kill(signal));
  jest.once("exit", (code) => process.exit(code ?? 1));
}

main();
