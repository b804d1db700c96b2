import { eraseContent } from "../../src/idempotency/erase-content";
import { card, CREATE, ledgerOf, send, setFaults, until, type Created } from "../support/client";
import { openHouse, QUICK, type House } from "../support/gateway";

const PAYMENTS = 30;

let house: House;
afterEach(() => house.close());

const create = (key: string, amount = "10") =>
  send<Created>(house.url, house.credentials.keys.payments, CREATE, { key, input: card(amount) });

/** Erases until nothing is left to erase, a few at a time. */
async function eraseAll(): Promise<number> {
  let erased = 0;
  for (let done = -1; done !== 0; erased += done) done = await eraseContent(house.app.db, 7);
  return erased;
}

test("KEY-04: after the window the result is gone, and the key never pays again", async () => {
  house = await openHouse({ REPLAY_WINDOW: "1s" }, { worker: false });
  const keys = Array.from({ length: PAYMENTS }, (_, i) => `old-${i}`);
  const first = await Promise.all(keys.map((key) => create(key)));
  const before = await create("old-0");
  expect(before.data?.createPayment).toMatchObject({
    replayed: true,
    operation: { result: expect.anything() },
  });
  await create("old-1", "11");

  // The window closes while some ask again, and the erasure runs beside them.
  await until(eraseAll, (erased) => erased > 0, 10_000);
  const during = await Promise.all([eraseAll(), ...keys.map((key) => create(key))]);
  for (const reply of during.slice(1) as typeof first) expect(reply.errors).toBeUndefined();
  await until(eraseAll, (erased) => erased === 0, 10_000);

  const after = await Promise.all(keys.map((key) => create(key)));
  for (const [i, reply] of after.entries()) {
    const { payment, operation, replayed } = reply.data?.createPayment ?? {};
    expect(replayed).toBe(true);
    expect(payment).toMatchObject({ id: first[i]?.data?.createPayment?.payment.id, status: "CAPTURED" });
    expect(operation).toMatchObject({ state: "SUCCEEDED", result: null });
  }
  const misused = await create("old-0", "12");
  expect(misused.errors?.[0]?.extensions).toMatchObject({ code: "CONFLICT", changedFields: null });
  const listed = await send<{ operation: { collisions: { changedFields: string[] | null }[] } }>(
    house.url,
    house.credentials.keys.payments,
    `{ operation(by: { key: { kind: CREATE_PAYMENT, idempotencyKey: "old-1" } }) { collisions { changedFields } } }`,
  );
  expect(listed.data?.operation.collisions).toEqual([{ changedFields: null }]);
  expect((await ledgerOf(house.sandboxUrl)).charges).toHaveLength(PAYMENTS);
});

test("KEY-04: what has not ended is not erased, however old: recovery still finds it", async () => {
  house = await openHouse({ REPLAY_WINDOW: "1s", ...QUICK }, { worker: false });
  await setFaults(house.sandboxUrl, { error500AfterCharge: 1 });
  const doubtful = await create("unknown");
  expect(doubtful.data?.createPayment?.payment.status).toBe("IN_DOUBT");
  await setFaults(house.sandboxUrl, { error500AfterCharge: 0 });
  await create("ended");
  await until(eraseAll, (erased) => erased > 0, 10_000);
  const { rows } = {
    rows: await house.app.db.query<{ n: string }[]>(
      `select count(*) as n from operations where intent is not null`,
    ),
  };
  expect(Number(rows[0]?.n)).toBe(1);
  expect((await create("unknown", "11")).errors?.[0]?.extensions.changedFields).toEqual([
    "input.amount.amount",
  ]);
});
