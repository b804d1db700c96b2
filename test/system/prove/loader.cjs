"use strict";
// Runs a bundle with the code that V8 compiled in an earlier run of it: a process is up in half the time.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const vm = require("node:vm");

const [file, kept] = process.argv.slice(2);
const source = fs.readFileSync(file, "latin1");
const cachedData = fs.existsSync(kept) ? fs.readFileSync(kept) : undefined;
const script = new vm.Script(Module.wrap(source), { filename: file, cachedData });
// `PROOF_KEEP`: compiled code is kept once this process is told to go.
if (process.env.PROOF_KEEP) process.once("exit", () => fs.writeFileSync(kept, script.createCachedData()));
const bundle = new Module(file, null);
script.runInThisContext().call(bundle.exports, bundle.exports, require, bundle, file, path.dirname(file));
