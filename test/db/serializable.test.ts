import { Client } from "pg";
import { card, CREATE, send, setFaults, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

const PAYMENTS = 300;

/** Makes payments side by side on a new database, and counts the transactions that were aborted for it. */
async function abortedBy(payments: number, prepare: (house: House) => Promise<void> = async () => undefined) {
  const house = await openHouse({}, { worker: false });
  const key = house.credentials.keys.payments;
  await prepare(house);
  const observer = new Client({ connectionString: house.databaseUrl });
  await observer.connect();
  const rollbacks = async () => {
    await observer.query("select pg_stat_clear_snapshot()");
    const { rows } = await observer.query<{ n: string }>(
      "select xact_rollback as n from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.n);
  };
  const before = await rollbacks();
  const made = await Promise.all(
    Array.from({ length: payments }, (_, i) =>
      send<Created>(house.url, key, CREATE, { key: `side-by-side-${i}`, input: card("1.00") }),
    ),
  );
  // A backend tells its statistics when it ends.
  await house.app.db.destroy();
  const aborted = (await rollbacks()) - before;
  await house.app.db.initialize();
  await observer.end();
  await house.close();
  return { aborted, statuses: made.map((reply) => reply.data?.createPayment?.payment.status) };
}

test("payments that are made side by side do not abort each other, on a database without statistics", async () => {
  const { aborted, statuses } = await abortedBy(PAYMENTS);
  expect(statuses.filter((status) => status === "CAPTURED")).toHaveLength(PAYMENTS);
  // Two transactions each. With the tables as they were before decision 3, more than three aborts a payment.
  expect(aborted).toBeLessThan(PAYMENTS * 2 * 0.05);
});

test("nor do those whose outcome nobody knows, all at the same moment", async () => {
  const { aborted, statuses } = await abortedBy(PAYMENTS, ({ sandboxUrl }) =>
    setFaults(sandboxUrl, { error500AfterCharge: 1, latencyMs: 500 }),
  );
  expect(statuses.filter((status) => status === "IN_DOUBT")).toHaveLength(PAYMENTS);
  // With the next step written in T2, 22 of them were still PROCESSING: their T2s had given up.
  expect(aborted).toBeLessThan(PAYMENTS * 2 * 0.05);
});
