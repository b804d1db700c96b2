"use strict";
// Builds the pages of src/NAME into NAME of the build, or takes them from the last build where they are of these sources.
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { hashOfSources } = require("./sources.js");

const HASH = ".sources-sha256";
/** Smaller ones are not worth a second file (bytes). */
const COMPRESSED_FROM = 1_024;

/** Resolves with the exit code. */
async function buildPages(name, { dist, draft, bundle }) {
  const [last, next] = [dist, draft].map((folder) => path.join(folder, name));
  const sources = hashOfSources([path.join("src", name), "package-lock.json"]);
  if (read(path.join(last, HASH)) === sources) {
    fs.cpSync(last, next, { recursive: true });
    return 0;
  }
  const status = await bundle("build", path.join("src", name), "--outDir", next);
  if (status !== 0) return status;
  compress(path.join(next, "assets"));
  fs.writeFileSync(path.join(next, HASH), sources);
  return 0;
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

function compress(folder) {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const content = fs.readFileSync(file);
    if (content.length >= COMPRESSED_FROM) fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content));
  }
}

module.exports = { buildPages };
