import { Client } from "pg";
import { card, CREATE, ledgerOf, send, setFaults, until, type Created, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { startProcess, type Process } from "../support/processes";

let house: House;
let running: Process[];
beforeEach(async () => {
  house = await openHouse({}, { worker: false });
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.kill("SIGKILL")));
  await house.close();
});

async function start(command: "serve" | "worker", settings: Record<string, string> = {}): Promise<Process> {
  const one = await startProcess(command, house, settings);
  running.push(one);
  return one;
}

const READ = `query ($key: IdempotencyKey!) { payment(by: { idempotencyKey: $key }) { status providerReference failure { retryAdvice } } }`;
interface Read {
  payment: {
    status: string;
    providerReference: string | null;
    failure: { retryAdvice: string } | null;
  } | null;
}

const read = async (key: string) =>
  ((await send<Read>(house.url, house.credentials.keys.viewer, READ, { key })) as Reply<Read>).data
    ?.payment ?? null;

test("kill -9 of gateway and worker in the middle of 200 payments with slow replies: never twice, all definite in a minute", async () => {
  const [gateway, worker] = [await start("serve", { DATABASE_POOL: "20" }), await start("worker")];
  const keys = Array.from({ length: 200 }, (_, i) => `killed-${i}`);
  const input = card("10", {}, "pm_sandbox_slow");
  const create = (url: string, key: string) =>
    send<Created>(url, house.credentials.keys.payments, CREATE, { key, input });
  const begun = performance.now();
  const sent = Promise.allSettled(keys.map((key) => create(gateway.url, key)));
  await until(
    () => ledgerOf(house.sandboxUrl),
    ({ calls }) => calls.create >= 60,
    20_000,
  );
  await Promise.all([gateway.kill("SIGKILL"), worker.kill("SIGKILL")]);
  const answered = (await sent).filter((one) => one.status === "fulfilled").length;
  expect(answered).toBeLessThan(200);

  const [again] = [
    await start("serve", { DATABASE_POOL: "20" }),
    await start("worker", { DATABASE_POOL: "20" }),
  ];
  // The clients have no answer: they send the same keys again.
  await Promise.all(keys.map((key) => create(again.url, key)));
  const ended = await until(
    () => Promise.all(keys.map(read)),
    (all) => all.every((one) => one !== null && !["PROCESSING", "IN_DOUBT"].includes(one.status)),
    60_000 - (performance.now() - begun),
  );
  const { charges } = await ledgerOf(house.sandboxUrl);
  expect(new Set(charges.map((charge) => charge.reference)).size).toBe(charges.length);
  expect(charges).toHaveLength(200);
  for (const one of ended) {
    expect(one?.status).toBe("CAPTURED");
    expect(charges.some((charge) => charge.paymentIntent === one?.providerReference)).toBe(true);
  }
}, 150_000);

test("a worker that was away for longer than SEND_WITHIN charges nothing on its return", async () => {
  const settings = { SEND_WITHIN: "3s", PROVIDER_TIMEOUT_MS: "1000", LEASE: "2s" };
  const gateway = await start("serve", settings);
  const keys = Array.from({ length: 20 }, (_, i) => `away-${i}`);
  // Half of them have never reached the provider, half have been charged and nobody has heard of it.
  await Promise.all(
    keys.map((key, i) =>
      send<Created>(gateway.url, house.credentials.keys.payments, CREATE, {
        key,
        input: card("10", {}, i % 2 === 0 ? "pm_sandbox_dropBeforeCharge" : "pm_sandbox_replyLost"),
      }),
    ),
  );
  const before = await ledgerOf(house.sandboxUrl);
  expect(before.charges).toHaveLength(10);
  await until(
    async () => {
      const rows = await house.app.db.query<{ old: boolean }[]>(
        "select bool_and(created_at < now() - interval '11 s') as old from operations",
      );
      return rows[0]?.old;
    },
    Boolean,
    20_000,
  );

  await start("worker", settings);
  const ended = await until(
    () => Promise.all(keys.map(read)),
    (all) => all.every((one) => !["PROCESSING", "IN_DOUBT"].includes(one?.status ?? "")),
    20_000,
  );
  for (const [i, one] of ended.entries()) {
    expect({ key: keys[i], status: one?.status }).toEqual({
      key: keys[i],
      status: i % 2 === 0 ? "FAILED" : "CAPTURED",
    });
    if (one?.status === "FAILED") expect(one.failure?.retryAdvice).toBe("LATER");
  }
  const after = await ledgerOf(house.sandboxUrl);
  expect(after.charges).toHaveLength(10);
  expect(after.calls.create).toBe(before.calls.create);
}, 90_000);

test("a repeat that cannot be counted while it waits for the first call is no end of the gateway", async () => {
  const gateway = await start("serve", { SANDBOX_URL: house.meddler.url });
  await setFaults(house.sandboxUrl, { latencyMs: 1_500 });
  const database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
  const create = () =>
    send<Created>(gateway.url, house.credentials.keys.payments, CREATE, {
      key: "uncounted",
      input: card("1"),
    });
  const first = create();
  await until(
    async () => house.meddler.seen.length,
    (seen) => seen > 0,
    10_000,
  );
  await database.query("alter table operation_counters rename to elsewhere");
  const uncounted = await create();
  await database.query("alter table elsewhere rename to operation_counters");
  await database.end();
  expect(uncounted.errors?.[0]?.extensions).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
  expect((await first).data?.createPayment?.payment.status).toBe("CAPTURED");
  expect((await create()).data?.createPayment).toMatchObject({ replayed: true });
}, 30_000);
