import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { ensureDemo, type Credentials } from "../../../src/cli/demo";
import { registerDemoWebhooks } from "../../../src/cli/demo-webhooks";
import { readConfig } from "../../../src/config";
import { closeApp, openApp } from "../../../src/main";
import { startSandbox } from "../../../src/sandbox/server";
import { createLog } from "../../../src/shared/log";
import { createTestDatabase } from "../../support/database";
import { TEST_ENCRYPTION_KEY } from "../../support/gateway";
import { startPostman, type Postman } from "../../support/postman";
import type { Built } from "./build";
import { startSubject, type SubjectProcess, type warm } from "./subject-process";
import { startWire, type Link, type Wire } from "./wire/wire";

/** Where crash points are tried, one after the other: a database, a provider, and gateways that may die. */
export interface Lane {
  database: Client;
  sandboxUrl: string;
  credentials: Credentials;
  /** Has what the provider tells, and what has been delivered to the outside consumer. */
  postman: Postman;
  mail: string[];
  /** Nothing happens to it, and it speaks to all directly. */
  healthy: SubjectProcess;
  /** The next gateway that may die; another one is made ready meanwhile. */
  nextVictim(): Promise<Victim>;
  /** Puts a victim that lives back, to be the next one. */
  keep(victim: Victim): void;
  close(): Promise<void>;
}

/** A gateway that may die, and the wire by which it speaks to everything. */
export interface Victim extends SubjectProcess {
  wire: Wire;
}

/** Short, so that what a dead gateway held is free soon; a lane lets time pass by itself (pass-time.ts). */
const SETTINGS = { PROVIDER_TIMEOUT_MS: "5000", LEASE: "45s", DATABASE_POOL: "5" };
/** Gateways that wait for their turn: as many as start while one trial runs. */
const SPARES = 2;

/** @param prepareBuilt runs a subject once, before those of the lane */
export async function openLane(built: Built, prepareBuilt?: typeof warm): Promise<Lane> {
  const testDatabase = await createTestDatabase();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-prove-lane-"));
  const sandbox = await startSandbox({ port: 0, dataDir: path.join(dataDir, "sandbox") });
  const postman = await startPostman(() => "");
  const receiver = await startReceiver();
  const settings = { ...SETTINGS, DATA_DIR: dataDir, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
  const direct = { DATABASE_URL: testDatabase.url, SANDBOX_URL: sandbox.url, PROOF_RECEIVER: receiver.url };
  const credentials = await prepare({ ...settings, ...direct }, postman.url);
  const database = new Client({ connectionString: testDatabase.url });
  await database.connect();
  await database.query(`create table proof_effects (merchant_id uuid, event_id uuid);
                        grant select, insert on proof_effects to umavez_tenant`);
  const links: Link[] = [
    { name: "database", protocol: "postgres", target: addressOf(testDatabase.url) },
    { name: "provider", protocol: "http", target: addressOf(sandbox.url) },
    { name: "receiver", protocol: "http", target: addressOf(receiver.url) },
  ];
  await prepareBuilt?.(built, { ...settings, ...direct });
  const healthy = await startSubject(built, { ...settings, ...direct });
  const spares: Promise<Victim>[] = [];
  const startVictim = async (): Promise<Victim> => {
    const wire = await startWire(links);
    const subject = await startSubject(built, {
      ...settings,
      DATABASE_URL: moved(testDatabase.url, wire.portOf("database")),
      SANDBOX_URL: moved(sandbox.url, wire.portOf("provider")),
      PROOF_RECEIVER: moved(receiver.url, wire.portOf("receiver")),
    });
    await warmUp(subject, credentials.keys.payments);
    return { ...subject, wire, end: async () => (await subject.end(), await wire.close()) };
  };
  const fill = () => {
    while (spares.length < SPARES) spares.push(startVictim());
  };
  fill();
  return {
    ...{ database, sandboxUrl: sandbox.url, credentials, postman, mail: receiver.mail, healthy },
    nextVictim: () => {
      const next = spares.shift();
      fill();
      if (!next) throw new Error("no spare");
      return next;
    },
    keep: (victim) => void spares.unshift(Promise.resolve(victim)),
    close: async () => {
      await Promise.all([healthy.end(), ...spares.map(async (spare) => (await spare).end())]);
      await database.end();
      await postman.close();
      await receiver.close();
      await sandbox.close();
      await testDatabase.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const WARM = JSON.stringify({ query: "{ viewer { role } }" });

/** A first call makes a connection, and notes that its key was used: those are none of a scenario's messages. */
export async function warmUp({ url }: SubjectProcess, key: string): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/graphql`, { method: "POST", headers, body: WARM });
  if (!answer.ok) throw new Error(`a gateway that should be well answered ${answer.status}`);
  await answer.arrayBuffer();
}

async function prepare(settings: Record<string, string>, hooks: string): Promise<Credentials> {
  const config = readConfig({ ...settings, PORT: "0" });
  const settled = { ...config, databaseUrl: settings.DATABASE_URL ?? "", encryptionKey: TEST_ENCRYPTION_KEY };
  const app = await openApp(settled, createLog({ level: "fatal" }));
  const credentials = await ensureDemo(app);
  await registerDemoWebhooks(app, hooks, credentials);
  await closeApp(app);
  return credentials;
}

/** What the outside consumer speaks to: it knows how often it was told of what. */
async function startReceiver() {
  const mail: string[] = [];
  const server = http.createServer((incoming, outgoing) => {
    let effectKey = "";
    incoming.on("data", (chunk: Buffer) => (effectKey += chunk.toString("utf8")));
    incoming.on("end", () => (mail.push(effectKey), outgoing.end("ok")));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, mail, close };
}

function addressOf(url: string) {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
}

function moved(url: string, port: number): string {
  const other = new URL(url);
  other.hostname = "127.0.0.1";
  other.port = String(port);
  return other.toString().replace(/\/$/, "");
}
