import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFaults, until } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { underWay } from "../../../support/meddler";
import { inHouse, type RaceHouse } from "../race-house";
import { Crowd } from "./crowd";
import { drawLives, type Life } from "./lives";
import { openOwnServer } from "./own-server";
import type { Storm } from "./storm";

/** So many payments are there before the copy, as many are made in its moment, and as many after it. */
const LIVES = 20;
/** Calls to the provider that are under way when the copy is taken. */
const UNDER_WAY = 5;

/** One address for all, as the processes of one deployment have: it is part of what the provider is asked. */
const SETTINGS = { ...QUICK, PUBLIC_URL: "https://pay.example" };

/**
 * A copy of the data is taken in the middle of the load, the load goes on, and then the copy is all that there is. Every
 * key is sent again, those that the copy has never heard of, too.
 */
export const OLD_BACKUP: Storm = {
  name: "an old backup restored",
  seconds: 30,
  short: false,
  run: async ({ random, note }) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-storm-backup-"));
    const server = await openOwnServer();
    try {
      return await inHouse({ database: server }, async (race) => {
        const [gateway, other] = await Promise.all([
          race.start("serve", SETTINGS),
          race.start("serve", SETTINGS),
          race.start("worker", SETTINGS),
        ]);
        await setFaults(race.house.sandboxUrl, { latencyMs: 100, replyLost: 0.2 });
        const crowd = new Crowd(race, [gateway, other]);
        const lives = drawLives(random, 3 * LIVES).map((life, nth) =>
          isMade(nth) ? takenAtOnce(life) : life,
        );
        await crowd.live(lives.slice(0, LIVES).map(madeOnly));
        const living = crowd.live(lives.slice(0, 2 * LIVES));
        living.catch(() => undefined);
        await until(
          async () => underWay(race.house.meddler),
          (many) => many >= UNDER_WAY,
          10_000,
        );
        await server.kill();
        const taken = performance.now();
        server.copyTo(folder);
        await server.start();
        await living;
        await crowd.live(lives.slice(2 * LIVES));
        await crowd.rest();
        const before = await operations(race);
        await server.kill();
        server.restoreFrom(folder);
        await server.start();
        const kept = await operations(race);
        crowd.forgetSince(taken);
        await crowd.live(lives);
        const history = await crowd.history();
        note(`${before - kept} of ${before} operations forgotten, ${history.ledger.charges.length} charges`);
        if (kept === 0 || kept === before)
          throw new Error("the backup was not of the middle: there was no storm");
        return history;
      });
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** True of what is made in the moment of the copy. */
const isMade = (nth: number) => nth >= LIVES && nth < 2 * LIVES;

const madeOnly = (life: Life): Life => ({ ...life, then: null, refunds: [] });

/**
 * Recovery finds the create of a copy as the provider has it now. Where it was captured by a key that the copy has never
 * heard of, that capture is taken for one made at the provider, and the key is refused: it is not tried here.
 */
const takenAtOnce = (life: Life): Life => ({ ...life, captureMode: "AUTOMATIC", then: null });

async function operations({ database }: RaceHouse): Promise<number> {
  const { rows } = await database.query<{ many: number }>("select count(*)::int as many from operations");
  return rows[0]?.many ?? 0;
}
