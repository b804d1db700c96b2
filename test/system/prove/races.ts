import { registerDemoWebhooks } from "../../../src/cli/demo-webhooks";
import { accountOf, atProvider, eventAbout, sign } from "../../inbox/signed";
import { card, setFaults, until } from "../../support/client";
import { startMeddler } from "../../support/meddler";
import { type Recorder } from "../../support/recorder";
import type { History, Intent } from "./checker/history";
import { endWaiting, passTime, settle, whileLocked, type RaceHouse } from "./race-house";

/** Something that goes wrong in one moment, and that no cut at a message shows. It takes a few seconds. */
export interface Race {
  name: string;
  run(house: RaceHouse): Promise<History>;
}

const CREATE: Intent = { kind: "create", minor: 10_000, captureMode: "AUTOMATIC" };
const KEY = "race";
/** A client that has no answer after so many repeats would never have one. */
const REPEATS_AT_MOST = 40;

const create = (recorder: Recorder, token = "pm_card_visa", key = KEY) =>
  recorder.call(key, CREATE, card("100", {}, token));

/** Repeats the key until it is answered with an operation. */
async function answered(recorder: Recorder): Promise<void> {
  for (let sent = 0; sent < REPEATS_AT_MOST; sent += 1) if ((await create(recorder)).answer !== null) return;
  throw new Error(`${KEY} has no answer after ${REPEATS_AT_MOST} repeats`);
}

async function paid(recorder: Recorder): Promise<string> {
  const { answer } = await create(recorder);
  if (answer?.kind !== "operation") throw new Error(`not paid: ${JSON.stringify(answer)}`);
  return answer.payment.id;
}

/** Every race. */
export const RACES: readonly Race[] = [
  {
    name: "an answer is lost, and the books cannot be read",
    run: unreadableBooks,
  },
  { name: "one key, many callers at two gateways", run: oneKey },
  { name: "sessions end while the provider is asked", run: endedSessions },
  { name: "killed where an event is written", run: killedAtEvent },
  { name: "killed where a webhook is stored", run: killedAtWebhook },
  { name: "two refunds of 60 on 100 at two gateways", run: twoRefunds },
  {
    name: "an answer is lost at a provider without idempotency",
    run: withoutIdempotency,
  },
  { name: "an answer is lost, and the provider goes away", run: providerAway },
  { name: "the provider charges, and answers too late", run: tooLate },
  { name: "two merchants with the same key", run: twoMerchants },
  { name: "a foreign merchant asks", run: foreignMerchant },
  { name: "the same key after an old backup", run: oldBackup },
];

async function unreadableBooks({ house, database, start, recorderOf, historyOf }: RaceHouse) {
  let posts = 0;
  house.meddler.decide(({ method }) => {
    if (method === "POST") return (posts += 1) === 1 ? "lose reply" : "pass";
    return posts < 2 ? { status: 500, body: "{}" } : "pass";
  });
  const recorder = recorderOf(await start("serve"));
  await create(recorder);
  await passTime(database);
  await start("worker");
  await until(
    async () => posts,
    (sent) => sent >= 2,
    10_000,
  );
  await settle(database);
  return historyOf(recorder);
}

async function oneKey({ database, start, recorderOf, historyOf }: RaceHouse) {
  const [one, other] = await Promise.all([start("serve"), start("serve")]);
  const recorder = recorderOf(one);
  const urls = Array.from({ length: 10 }, (_, nth) => (nth % 2 === 0 ? one.url : other.url));
  await whileLocked(database, {
    lock: "lock table operations in exclusive mode",
    waiting: 2,
    act: () => Promise.all(urls.map((url) => recorder.call(KEY, CREATE, card("100"), url))),
  });
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}

async function endedSessions({ house, database, start, recorderOf, historyOf }: RaceHouse) {
  const recorder = recorderOf(await start("serve"));
  await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: true, latencyMs: 400 });
  const called = create(recorder);
  await until(
    async () => house.meddler.seen.length,
    (seen) => seen > 0,
    10_000,
  );
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'umavez'`,
  );
  await called;
  await answered(recorder);
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}

async function killedAtEvent({ database, start, recorderOf, historyOf }: RaceHouse) {
  const [gateway, next] = await Promise.all([start("serve"), start("serve")]);
  await whileLocked(database, {
    lock: "lock table payment_events in exclusive mode",
    waiting: 1,
    act: () => create(recorderOf(gateway)),
    then: async () => {
      await gateway.kill("SIGKILL");
      await endWaiting(database);
    },
  });
  const recorder = recorderOf(next);
  await answered(recorder);
  await passTime(database);
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}

/** How long a provider waits for its webhook to be taken (milliseconds). */
const TAKEN_WITHIN = 700;

async function killedAtWebhook({ house, database, start, recorderOf, historyOf }: RaceHouse) {
  // Nobody listens there: what the provider tells is carried here.
  await registerDemoWebhooks(house.app, "http://127.0.0.1:1", house.credentials);
  const [gateway, next] = await Promise.all([start("serve"), start("serve")]);
  const recorder = recorderOf(next);
  await paid(recorder);
  const account = await accountOf(house);
  const { paymentIntent } = (await recorder.history([])).ledger.charges[0] ?? { paymentIntent: "" };
  let body = "";
  await recorder.deed({ paymentIntent, kind: "refund", minor: 4_000 }, async () => {
    const form = { payment_intent: paymentIntent, amount: "4000" };
    body = eventAbout(await atProvider(house, account, "/v1/refunds", form), { type: "refund.created" });
    return true;
  });
  const tell = (url: string) =>
    fetch(`${url}/webhooks/${account.id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": sign(body, account.secret) },
      body,
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  const isTaken = await whileLocked(database, {
    lock: "lock table inbox in exclusive mode",
    waiting: 1,
    act: () => tell(gateway.url),
    then: async (told) => {
      // Taken or not: a provider that has no answer sends it again.
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, TAKEN_WITHIN))]);
      await gateway.kill("SIGKILL");
      await endWaiting(database);
    },
  });
  if (!isTaken && !(await tell(next.url))) throw new Error("the webhook was not taken");
  await start("worker");
  await until(
    () => database.query("select from inbox where state = 'RECEIVED'"),
    ({ rowCount }) => rowCount === 0,
    10_000,
  );
  return historyOf(recorder);
}

async function twoRefunds({ database, start, recorderOf, historyOf }: RaceHouse) {
  const [one, other] = await Promise.all([start("serve"), start("serve")]);
  const recorder = recorderOf(one);
  const refund: Intent = { kind: "refund", paymentId: await paid(recorder), minor: 6_000 };
  await whileLocked(database, {
    lock: "select from payments for update",
    waiting: 2,
    act: () =>
      Promise.all([one, other].map(({ url }, nth) => recorder.call(`refund-${nth}`, refund, {}, url))),
  });
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}

async function withoutIdempotency({ house, database, start, recorderOf, historyOf }: RaceHouse) {
  await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: true });
  const recorder = recorderOf(await start("serve"));
  await create(recorder, "pm_sandbox_replyLost");
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}

async function providerAway({ house, database, start, recorderOf, historyOf }: RaceHouse) {
  const near = await startMeddler(house.sandboxUrl);
  near.decide(({ method }) => (method === "POST" ? "lose reply" : "pass"));
  const wired = { SANDBOX_URL: near.url };
  const recorder = recorderOf(await start("serve", wired));
  await create(recorder);
  await near.close();
  await passTime(database);
  await start("worker", wired);
  // The lease goes back with what came of the repeat.
  await until(
    () =>
      database.query(
        `select from attempts as a left join unfinished_operations as u using (merchant_id, operation_id)
         where a.resends > 0 and u.lease_token is null`,
      ),
    ({ rowCount }) => rowCount === 1,
    10_000,
  );
  const back = await startMeddler(house.sandboxUrl, Number(new URL(near.url).port));
  try {
    await settle(database);
    return await historyOf(recorder);
  } finally {
    await back.close();
  }
}

async function tooLate({ database, start, recorderOf, historyOf }: RaceHouse) {
  const recorder = recorderOf(await start("serve", { PROVIDER_TIMEOUT_MS: "300" }));
  await create(recorder, "pm_sandbox_timeoutAfterCharge");
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}

async function twoMerchants({ start, recorderOf, historyOf }: RaceHouse) {
  const gateway = await start("serve");
  await paid(recorderOf(gateway));
  const second = recorderOf(gateway, "second");
  await second.begin();
  await create(second);
  return historyOf(second, "second");
}

async function foreignMerchant({ start, recorderOf, historyOf }: RaceHouse) {
  const gateway = await start("serve");
  const foreign = await paid(recorderOf(gateway));
  const second = recorderOf(gateway, "second");
  await second.begin();
  await paid(second);
  const own = await historyOf(second, "second");
  // Refused, or shown: what a merchant is shown belongs to its history.
  const shown = await second.history([foreign]).then(
    ({ payments }) => payments,
    () => [],
  );
  return { ...own, payments: [...own.payments, ...shown] };
}

async function oldBackup({ database, start, recorderOf, historyOf }: RaceHouse) {
  const gateway = await start("serve");
  await paid(recorderOf(gateway));
  // As it stood before the first payment.
  const { rows } = await database.query<{ tables: string }>(
    `select string_agg(quote_ident(tablename), ', ') as tables from pg_tables
     where schemaname = 'public' and tablename not in ('merchants', 'api_keys', 'provider_accounts', 'migrations')`,
  );
  await database.query(`truncate ${rows[0]?.tables ?? ""}`);
  const recorder = recorderOf(gateway);
  await create(recorder);
  await start("worker");
  await settle(database);
  return historyOf(recorder);
}
