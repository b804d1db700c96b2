"use strict";
// Builds @umavez/client into src/client/dist, once for `import` and once for `require`, unless it is of these sources.
const fs = require("node:fs");
const path = require("node:path");
const { root, hashOfSources } = require("./sources.js");

const SOURCES = ["src/client", "package-lock.json"];
const HASH = ".sources-sha256";
/** The folder in dist, its tsconfig, and how Node is to read its files. */
const FORMS = [
  { name: "esm", config: "tsconfig.json", type: "module" },
  { name: "cjs", config: "tsconfig.cjs.json", type: "commonjs" },
];

/** Resolves with the exit code. */
async function buildClientPackage(compile) {
  const client = path.join(root, "src", "client");
  const dist = path.join(client, "dist");
  const sources = hashOfSources(SOURCES);
  if (fs.existsSync(path.join(dist, HASH)) && fs.readFileSync(path.join(dist, HASH), "utf8") === sources)
    return 0;
  const draft = `${dist}.${process.pid}`;
  const statuses = await Promise.all(
    FORMS.map(({ name, config }) =>
      compile("-p", path.join(client, config), "--outDir", path.join(draft, name)),
    ),
  );
  const failed = statuses.find((status) => status !== 0);
  if (failed === undefined) {
    for (const { name, type } of FORMS)
      fs.writeFileSync(path.join(draft, name, "package.json"), `${JSON.stringify({ type })}\n`);
    fs.writeFileSync(path.join(draft, HASH), sources);
    fs.rmSync(dist, { recursive: true, force: true });
    fs.renameSync(draft, dist);
  }
  fs.rmSync(draft, { recursive: true, force: true });
  return failed ?? 0;
}

module.exports = { buildClientPackage };
