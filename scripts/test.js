"use strict";
// `npm test` and, with --system, `npm run test:system`. Further arguments go to jest.
const { spawnSync } = require("node:child_process");
const { root } = require("./sources.js");

const given = process.argv.slice(2);
const config = given.includes("--system") ? "jest.system.config.js" : "jest.config.js";
const rest = given.filter((argument) => argument !== "--system");
const jest = require.resolve("jest/bin/jest");

// The command line is tested as it ships.
const built = spawnSync(process.execPath, [require.resolve("./build.js")], { stdio: "inherit" });
if (built.status !== 0) process.exit(built.status ?? 1);
const tested = spawnSync(process.execPath, [jest, "--config", config, ...rest], {
  cwd: root,
  stdio: "inherit",
});
process.exit(tested.status ?? 1);
