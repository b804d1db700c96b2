import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { Client } from "pg";

/** The migrated database that tests clone. */
export const TEMPLATE = "umavez_template";

/** A database of one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Clones the migrated template: a real, empty database in a few milliseconds.
 * @param subject the script of another build of the product, which then migrates
 */
export async function createTestDatabase(subject = process.env.UMAVEZ_SUBJECT): Promise<TestDatabase> {
  const name = `umavez_${randomBytes(6).toString("hex")}`;
  await asAdmin(`create database ${name} ${subject === undefined ? `template ${TEMPLATE}` : ""}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  const database = {
    url: url.toString(),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
  if (subject !== undefined) await migrateBy(subject, database);
  return database;
}

/** Another build of the product may have migrations of its own. */
async function migrateBy(subject: string, { url, drop }: TestDatabase): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [subject, "migrate"], { env }).catch(async (error: unknown) => {
    await drop();
    throw error;
  });
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
