import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** The migrated database that tests clone. */
export const TEMPLATE = "umavez_template";

/** A database of one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Clones the migrated template: a real, empty database in a few milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `umavez_${randomBytes(6).toString("hex")}`;
  await asAdmin(`create database ${name} template ${TEMPLATE}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => asAdmin(`drop database if exists ${name} with (force)`) };
}

function serverUrl(): string {
  const url = process.env.UMAVEZ_TEST_SERVER;
  if (url === undefined) throw new Error("the run's Postgres was not started: run the tests with npm test");
  return url;
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new Client({ connectionString: serverUrl() });
  await admin.connect();
  try {
    // Two clones of one template cannot be made at the same moment: they queue on this lock.
    await admin.query("select pg_advisory_lock(1)");
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
