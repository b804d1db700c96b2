import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { apply, copySources } from "./build";
import { BUGS } from "./bugs";
import { RACES } from "../races";

/** What the suite promises to find. */
const PROMISED = [
  "a key without the merchant",
  "a query without the merchant",
  "a random reference",
  "a refused connection on a replay taken for never sent",
  "check-then-insert",
  "no provider key",
  "outbox after commit",
  "recovery that repeats without looking",
  "refund sum without a lock",
  "the call inside the transaction",
  "timeout as FAILED",
  "webhook acknowledged before it is stored",
];

test("every promised bug is planted, by a patch of its own, and shown by a race that there is", () => {
  expect(BUGS.map(({ name }) => name).sort()).toEqual(PROMISED);
  const patches = fs.readdirSync(__dirname).filter((name) => name.endsWith(".patch"));
  expect(BUGS.map(({ patch }) => patch).sort()).toEqual(patches.sort());
  const races = RACES.map(({ name }) => name);
  for (const { shownBy } of BUGS) expect(races).toContain(shownBy);
});

test.each(BUGS)("$name: its patch fits the sources and touches nothing else", async (bug) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-patches-"));
  try {
    await copySources(folder);
    const text = fs.readFileSync(path.join(__dirname, bug.patch), "utf8");
    const files = [...text.matchAll(/^\+\+\+ b\/(\S+)/gm)].map(([, file]) => file as string);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(file).toMatch(/^(src|migrations)\//);
    const read = () => files.map((file) => fs.readFileSync(path.join(folder, file), "utf8"));
    const before = read();
    await apply(bug, folder);
    const after = read();
    for (const [nth, content] of after.entries()) expect(content).not.toBe(before[nth]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
