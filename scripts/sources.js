"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const SOURCES = [
  "src",
  "migrations",
  "schema/persisted-documents.json",
  "ormconfig.ts",
  "tsconfig.json",
  "tsconfig.build.json",
  "package-lock.json",
];

/** What a package of ours has beside its sources. */
const MADE = /^(node_modules|dist(\.\d+)?)$/;

/** SHA-256 over everything that the build, or a part of it, is made from, in a fixed order. */
function hashOfSources(sources = SOURCES) {
  const hash = crypto.createHash("sha256");
  for (const file of sources.flatMap((source) => filesOf(path.join(root, source)))) {
    const content = fs.readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function filesOf(place) {
  const found = fs.statSync(place, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [place];
  return fs
    .readdirSync(place)
    .filter((name) => !MADE.test(name))
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
}

/** What the build in dist/ was made from; undefined where there is none. */
function hashOfBuild() {
  const file = path.join(root, "dist", ".sources-sha256");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

/** True where dist/ is what the sources say. A package that came without its sources has nothing to differ from. */
function isBuilt() {
  const built = hashOfBuild();
  return built !== undefined && (!fs.existsSync(path.join(root, "src")) || built === hashOfSources());
}

module.exports = { root, hashOfSources, hashOfBuild, isBuilt };
