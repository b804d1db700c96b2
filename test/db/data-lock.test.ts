import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { lockDataDir } from "../../src/db/data-lock";
import { beganAt } from "../../src/db/embedded-pid";
import { inProcess, killChildren } from "./embedded-child";

/** Of a process that had our pid before us. */
const STALE = JSON.stringify({ pid: process.pid, began: "of another process" });

let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-lock-"));
  file = path.join(dataDir, "umavez.lock");
});

afterEach(() => {
  killChildren();
  fs.rmSync(dataDir, { recursive: true });
});

test("a folder that is given back can be taken again, and giving it back twice takes it from nobody", () => {
  const unlock = lockDataDir(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(`in use by the process ${process.pid}`);
  unlock();
  lockDataDir(dataDir);
  unlock();
  expect(() => lockDataDir(dataDir)).toThrow(`in use by the process ${process.pid}`);
});

test("a lock that makes no sense is nobody's", () => {
  fs.writeFileSync(file, "");
  lockDataDir(dataDir);
  expect(JSON.parse(fs.readFileSync(file, "utf8"))).toMatchObject({ pid: process.pid });
});

test("exactly one of many that find a dead holder's lock at the same moment takes it over", async () => {
  fs.writeFileSync(file, STALE);
  const many = Array.from({ length: 6 }, () => inProcess("lock", dataDir));
  for (const { child } of many) child.stdin?.end();
  const said = await Promise.all(many.map((one) => one.said));
  expect(said.filter(({ held }) => held)).toHaveLength(1);
  expect(fs.readdirSync(dataDir)).toEqual(["umavez.lock"]);
});

test("a lock that another start has taken over since it was seen to be stale is left to it", () => {
  fs.writeFileSync(file, STALE);
  const { child } = inProcess("lock", dataDir);
  const rival = JSON.stringify({ pid: child.pid, began: beganAt(child.pid as number) });
  const read = fs.readFileSync;
  const spy = jest.spyOn(fs, "readFileSync").mockImplementation(((...args: Parameters<typeof read>) => {
    const words = read(...args);
    if (args[0] !== file) return words;
    // The rival comes between our look and our act.
    spy.mockRestore();
    fs.writeFileSync(`${file}.rival`, rival);
    fs.renameSync(`${file}.rival`, file);
    return words;
  }) as typeof read);
  expect(() => lockDataDir(dataDir)).toThrow(`in use by the process ${child.pid}`);
  expect(fs.readFileSync(file, "utf8")).toBe(rival);
  expect(fs.readdirSync(dataDir)).toEqual(["umavez.lock"]);
});
