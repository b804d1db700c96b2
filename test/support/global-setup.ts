import "reflect-metadata";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { startEmbedded, type Embedded } from "../../src/db/embedded";
import { migrate } from "../../src/db/migrate";
import { TEMPLATE } from "./database";

declare global {
  // eslint-disable-next-line no-var
  var umavezTestServer: { server: Embedded; dataDir: string } | undefined;
}

/** One real Postgres for the whole run, and in it a migrated database that each test file clones. */
export default async function setUp(): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  const url = given ?? (await ownServer());
  process.env.UMAVEZ_TEST_SERVER = url;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.toString());
}

async function ownServer(): Promise<string> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-test-postgres-"));
  // What is lost with the machine is only this run.
  const server = await startEmbedded({ dataDir, durable: false });
  globalThis.umavezTestServer = { server, dataDir };
  return server.url;
}
