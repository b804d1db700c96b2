import { setFaults, until } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { inHouse, type RaceHouse } from "../race-house";
import { Crowd, pause } from "./crowd";
import { drawLives } from "./lives";
import { openOwnServer } from "./own-server";
import type { Storm } from "./storm";

const KILLS = 5;
/** In each time between two kills. */
const LIVES = 16;
/** Milliseconds at most between the first work of a time and its kill. */
const KILLED_WITHIN = 400;

/** Postgres and all its sessions die in the middle of commits, and what was acknowledged is there when it is back. */
export const KILLED_POSTGRES: Storm = {
  name: "Postgres killed mid-commit",
  seconds: 30,
  short: false,
  run: async ({ random, note }) => {
    const server = await openOwnServer();
    return inHouse({ database: server }, async (race) => {
      const [gateway, other] = await Promise.all([
        race.start("serve", QUICK),
        race.start("serve", QUICK),
        race.start("worker", QUICK),
      ]);
      await setFaults(race.house.sandboxUrl, { replyLost: 0.1 });
      const crowd = new Crowd(race, [gateway, other]);
      const lives = drawLives(random, LIVES * KILLS);
      let cut = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const living = crowd.live(lives.slice(LIVES * kill, LIVES * (kill + 1)));
        living.catch(() => undefined);
        await until(
          () => writing(race),
          (many) => many > 0,
          10_000,
        );
        await pause(random() * KILLED_WITHIN);
        await acknowledged(crowd);
        cut += await writing(race);
        await server.kill();
        await server.start();
        await living;
      }
      const history = await crowd.history();
      const { unanswered } = crowd.troubles;
      note(
        `${KILLS} kills with ${cut} open transactions, ${unanswered} of ${history.calls.length} calls unanswered`,
      );
      if (cut === 0) throw new Error("no transaction was open at any kill: there was no storm");
      return history;
    });
  },
};

/** Resolves when something more was acknowledged: what is lost then was not on disk. */
async function acknowledged(crowd: Crowd): Promise<void> {
  const ended = () =>
    crowd.calls.filter(({ answer }) => answer?.kind === "operation" && answer.result !== null).length;
  const before = ended();
  await until(
    async () => ended(),
    (many) => many > before,
    10_000,
  );
}

/** How many transactions are open. */
async function writing({ database }: RaceHouse): Promise<number> {
  const { rowCount } = await database.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'umavez' and xact_start is not null`,
  );
  return rowCount ?? 0;
}
