import { Client } from "pg";
import { acrossMerchants } from "../../src/db/transaction";
import { recoverPayments } from "../../src/payments/recover-payments";
import {
  CANCEL,
  card,
  CREATE,
  ledgerOf,
  send,
  setFaults,
  until,
  type Changed,
  type Created,
} from "../support/client";
import { openHouse, QUICK, type House } from "../support/gateway";
import type { Fate } from "../support/meddler";

/** A house for one test: its network and its provider's faults are its own. */
let house: House;
afterEach(() => house.close());

const create = (key: string, input: Record<string, unknown>) =>
  send<Created>(house.url, house.credentials.keys.payments, CREATE, { key, input });

/** Asks with the same key until the payment is definite, as a client does. */
const untilDefinite = (key: string, input: Record<string, unknown>, withinMs: number) =>
  until(
    async () => (await create(key, input)).data?.createPayment,
    (answer) => answer?.payment.status !== "PROCESSING" && answer?.payment.status !== "IN_DOUBT",
    withinMs,
  );

const unauthorized = { error: { type: "invalid_request_error", message: "Invalid API Key provided" } };
const missing = {
  error: { type: "invalid_request_error", code: "resource_missing", message: "No such thing" },
};
const limited = {
  error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests" },
};

const MET: Record<string, Fate> = {
  "connection refused": "refuse",
  "401": { status: 401, body: JSON.stringify(unauthorized) },
  "404": { status: 404, body: JSON.stringify(missing) },
  "429": { status: 429, body: JSON.stringify(limited) },
};

test("RETRY-01: a resend that meets a refused connection, 401, 404 or 429 after a lost reply stays in doubt, and ends right", async () => {
  house = await openHouse();
  const { meddler } = house;
  let healed = false;
  meddler.decide(({ method, body, nth }) => {
    if (healed) return "pass";
    if (method === "GET") return { status: 503, body: "{}" };
    return nth === 1 ? "lose reply" : (MET[new URLSearchParams(body).get("description") ?? ""] ?? "pass");
  });
  const names = Object.keys(MET);
  const inputs = names.map((name) => card("10", { description: name }));
  const made = await Promise.all(names.map((name, i) => create(`met-${i}`, inputs[i] ?? {})));
  for (const reply of made) expect(reply.data?.createPayment?.payment.status).toBe("IN_DOUBT");
  expect((await ledgerOf(house.sandboxUrl)).charges).toHaveLength(4);

  // Each has been sent again, under the same key, and has met its fault.
  const references = made.map((reply) => reply.data?.createPayment?.operation.attempts[0]?.reference);
  const resent = async () =>
    references.every((key) => meddler.seen.some((one) => one.key === key && one.nth > 1));
  await until(resent, Boolean, 25_000);
  const doubtful = await until(
    () => Promise.all(names.map((_, i) => create(`met-${i}`, inputs[i] ?? {}))),
    (all) => all.every((reply) => reply.data?.createPayment?.operation.state === "IN_DOUBT"),
    5_000,
  );
  for (const reply of doubtful) expect(reply.data?.createPayment?.payment.status).toBe("IN_DOUBT");

  healed = true;
  for (const [i, name] of names.entries()) {
    const ended = await untilDefinite(`met-${i}`, inputs[i] ?? {}, 25_000);
    expect({ name, status: ended?.payment.status }).toEqual({ name, status: "CAPTURED" });
    expect(ended?.operation.attempts).toHaveLength(1);
  }
  const { charges } = await ledgerOf(house.sandboxUrl);
  expect(charges).toHaveLength(4);
  for (const reference of references)
    expect(meddler.seen.filter(({ key }) => key === reference).length).toBeGreaterThan(1);
}, 90_000);

test("REC-04: a look-up that lags proves nothing within its window: nothing is sent meanwhile, even where the provider ignores keys", async () => {
  house = await openHouse();
  await setFaults(house.sandboxUrl, { lookupLagMs: 7_000, ignoreIdempotencyKeys: true });
  const input = card("10", {}, "pm_sandbox_replyLost");
  const first = await create("lag", input);
  expect(first.data?.createPayment?.payment.status).toBe("IN_DOUBT");
  const ended = await untilDefinite("lag", input, 30_000);
  expect(ended?.payment.status).toBe("CAPTURED");
  expect(ended?.operation.attempts[0]?.evidence).toBe("found_by_reference");
  const { charges, calls } = await ledgerOf(house.sandboxUrl);
  expect([charges.length, calls.create]).toEqual([1, 1]);
}, 60_000);

test("REC-04: a look-up that lags for longer than it should is survived by the key", async () => {
  house = await openHouse();
  await setFaults(house.sandboxUrl, { lookupLagMs: 30_000 });
  const input = card("10", {}, "pm_sandbox_replyLost");
  await create("lags", input);
  const ended = await untilDefinite("lags", input, 30_000);
  expect(ended?.payment.status).toBe("CAPTURED");
  expect(ended?.operation.attempts[0]?.evidence).toBe("replayed_reply");
  const { charges, calls } = await ledgerOf(house.sandboxUrl);
  expect([charges.length, calls.create]).toEqual([1, 2]);
}, 60_000);

test.each([
  ["ten minutes", 600],
  ["two hours", 7_200],
])(
  "a key that a restored backup has forgotten, charged %s ago: its replies are lost, and the charge is found",
  async (_, ago) => {
    house = await openHouse();
    const { meddler, sandboxUrl, databaseUrl } = house;
    const setBack = (advanceSeconds: number) =>
      fetch(`${sandboxUrl}/_sandbox/clock`, { method: "POST", body: JSON.stringify({ advanceSeconds }) });
    await setBack(-ago);
    await create("restored", card("10"));
    await setBack(ago);
    await forget(databaseUrl);
    meddler.decide(({ method }) => (method === "POST" ? "lose reply" : "pass"));
    const again = await create("restored", card("10"));
    expect(again.data?.createPayment?.payment.status).toBe("IN_DOUBT");
    const ended = await untilDefinite("restored", card("10"), 30_000);
    expect(ended?.payment.status).toBe("CAPTURED");
    expect((await ledgerOf(sandboxUrl)).charges).toHaveLength(1);
  },
  60_000,
);

/** The database as a backup has it that is older than every payment. */
async function forget(databaseUrl: string): Promise<void> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(
    `truncate operations, payments, attempts, unfinished_operations, payment_events cascade`,
  );
  await database.end();
}

test("REC-02: a provider that is slower than the lease: recovery, repeats and the late effect make one charge", async () => {
  house = await openHouse(QUICK);
  await setFaults(house.sandboxUrl, { latencyMs: 3_000 });
  const input = card("10");
  const repeats = Promise.all(Array.from({ length: 10 }, () => create("slow", input)));
  await repeats;
  const ended = await untilDefinite("slow", input, 30_000);
  expect(ended?.payment.status).toBe("CAPTURED");
  const { charges } = await ledgerOf(house.sandboxUrl);
  expect(charges).toHaveLength(1);
  expect(ended?.payment.version).toBe(3);
}, 60_000);

test("wrongAmount: seen once it is a doubt, seen again it is CONFLICTED, and the operation waits for an operator", async () => {
  house = await openHouse();
  const input = card("10", {}, "pm_sandbox_wrongAmount");
  const first = await create("wrong", input);
  expect(first.data?.createPayment?.payment.status).toBe("IN_DOUBT");
  const ended = await untilDefinite("wrong", input, 20_000);
  expect(ended?.payment).toMatchObject({ status: "CONFLICTED", capturedAmount: { minorUnits: "0" } });
  expect(ended?.payment.providerReference).toMatch(/^pi_/);
  expect(ended?.operation).toMatchObject({ state: "PARKED", result: null });
}, 40_000);

test("a second charge under one reference is CONFLICTED, and names both", async () => {
  house = await openHouse();
  const { meddler } = house;
  let sentTwice = false;
  meddler.decide(({ method }) => (method === "POST" ? "lose reply" : "pass"));
  const first = await create("twice", card("10"));
  const [sent] = meddler.seen;
  // A provider that has forgotten the key takes the same request for a new one.
  await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: true });
  const [attempt] = first.data?.createPayment?.operation.attempts ?? [];
  const account = await house.app.db.query<{ merchant_id: string }[]>(
    "select merchant_id from attempts limit 1",
  );
  const again = await fetch(`${house.sandboxUrl}${sent?.path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer sk_test_${account[0]?.merchant_id.replaceAll("-", "")}`,
      "idempotency-key": attempt?.reference ?? "",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: sent?.body ?? "",
  });
  sentTwice = again.ok;
  expect(sentTwice).toBe(true);
  const ended = await untilDefinite("twice", card("10"), 20_000);
  expect(ended?.payment.status).toBe("CONFLICTED");
  expect(ended?.operation.state).toBe("PARKED");
}, 40_000);

test("a decline is definite at once, is the same on every repeat, and asks nobody again", async () => {
  house = await openHouse();
  const input = card("10", {}, "pm_card_visa_chargeDeclinedInsufficientFunds");
  const [first, again] = [await create("declined", input), await create("declined", input)];
  expect(first.data?.createPayment?.payment).toMatchObject({
    status: "FAILED",
    failure: { kind: "DECLINED", code: "insufficient_funds" },
  });
  expect(again.data?.createPayment?.replayed).toBe(true);
  expect(again.data?.createPayment?.operation.result).toEqual(first.data?.createPayment?.operation.result);
  expect((await ledgerOf(house.sandboxUrl)).calls.create).toBe(1);
});

test("what a slow look showed before the payment was canceled does not bring it back", async () => {
  house = await openHouse({}, { worker: false });
  const { app, meddler } = house;
  const input = card("10", { captureMode: "MANUAL" }, "pm_sandbox_replyLost");
  const made = await create("slow-look", input);
  expect(made.data?.createPayment?.payment.status).toBe("IN_DOUBT");

  let release: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    const hold = () => (resolve(), new Promise<void>((go) => (release = go)));
    let looks = 0;
    meddler.decide(({ method }) => (method === "GET" && (looks += 1) === 1 ? { hold } : "pass"));
  });
  // As if the lease of whoever looks had run out.
  const step = async () => {
    await acrossMerchants(app.db, "update unfinished_operations set due_at = now()");
    return recoverPayments(app, 1);
  };
  const slow = await step();
  await asked;
  await Promise.all(await step());
  const paymentId = made.data?.createPayment?.payment.id;
  const canceled = await send<Changed>(house.url, house.credentials.keys.payments, CANCEL, {
    key: "cancel",
    input: { paymentId },
  });
  expect(canceled).toMatchObject({ data: { change: { payment: { status: "CANCELED" } } } });

  release();
  await Promise.all(slow);
  expect((await create("slow-look", input)).data?.createPayment?.payment.status).toBe("CANCELED");
}, 30_000);
