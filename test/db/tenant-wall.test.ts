import { inTransaction, readOnly } from "../../src/db/transaction";
import { Payment } from "../../src/payments/payment.entity";
import { decodeId } from "../../src/shared/ids";
import { card, CREATE, send, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let mine: string;
let theirs: string;
beforeAll(async () => {
  // The relay would empty the outbox.
  house = await openHouse({}, { worker: false });
  const { credentials } = house;
  mine = decodeId("mer", credentials.merchant) as string;
  theirs = decodeId("mer", credentials.other.merchant) as string;
  await send<Created>(house.url, credentials.keys.payments, CREATE, { key: "k", input: card("1") });
});
afterAll(() => house.close());

const TABLES = [
  "api_keys",
  "provider_accounts",
  "operations",
  "payments",
  "provider_references",
  "attempts",
  "payment_events",
  "outbox",
];

test("a statement that forgets its merchant finds only the rows of the merchant whose transaction it is in", async () => {
  for (const table of TABLES) {
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
