import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Journal } from "../../src/sandbox/journal";

let folder: string;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-journal-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test("whoever appends as soon as an append has resolved is written too", async () => {
  const { journal } = await Journal.open(folder);
  for (const record of [1, 2, 3]) await journal.append(record);
  await journal.close();
  const { journal: again, records } = await Journal.open(folder);
  await again.close();
  expect(records).toEqual([1, 2, 3]);
});

test("a torn last line was never acknowledged: it is cut off, and what follows is whole", async () => {
  const { journal } = await Journal.open(folder);
  await journal.append({ kept: true });
  await journal.close();
  fs.appendFileSync(path.join(folder, "ledger.jsonl"), '{"torn":');
  const { journal: again } = await Journal.open(folder);
  await again.append({ after: true });
  await again.close();
  const { journal: last, records } = await Journal.open(folder);
  await last.close();
  expect(records).toEqual([{ kept: true }, { after: true }]);
});
