import { setFaults } from "../../../support/client";
import { QUICK } from "../../../support/gateway";
import { inHouse } from "../race-house";
import { Crowd } from "./crowd";
import { drawLives } from "./lives";
import type { StormContext } from "./storm";

/** Faults of the sandbox (src/sandbox/faults.ts). */
export type Faults = Record<string, number | boolean>;

/**
 * Payments are made, changed and given back while the provider misbehaves.
 * @param lives how many in a full run
 */
export async function rage({ random, note, short }: StormContext, faults: Faults, lives: number) {
  return inHouse({}, async (race) => {
    const [gateway, other] = await Promise.all([
      race.start("serve", QUICK),
      race.start("serve", QUICK),
      race.start("worker", QUICK),
    ]);
    await setFaults(race.house.sandboxUrl, faults);
    const crowd = new Crowd(race, [gateway, other]);
    await crowd.live(drawLives(random, short ? 12 : lives));
    const history = await crowd.history();
    const { inDoubt } = crowd.troubles;
    note(
      `${inDoubt} operations were in doubt, ${history.calls.length} calls, ${history.ledger.charges.length} charges`,
    );
    if (inDoubt === 0) throw new Error("no operation was in doubt: there was no storm");
    return history;
  });
}
