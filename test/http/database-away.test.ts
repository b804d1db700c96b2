import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { startEmbedded, type Embedded } from "../../src/db/embedded";
import { migrate } from "../../src/db/migrate";
import { card, CREATE, ledgerOf, send, until, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

/** A server of this file's own, because it is stopped and started. */
let server: Embedded;
let dataDir: string;
let house: House;
const lines: string[] = [];
beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-away-"));
  server = await startEmbedded({ dataDir, durable: false });
  await migrate(server.url);
  house = await openHouse(
    { DATABASE_URL: server.url, PROVIDER_TIMEOUT_MS: "4000", LEASE: "6s", LOG_LEVEL: "info" },
    { log: { write: (line: string) => void lines.push(line) } },
  );
}, 60_000);
afterAll(async () => {
  await house.close();
  await server.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const create = (key: string, input = card("1")) =>
  send<Created>(house.url, house.credentials.keys.payments, CREATE, { key, input });
const ready = async () => (await fetch(`${house.url}/readyz`)).status;

/** Nothing of the database's may show: its words, its code, its address, its tables. */
const LEAKS =
  /SQLSTATE|relation|select |insert |postgres|127\.0\.0\.1|ECONN|unfinished_operations|stack|at \w+\./i;

async function asAdmin(statement: string): Promise<void> {
  const admin = new Client({ connectionString: server.url });
  admin.on("error", () => undefined);
  await admin.connect();
  await admin.query(statement).catch(() => undefined);
  await admin.end().catch(() => undefined);
}

const CUT =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'";

test("DB-04: connections that are cut while idle are replaced, and nobody notices", async () => {
  await create("warm");
  await asAdmin(CUT);
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => create(`cut-idle-${i}`)));
  for (const reply of replies) expect(reply.data?.createPayment?.payment.status).toBe("CAPTURED");
});

test("DB-04: connections that are cut while payments are made: each payment is made once", async () => {
  const before = (await ledgerOf(house.sandboxUrl)).charges.length;
  const made = Promise.all(Array.from({ length: 60 }, (_, i) => create(`cut-busy-${i}`)));
  for (let cuts = 0; cuts < 5; cuts += 1) await asAdmin(CUT);
  await made;
  const ended = await until(
    () => Promise.all(Array.from({ length: 60 }, (_, i) => create(`cut-busy-${i}`))),
    (all) => all.every((reply) => reply.data?.createPayment?.payment.status === "CAPTURED"),
    30_000,
  );
  expect(new Set(ended.map((reply) => reply.data?.createPayment?.payment.id)).size).toBe(60);
  expect((await ledgerOf(house.sandboxUrl)).charges.length - before).toBe(60);
}, 60_000);

test("DB-04, LEAK-02: a database that is away is UNAVAILABLE and not ready; a payment in flight ends with one charge; it comes back by itself", async () => {
  const before = await ledgerOf(house.sandboxUrl);
  expect(await ready()).toBe(200);
  const inFlight = create("in-flight", card("7", {}, "pm_sandbox_slow"));
  await until(
    () => ledgerOf(house.sandboxUrl),
    ({ calls }) => calls.create > before.calls.create,
    5_000,
  );
  await server.stop();
  expect(await until(ready, (status) => status === 503, 5_000)).toBe(503);
  expect((await fetch(`${house.url}/livez`)).status).toBe(200);

  const [refused, lost] = await Promise.all([create("while-away"), inFlight]);
  for (const reply of [refused, lost]) {
    expect(reply.errors?.[0]?.extensions).toMatchObject({ code: "UNAVAILABLE", retryable: true });
    expect(reply.errors?.[0]?.extensions.retryAfterMs).toBeGreaterThan(0);
    expect(JSON.stringify(reply)).not.toMatch(LEAKS);
  }
  const read = await send(house.url, house.credentials.keys.viewer, "{ payments { nodes { id } } }");
  expect(read.errors?.[0]?.extensions.code).toBe("UNAVAILABLE");

  server = await startEmbedded({ dataDir, durable: false, port: server.port });
  expect(await until(ready, (status) => status === 200, 10_000)).toBe(200);
  const ended = await until(
    () => create("in-flight", card("7", {}, "pm_sandbox_slow")),
    (reply) => reply.data?.createPayment?.payment.status === "CAPTURED",
    40_000,
  );
  expect(ended.data?.createPayment?.replayed).toBe(true);
  expect((await create("while-away")).data?.createPayment?.payment.status).toBe("CAPTURED");
  const after = await ledgerOf(house.sandboxUrl);
  expect(after.charges.length - before.charges.length).toBe(2);
}, 90_000);

test("LEAK-02: a bug says an id that is found in the log, and nothing else", async () => {
  await asAdmin("alter table payments rename to payments_gone");
  const broken = await create("broken");
  await asAdmin("alter table payments_gone rename to payments");
  const [error] = broken.errors ?? [];
  expect(error?.extensions).toMatchObject({ code: "INTERNAL_SERVER_ERROR", retryable: true });
  expect(JSON.stringify(broken)).not.toMatch(LEAKS);
  const errorId = String(error?.extensions.errorId);
  expect(lines.some((line) => line.includes(errorId) && line.includes("payments"))).toBe(true);
  expect((await create("broken")).data?.createPayment).toMatchObject({
    replayed: false,
    payment: { status: "CAPTURED" },
  });
});

test("LEAK-02: a full pool is waited for, and then said", async () => {
  const hold = new Client({ connectionString: server.url });
  await hold.connect();
  await hold.query("begin; lock table operations in access exclusive mode");
  const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => create(`full-${i}`)));
  for (const reply of replies) {
    expect(reply.errors?.[0]?.extensions).toMatchObject({ code: "UNAVAILABLE", retryable: true });
    expect(JSON.stringify(reply)).not.toMatch(LEAKS);
  }
  await hold.query("rollback");
  await hold.end();
  expect((await create("full-0")).data?.createPayment?.payment.status).toBe("CAPTURED");
}, 60_000);
