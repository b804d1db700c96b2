import { setFaults } from "../../../support/client";
import { underWay } from "../../../support/meddler";
import { inHouse, type RaceHouse } from "../race-house";
import { Crowd, meanwhile } from "./crowd";
import { drawLives } from "./lives";
import type { Storm } from "./storm";

const POOL = 5;
const CALLERS = 100;
/** Well above what a transaction takes, so that one that stays open for a call shows (milliseconds). */
const LATENCY = 1_500;
const LOOK_EVERY = 50;

/** The lease leaves room for callers that queue for a connection. */
const SETTINGS = { DATABASE_POOL: String(POOL), PROVIDER_TIMEOUT_MS: "10000", LEASE: "30s" };

/** A hundred callers at one gateway that has five connections, while the provider takes its time. */
export const SMALL_POOL: Storm = {
  name: "a pool of 5, 100 callers, a slow provider",
  seconds: 15,
  short: false,
  run: ({ random, note }) =>
    inHouse({}, async (race) => {
      const [gateway] = await Promise.all([race.start("serve", SETTINGS), race.start("worker", SETTINGS)]);
      await setFaults(race.house.sandboxUrl, { latencyMs: LATENCY });
      const crowd = new Crowd(race, [gateway]);
      const lives = drawLives(random, CALLERS).map((life) => ({ ...life, callers: 1 }));
      let [most, idle] = [0, 0];
      await meanwhile(crowd.live(lives), LOOK_EVERY, async () => {
        most = Math.max(most, underWay(race.house.meddler));
        idle += await openFor(race, LATENCY / 3);
      });
      const { unanswered } = crowd.troubles;
      const history = await crowd.history();
      note(
        `${most} calls to the provider at once, ${unanswered} calls without an answer, ${idle} transactions open`,
      );
      if (most <= 2 * POOL) throw new Error(`only ${most} calls at once: there was no storm`);
      if (idle > 0)
        throw new Error(`a transaction was open during a call to the provider, seen ${idle} times`);
      if (unanswered > 0) throw new Error(`${unanswered} callers had no answer`);
      return history;
    }),
};

/** How many transactions of the product's have done nothing for so many milliseconds. */
async function openFor({ database }: RaceHouse, ms: number): Promise<number> {
  const { rowCount } = await database.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'umavez'
     and state like 'idle in transaction%' and state_change < clock_timestamp() - $1 * interval '1 ms'`,
    [ms],
  );
  return rowCount ?? 0;
}
