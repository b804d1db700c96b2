import { Client } from "pg";
import { card, CREATE, send, type Created } from "../support/client";
import { openHouse } from "../support/gateway";

const PAYMENTS = 300;

test("payments that are made side by side do not abort each other, on a database without statistics", async () => {
  const house = await openHouse();
  const key = house.credentials.keys.payments;
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
    Array.from({ length: PAYMENTS }, (_, i) =>
      send<Created>(house.url, key, CREATE, { key: `side-by-side-${i}`, input: card("1.00") }),
    ),
  );
  // A backend tells its statistics when it ends.
  await house.app.db.destroy();
  const aborted = (await rollbacks()) - before;
  await house.app.db.initialize();
  await observer.end();
  await house.close();
  expect(made.filter((reply) => reply.data?.createPayment?.payment.status === "CAPTURED")).toHaveLength(
    PAYMENTS,
  );
  // Two transactions each. With the tables as they were before decision 3, more than three aborts a payment.
  expect(aborted).toBeLessThan(PAYMENTS * 2 * 0.05);
});
