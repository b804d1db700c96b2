import { setFaults, until } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { inHouse, type RaceHouse } from "../race-house";
import { Crowd } from "./crowd";
import { drawLives } from "./lives";
import { openSmallDisk } from "./small-disk";
import type { Storm } from "./storm";

const LIVES = 60;
/** Answers that are to have come before the disk is full, and calls that are to have none before it is freed. */
const ANSWERS = 20;
const UNANSWERED = 20;

/** Postgres can write nothing more in the middle of the load; then there is room again. */
export const FULL_DISK: Storm = {
  name: "disk full and freed",
  seconds: 35,
  short: false,
  run: async ({ random, note }) => {
    const disk = await openSmallDisk();
    return inHouse({ database: disk }, async (race) => {
      const [gateway, other] = await Promise.all([
        race.start("serve", QUICK),
        race.start("serve", QUICK),
        race.start("worker", QUICK),
      ]);
      await setFaults(race.house.sandboxUrl, { latencyMs: 100, replyLost: 0.1 });
      const crowd = new Crowd(race, [gateway, other]);
      const living = crowd.live(drawLives(random, LIVES));
      living.catch(() => undefined);
      await until(
        async () => crowd.calls.filter(({ answer }) => answer !== null).length,
        (many) => many >= ANSWERS,
        20_000,
      );
      await disk.fill();
      await until(
        async () => {
          await writeOn(race);
          return crowd.calls.filter(({ ended, answer }) => ended < Infinity && answer === null).length;
        },
        (many) => many >= UNANSWERED,
        60_000,
      );
      const ends = await disk.free();
      await living;
      const history = await crowd.history();
      const { unanswered } = crowd.troubles;
      note(`${unanswered} of ${history.calls.length} calls unanswered, the server ended ${ends} times`);
      return history;
    });
  },
};

/** Takes the log further, until there is no room for more of it. Refused, or the end of the server, is what is wanted. */
async function writeOn({ database }: RaceHouse): Promise<void> {
  await database
    .query("select pg_logical_emit_message(false, 'storm', repeat('x', 1000000)), pg_switch_wal()")
    .catch(() => undefined);
}
