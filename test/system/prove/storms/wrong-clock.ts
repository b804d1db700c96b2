import path from "node:path";
import { setFaults } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { inHouse } from "../race-house";
import { Crowd } from "./crowd";
import { drawLives } from "./lives";
import type { Storm } from "./storm";

const HOUR_MS = 3_600_000;
const SHIFT = path.join(__dirname, "shifted-clock.cjs");

const shiftedBy = (ms: number) => ({
  ...QUICK,
  NODE_OPTIONS: `--require "${SHIFT}"`,
  SHIFT_CLOCK_MS: String(ms),
});

/** One gateway has a clock that is an hour ahead, or behind; of three workers one is ahead and one behind. */
export const WRONG_CLOCK: Storm = {
  name: "a clock an hour off on one of two processes",
  seconds: 25,
  short: false,
  run: ({ random, note }) =>
    inHouse({}, async (race) => {
      const shift = random() < 0.5 ? HOUR_MS : -HOUR_MS;
      const [right, other] = await Promise.all([
        race.start("serve", QUICK),
        race.start("serve", shiftedBy(shift)),
        race.start("worker", QUICK),
        race.start("worker", shiftedBy(HOUR_MS)),
        race.start("worker", shiftedBy(-HOUR_MS)),
      ]);
      if (!other.output().includes("clock shifted"))
        throw new Error("no clock was wrong: there was no storm");
      await setFaults(race.house.sandboxUrl, {
        ...{ replyLost: 0.3, dropBeforeCharge: 0.1 },
        ...{ ignoreIdempotencyKeys: true, lookupLagMs: 3_000 },
      });
      const crowd = new Crowd(race, [right, other]);
      await crowd.live(drawLives(random, 60));
      const history = await crowd.history();
      const { inDoubt } = crowd.troubles;
      const way = shift > 0 ? "ahead" : "behind";
      note(
        `a gateway an hour ${way}, ${inDoubt} operations were in doubt, ${history.ledger.charges.length} charges`,
      );
      if (inDoubt === 0) throw new Error("no operation was in doubt: there was no storm");
      return history;
    }),
};
