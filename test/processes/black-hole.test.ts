import { Client } from "pg";
import { startBlackHole, type BlackHole, type Hole } from "../support/black-hole";
import { card, CREATE, ledgerOf, send, until, type Created, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { startProcess, type Process } from "../support/processes";

/** How often the database falls silent, and for how many seconds: more than any timeout of ours, which are 8 at most. */
const HOLES = Number(process.env.HOLES ?? 2);
const HOLE_SECONDS = Number(process.env.HOLE_SECONDS ?? 12);
const CALLERS = 24;
const POOL = 5;
/** Milliseconds: a call waits 8 s for its provider and its record, and each step tries 10 s and a last statement of 8. */
const ANSWERED_WITHIN = 30_000;
/** Milliseconds, once the database can be reached: a connection that is dead is given up within 8 s. */
const BACK_WITHIN = 30_000;
const SETTINGS = {
  DATABASE_POOL: String(POOL),
  PROVIDER_TIMEOUT_MS: "3000",
  LEASE: "5s",
  REPLAY_WAIT_MS: "500",
  LOG_LEVEL: "silent",
};

let house: House;
let way: BlackHole;
let gateway: Process;
let worker: Process;
let database: Client;
beforeAll(async () => {
  house = await openHouse({}, { worker: false });
  way = await startBlackHole(house.databaseUrl);
  database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
  const settings = { ...SETTINGS, DATABASE_URL: way.url };
  [gateway, worker] = await Promise.all([
    startProcess("serve", house, settings),
    startProcess("worker", house, settings),
  ]);
}, 60_000);
afterAll(async () => {
  await Promise.all([gateway, worker].map((one) => one.kill("SIGKILL")));
  await way.close();
  await database.end();
  await house.close();
});

type Answer = Reply<Created> | "none";

/** A call, and whether it was answered in time. */
async function call(key: string, token = "pm_card_visa"): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"none">((resolve) => {
    timer = setTimeout(() => resolve("none"), ANSWERED_WITHIN);
  });
  const sent = send<Created>(gateway.url, house.credentials.keys.payments, CREATE, {
    key,
    input: card("10", {}, token),
  });
  const answer = await Promise.race([sent, late]);
  clearTimeout(timer);
  return answer;
}

/** Callers that pay without pause until they are told to stop; each repeats its key until it has an operation. */
function load(round: number) {
  const keys = new Set<string>();
  const refusals: string[] = [];
  let [isOver, answered] = [false, 0];
  const caller = async (nth: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      // Two callers share each key.
      const key = `hole-${round}-${nth >> 1}-${turn}`;
      keys.add(key);
      for (let done = false; !done;) {
        const answer = await call(key);
        if (answer === "none") throw new Error(`${key} was not answered within ${ANSWERED_WITHIN} ms`);
        done = answer.data?.createPayment != null;
        if (!done) refusals.push(String(answer.errors?.[0]?.extensions.code));
        else answered += 1;
      }
    }
  };
  const all = Promise.all(Array.from({ length: CALLERS }, (_, nth) => caller(nth)));
  all.catch(() => undefined);
  return {
    answered: () => answered,
    end: async () => ((isOver = true), await all, { keys, refusals }),
  };
}

/** The sessions of the gateway and the worker, by what they do. */
async function sessions(): Promise<{ open: number; inTransaction: number }> {
  const { rows } = await database.query<{ open: number; inTransaction: number }>(
    `select count(*)::int as open,
            (count(*) filter (where state like 'idle in transaction%'))::int as "inTransaction"
     from pg_stat_activity
     where datname = current_database() and application_name = 'umavez' and client_port = any($1)`,
    [way.ports()],
  );
  return rows[0] ?? { open: 0, inTransaction: 0 };
}

async function fallSilent(round: number, hole: Hole) {
  const callers = load(round);
  await until(
    async () => callers.answered(),
    (answered) => answered > CALLERS,
    20_000,
  );
  way.swallow(hole);
  const end = performance.now() + HOLE_SECONDS * 1_000;
  const ready = new Set<number>();
  // Each takes its second.
  while (performance.now() < end) ready.add((await fetch(`${gateway.url}/readyz`)).status);
  way.open();
  const before = callers.answered();
  await until(
    async () => callers.answered(),
    (answered) => answered > before + CALLERS,
    BACK_WITHIN,
  );
  return { ...(await callers.end()), ready };
}

const rounds = Array.from({ length: HOLES }, (_, nth) => ({
  round: nth + 1,
  hole: (nth % 2 === 0 ? "never" : "late") as Hole,
}));

test.each(rounds)(
  `DB-05: the database falls silent for ${HOLE_SECONDS} s under load, and what was sent arrives $hole: round $round`,
  async ({ round, hole }) => {
    const before = (await ledgerOf(house.sandboxUrl)).charges.length;
    const { keys, refusals, ready } = await fallSilent(round, hole);

    expect(refusals.length).toBeGreaterThan(0);
    expect(new Set(refusals)).toEqual(new Set(["UNAVAILABLE"]));
    expect([...ready]).toEqual([503]);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    // What the hole cut between a call and its record is recovered, and so is what is lost now.
    const lost = `lost-${round}`;
    keys.add(lost);
    await call(lost, "pm_sandbox_replyLost");
    await until(
      async () => (await database.query("select from unfinished_operations")).rowCount,
      (unfinished) => unfinished === 0,
      BACK_WITHIN,
    );
    const charges = (await ledgerOf(house.sandboxUrl)).charges.slice(before);
    expect(charges).toHaveLength(keys.size);
    expect(new Set(charges.map(({ reference }) => reference)).size).toBe(keys.size);
    expect(charges.every(({ captured }) => captured === 1_000)).toBe(true);
    await until(
      async () => ({ ...(await sessions()), dead: way.dead() }),
      ({ open, inTransaction, dead }) => open <= 2 * POOL && inTransaction === 0 && dead === 0,
      BACK_WITHIN,
    );
  },
  HOLE_SECONDS * 1_000 + 120_000,
);
