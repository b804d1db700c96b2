"use strict";
// `npm test` and, with --system, `npm run test:system`. Further arguments go to jest.
const { spawn, spawnSync } = require("node:child_process");
const { root } = require("./sources.js");

const given = process.argv.slice(2);
const isSystem = given.includes("--system");

function main() {
  // The command line is tested as it ships.
  const built = spawnSync(process.execPath, [require.resolve("./build.js")], { stdio: "inherit" });
  if (built.status !== 0) process.exit(built.status ?? 1);
  void runTests();
}

/** Runs something, ends with it where we are ended. @returns its exit code */
function run(...command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: "inherit" });
    running = child;
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

let running;
let isEnded = false;

/** Ctrl-C reaches what runs by itself, as it is of the terminal's group; what is sent to us alone is passed on. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    isEnded = true;
    if (signal !== "SIGINT") running?.kill(signal);
  });

async function runTests() {
  const config = isSystem ? "jest.system.config.js" : "jest.config.js";
  const rest = given.filter((argument) => argument !== "--system");
  const jest = await run(require.resolve("jest/bin/jest"), "--config", config, ...rest);
  // Some tests alone are those tests; all of them end with a proof: the short one, and that it finds what it should.
  if (rest.length > 0 || isEnded) process.exit(jest);
  const flag = isSystem ? "--planted" : "--short";
  process.exit((await run("-r", "@swc-node/register", "test/system/prove/main.ts", flag)) || jest);
}

main();
