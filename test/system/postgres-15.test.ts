import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { migrate } from "../../src/db/migrate";
import { startPostgres15, type Postgres15 } from "../support/postgres-15";

let server: Postgres15;
beforeAll(async () => (server = await startPostgres15()), 600_000);
afterAll(() => server.stop());

const root = path.resolve(__dirname, "../..");
const DUMP = path.join(root, "schema/database.sql");

/** What pg_dump prints, without what differs from one run or minor version to the next. */
function dump(database: string): string {
  const url = server.url.replace(/\/postgres$/, `/${database}`);
  const printed = server.run("pg_dump", "--schema-only", "--no-owner", "--dbname", url);
  const kept = printed
    .split("\n")
    .filter((line) => !/^(--|\\(un)?restrict|SET |SELECT pg_catalog)/.test(line));
  return `${kept
    .join("\n")
    .replace(/\n{2,}/g, "\n\n")
    .trim()}\n`;
}

async function inServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test("schema/database.sql is what all migrations make (written anew with UPDATE_DATABASE_SQL=on)", async () => {
  await inServer("create database umavez_dumped");
  await migrate(server.url.replace(/\/postgres$/, "/umavez_dumped"));
  const made = dump("umavez_dumped");
  if (process.env.UPDATE_DATABASE_SQL === "on") fs.writeFileSync(DUMP, made);
  expect(made).toBe(fs.readFileSync(DUMP, "utf8"));
});

/** What a server's version could change: the fence, SERIALIZABLE, the plans of reads, the wall between tenants. */
const SUITES = [
  "test/db/serializable",
  "test/db/tenant-wall",
  "test/payments/one-key",
  "test/payments/reads",
];

test("what rests on the server holds on Postgres 15, too", async () => {
  const env = { ...process.env, TEST_DATABASE_URL: server.url };
  const jest = spawn(process.execPath, [require.resolve("jest/bin/jest"), "--ci", ...SUITES], {
    cwd: root,
    env,
  });
  let printed = "";
  for (const stream of [jest.stdout, jest.stderr])
    stream.on("data", (part: Buffer) => (printed += part.toString()));
  const code = await new Promise<number | null>((resolve) => jest.once("exit", resolve));
  expect({ code, printed: code === 0 ? "" : printed }).toEqual({ code: 0, printed: "" });
  expect(printed).toMatch(/Test Suites: 4 passed, 4 total/);
}, 300_000);
