"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const SOURCES = [
  "src",
  "migrations",
  "ormconfig.ts",
  "tsconfig.json",
  "tsconfig.build.json",
  "package-lock.json",
];

/** SHA-256 over everything that the build is made from, in a fixed order. */
function hashOfSources() {
  const hash = crypto.createHash("sha256");
  for (const file of SOURCES.flatMap((source) => filesOf(path.join(root, source)))) {
    hash.update(path.relative(root, file)).update("\0").update(fs.readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function filesOf(place) {
  if (!fs.existsSync(place)) return [];
  if (!fs.statSync(place).isDirectory()) return [place];
  return fs
    .readdirSync(place)
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
}

/** What the build in dist/ was made from; undefined where there is none. */
function hashOfBuild() {
  const file = path.join(root, "dist", ".sources-sha256");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

module.exports = { root, hashOfSources, hashOfBuild };
