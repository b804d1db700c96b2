import { Client } from "pg";
import { card, CREATE, send, type Created } from "../support/client";
import { openHouse } from "../support/gateway";
import { startProcess } from "../support/processes";

/** Zones of gateways and of their database: no two alike, and none of them UTC on both sides. */
const ZONES = [
  ["America/Sao_Paulo", "Asia/Kolkata"],
  ["Asia/Tokyo", "America/Sao_Paulo"],
  ["UTC", "Pacific/Auckland"],
] as const;

test.each(ZONES)(
  "TIME-01: a gateway in %s on a database in %s tells true instants",
  async (zone, databaseZone) => {
    const house = await openHouse({}, { worker: false });
    const admin = new Client({ connectionString: house.databaseUrl });
    await admin.connect();
    await admin.query(
      `do $$ begin execute format('alter database %I set timezone = %L', current_database(), '${databaseZone}'); end $$`,
    );
    await admin.end();
    const gateway = await startProcess("serve", house, { TZ: zone });
    const before = Date.now();
    const made = await send<Created>(gateway.url, house.credentials.keys.payments, CREATE, {
      key: "now",
      input: card("1"),
    });
    const after = Date.now();
    const { payment, operation } = made.data?.createPayment ?? {};
    for (const told of [payment?.createdAt, operation?.result?.recordedAt]) {
      expect(told).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(told ?? "")).toBeGreaterThanOrEqual(before - 1);
      expect(Date.parse(told ?? "")).toBeLessThanOrEqual(after + 1);
    }
    // The lease was given, and kept, by the database's clock: nothing was due while the call was out.
    const rows = await house.app.db.query<{ steps: number }[]>(
      "select count(*)::int as steps from unfinished_operations",
    );
    expect(rows[0]?.steps).toBe(0);
    await gateway.kill("SIGTERM");
    await house.close();
  },
);
