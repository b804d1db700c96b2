import { inTransaction, readOnly } from "../../src/db/transaction";
import { Payment } from "../../src/payments/payment.entity";
import { decodeId } from "../../src/shared/ids";
import { applyWebhooks } from "../../src/inbox/apply-webhooks";
import { relayEvents } from "../../src/outbox/relay";
import { card, CREATE, REFUND, send, until, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let mine: string;
let theirs: string;
beforeAll(async () => {
  // The relay would empty the outbox: what the worker does is done here, once.
  house = await openHouse({}, { worker: false, webhooks: true });
  const { app, credentials } = house;
  mine = decodeId("mer", credentials.merchant) as string;
  theirs = decodeId("mer", credentials.other.merchant) as string;
  const pay = (key: string, input: object) =>
    send<Created>(house.url, credentials.keys.payments, CREATE, { key, input });
  const disputed = card("1", { order: { reference: "order" } }, "pm_card_createDispute");
  await pay("k", disputed);
  await pay("k", disputed);
  await pay("k", card("2"));
  await pay("pix", { amount: { amount: "1", currency: "BRL" }, method: { pix: {} } });
  const given = await pay("given", card("1"));
  const paymentId = given.data?.createPayment?.payment.id;
  await send(house.url, credentials.keys.payments, REFUND, { key: "r", input: { paymentId } });
  const told = () => app.db.query<{ type: string }[]>("select type from inbox");
  await until(told, (rows) => rows.some(({ type }) => type === "charge.dispute.created"), 10_000);
  await Promise.all(await applyWebhooks(app, 100));
  await relayEvents(app.db, [{ kind: "database", name: "a", apply: () => Promise.resolve() }], 100);
  await pay("doubt", card("1", {}, "pm_sandbox_error500BeforeCharge"));
});
afterAll(() => house.close());

/** Every table of the schema that has a merchant's rows. */
async function tenantTables(): Promise<string[]> {
  const rows = await house.app.db.query<{ name: string }[]>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'merchant_id' order by 1`,
  );
  return rows.map(({ name }) => name);
}

test("every table with a merchant's rows has the wall", async () => {
  const rows = await house.app.db.query<{ name: string }[]>(
    `select c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and c.relrowsecurity
       and exists (select 1 from pg_policy as p where p.polrelid = c.oid and p.polname = 'tenant') order by 1`,
  );
  const walled = rows.map(({ name }) => name);
  expect((await tenantTables()).filter((name) => !walled.includes(name))).toEqual([]);
});

test("a statement that forgets its merchant finds only the rows of the merchant whose transaction it is in", async () => {
  for (const table of await tenantTables()) {
    const rowsOf = (merchantId: string) =>
      readOnly(house.app.db, merchantId, (read) =>
        read.sql<{ merchant_id: string }>(`select merchant_id from ${table}`),
      );
    const own = await rowsOf(mine);
    expect({ table, rows: own.length > 0 }).toEqual({ table, rows: true });
    expect(own.every((row) => row.merchant_id === mine)).toBe(true);
    const others = await rowsOf(theirs);
    expect(others.filter((row) => row.merchant_id === mine)).toEqual([]);
  }
});

test("a write cannot reach another merchant's rows, nor put one there", async () => {
  const changed = await inTransaction(house.app.db, theirs, (tx) =>
    tx.sql<{ id: string }>(`update payments set description = 'theirs' returning id`),
  );
  expect(changed).toEqual([]);
  const forged = inTransaction(house.app.db, theirs, (tx) =>
    tx.sql(`insert into outbox (merchant_id, event_id) values ($1, $1)`, [mine]),
  );
  await expect(forged).rejects.toThrow(/row-level security/);
});

test("the connection goes back to the pool without the role and the merchant", async () => {
  await readOnly(house.app.db, mine, (read) => read.manager.find(Payment));
  const rows = await house.app.db.query<{ role: string; merchant: string | null }[]>(
    `select current_user as role, nullif(current_setting('umavez.merchant_id', true), '') as merchant`,
  );
  expect(rows[0]?.role).not.toBe("umavez_tenant");
  expect(rows[0]?.merchant ?? null).toBeNull();
});
