import type { Pool } from "pg";
import { setFaults } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { inHouse } from "../race-house";
import { Crowd, meanwhile } from "./crowd";
import { drawLives } from "./lives";
import type { Storm } from "./storm";

/** How often one of the product's sessions is ended (milliseconds). */
const END_EVERY = 40;

/** Sessions end in the middle of whatever they do, while the provider keeps no keys. */
export const ENDED_SESSIONS: Storm = {
  name: "sessions terminated at random",
  seconds: 15,
  short: false,
  run: ({ random, note }) =>
    inHouse({}, async (race) => {
      const [gateway, other] = await Promise.all([
        race.start("serve", QUICK),
        race.start("serve", QUICK),
        race.start("worker", QUICK),
      ]);
      await setFaults(race.house.sandboxUrl, { ignoreIdempotencyKeys: true, latencyMs: 100, replyLost: 0.1 });
      const crowd = new Crowd(race, [gateway, other]);
      let ended = 0;
      let cut = 0;
      await meanwhile(crowd.live(drawLives(random, 80)), END_EVERY, async () => {
        const state = await endOne(race.database, random());
        if (state !== null) ended += 1;
        if (state !== null && state !== "idle") cut += 1;
      });
      const history = await crowd.history();
      note(`${ended} sessions were ended, ${cut} of them at work, ${history.calls.length} calls`);
      if (cut === 0) throw new Error("no session was ended at its work: there was no storm");
      return history;
    }),
};

/** Ends one of the product's sessions, those at work first. @returns what it did; null where there was none */
async function endOne(database: Pool, dice: number): Promise<string | null> {
  const { rows } = await database.query<{ pid: number; state: string }>(
    `select pid, state from pg_stat_activity
     where datname = current_database() and application_name = 'umavez' and state is not null
     order by state = 'idle', pid`,
  );
  const busy = rows.filter(({ state }) => state !== "idle");
  const among = busy.length > 0 ? busy : rows;
  const chosen = among[Math.floor(dice * among.length)];
  if (!chosen) return null;
  await database.query("select pg_terminate_backend($1)", [chosen.pid]);
  return chosen.state;
}
