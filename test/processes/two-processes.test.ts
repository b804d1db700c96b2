import { card, CREATE, ledgerOf, send, setFaults, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { startProcess, type Process } from "../support/processes";

let house: House;
let others: Process[];
beforeAll(async () => {
  house = await openHouse();
  others = [await startProcess("serve", house), await startProcess("serve", house)];
}, 60_000);
afterAll(async () => {
  await Promise.all(others.map((one) => one.kill("SIGTERM")));
  await house.close();
});

const create = (url: string, key: string, amount: string) =>
  send<Created>(url, house.credentials.keys.payments, CREATE, { key, input: card(amount) });

async function storm(key: string) {
  const before = await ledgerOf(house.sandboxUrl);
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, i) => create(others[i % 2]?.url ?? "", key, "10.50")),
  );
  const after = await ledgerOf(house.sandboxUrl);
  return {
    errors: replies.flatMap((reply) => reply.errors ?? []),
    payments: new Set(replies.map((reply) => reply.data?.createPayment?.payment.id)).size,
    results: new Set(replies.map((reply) => JSON.stringify(reply.data?.createPayment?.operation.result)))
      .size,
    firsts: replies.filter((reply) => reply.data?.createPayment?.replayed === false).length,
    charges: after.charges.length - before.charges.length,
    creates: after.calls.create - before.calls.create,
  };
}

const ONCE = { errors: [], payments: 1, results: 1, firsts: 1, charges: 1, creates: 1 };

describe("CONC-01: one key, split over two processes on one database", () => {
  test.each(Array.from({ length: 10 }, (_, round) => round + 1))("200 calls: round %i", async (round) => {
    expect(await storm(`split-${round}`)).toEqual(ONCE);
  });

  test("where the provider ignores its keys", async () => {
    await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: true });
    expect(await storm("split-ignored")).toEqual(ONCE);
    await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: false });
  });
});

test("100 keys with two contents, each sent to another process at once: one wins, the other is always a CONFLICT", async () => {
  const keys = Array.from({ length: 100 }, (_, i) => `split-poisoned-${i}`);
  const before = (await ledgerOf(house.sandboxUrl)).charges.length;
  const pairs = await Promise.all(
    keys.map((key) =>
      Promise.all([create(others[0]?.url ?? "", key, "20.00"), create(others[1]?.url ?? "", key, "30.00")]),
    ),
  );
  const charges = (await ledgerOf(house.sandboxUrl)).charges.slice(before);
  expect(charges).toHaveLength(100);
  for (const pair of pairs) {
    const lost = pair.filter((reply) => reply.errors);
    expect(lost.map((reply) => reply.errors?.[0]?.extensions.code)).toEqual(["CONFLICT"]);
    const won = pair.find((reply) => !reply.errors)?.data?.createPayment?.payment;
    const charge = charges.find((one) => one.paymentIntent === won?.providerReference);
    expect(charge?.amount).toBe(Number(won?.amount.minorUnits));
  }
});

test("CACHE-01: a repeat right after the end is the same on both processes, a hundred times", async () => {
  const first = await create(others[0]?.url ?? "", "cached", "10");
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => create(others[i % 2]?.url ?? "", "cached", "10")),
  );
  for (const answer of answers) {
    expect(answer.data?.createPayment?.payment).toEqual(first.data?.createPayment?.payment);
    expect(answer.data?.createPayment?.operation.result).toEqual(first.data?.createPayment?.operation.result);
  }
  const other = await create(others[1]?.url ?? "", "cached", "11");
  expect(other.errors?.[0]?.extensions).toMatchObject({
    code: "CONFLICT",
    changedFields: ["input.amount.amount"],
  });
});

test("a repeat on one process waits for the call that the other one has out", async () => {
  const before = await ledgerOf(house.sandboxUrl);
  const slow = { key: "waits", input: card("10", {}, "pm_sandbox_slow") };
  const first = send<Created>(others[0]?.url ?? "", house.credentials.keys.payments, CREATE, slow);
  while ((await ledgerOf(house.sandboxUrl)).calls.create === before.calls.create);
  const repeat = await send<Created>(others[1]?.url ?? "", house.credentials.keys.payments, CREATE, slow);
  expect(repeat.data?.createPayment).toMatchObject({ replayed: true, payment: { status: "CAPTURED" } });
  expect((await first).data?.createPayment?.operation.result).toEqual(
    repeat.data?.createPayment?.operation.result,
  );
  expect((await ledgerOf(house.sandboxUrl)).calls.create - before.calls.create).toBe(1);
});
