import { setFaults, until } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { startMeddler, underWay, type Meddler } from "../../../support/meddler";
import { inHouse, type RaceHouse } from "../race-house";
import { Crowd, pause } from "./crowd";
import { drawLives } from "./lives";
import type { Storm } from "./storm";

const ROUNDS = 2;
/** In each round. */
const LIVES = 40;
const FAULTS = { ignoreIdempotencyKeys: true, latencyMs: 300, replyLost: 0.2, dropBeforeCharge: 0.1 };
/** Beyond the lease of 2 s, and beyond the 10 s after which the provider's silence counts: the others send again. */
const PAUSE_MS = 14_000;
/** Calls that are to be in their middle when all stands still. */
const UNDER_WAY = 5;

/** The processes that stop, and the way that their calls take. */
interface Stopped {
  near: Meddler;
  pids: number[];
}

/**
 * A gateway and its worker stand still in the middle of calls for longer than their lease, the others take over, and then
 * the first go on as if nothing had been. Leases and bounds take their real time.
 */
export const PAUSED_PROCESS: Storm = {
  name: "a process stopped for longer than its lease",
  seconds: 60,
  short: false,
  run: ({ random, note }) =>
    inHouse({}, async (race) => {
      const near = await startMeddler(race.house.sandboxUrl);
      try {
        const wired = { ...QUICK, SANDBOX_URL: near.url };
        const [first, second, worker] = await Promise.all([
          race.start("serve", wired),
          race.start("serve", QUICK),
          race.start("worker", wired),
          race.start("worker", QUICK),
        ]);
        await setFaults(race.house.sandboxUrl, FAULTS);
        const crowd = new Crowd(race, [first, second]);
        const lives = drawLives(random, LIVES * ROUNDS);
        const sums = { taken: 0, unsent: 0 };
        for (let round = 0; round < ROUNDS; round += 1) {
          const living = crowd.live(lives.slice(LIVES * round, LIVES * (round + 1)));
          living.catch(() => undefined);
          const stop = await stopInTheMiddle(race, { near, pids: [first.pid, worker.pid] });
          sums.taken += stop.taken;
          sums.unsent += stop.unsent;
          await living;
        }
        const history = await crowd.history();
        const stops = `${ROUNDS} stops of ${PAUSE_MS / 1_000} s`;
        note(`${stops}, ${sums.taken} calls taken over, ${sums.unsent} had not left yet`);
        if (sums.taken === 0) throw new Error("nothing was taken over: there was no storm");
        return history;
      } finally {
        await near.close();
      }
    }),
};

/** @returns how many calls that were on their way others have ended meanwhile, and how many had a lease and had not left */
async function stopInTheMiddle(race: RaceHouse, { near, pids }: Stopped) {
  await until(
    async () => underWay(near),
    (many) => many >= UNDER_WAY,
    10_000,
  );
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  try {
    const middle = near.seen.flatMap(({ key, isOver }) => (key === null || isOver ? [] : [key]));
    const left = [...near.seen, ...race.house.meddler.seen].map(({ key }) => key);
    const unsent = await race.database.query(
      "select from attempts where finished_at is null and reference <> all ($1)",
      [left.filter((key) => key !== null)],
    );
    await pause(PAUSE_MS);
    const taken = await race.database.query(
      "select from attempts where finished_at is not null and reference = any ($1)",
      [middle],
    );
    return { taken: taken.rowCount ?? 0, unsent: unsent.rowCount ?? 0 };
  } finally {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  }
}
