import type { Violation } from "./checker/history";
import { warmUp, type Lane, type Victim } from "./lane";
import type { Play, Scenario } from "./scenarios/scenario";
import { Trial } from "./trial";
import type { Cut, Passed } from "./wire/wire";

/** One run of a scenario, cut or whole. */
export interface Crash {
  scenario: Scenario;
  /** Where it is cut; in order, where it is cut more than once: each time its client repeats at another gateway. */
  cuts: (Cut | null)[];
}

/** What came of it. */
export interface Verdict {
  passed: Passed[];
  violations: Violation[];
}

let nth = 0;

/** Runs a scenario up to its cut, lets clients and workers settle what is left, and looks whether every promise holds. */
export async function crash(lane: Lane, { scenario, cuts }: Crash): Promise<Verdict> {
  nth += 1;
  const trial = await Trial.begin(lane, `proof-${nth}`);
  const play = await scenario.begin(trial, lane);
  const passed: Passed[] = [];
  for (const cut of cuts) passed.push(await act(lane, play, cut));
  await play.settle();
  return { passed, violations: await (play.violations?.() ?? trial.violations()) };
}

async function act(lane: Lane, play: Play, cut: Cut | null): Promise<Passed> {
  const victim = await lane.nextVictim();
  victim.wire.arm(cut, victim.kill);
  await play.act(victim);
  const passed = victim.wire.disarm();
  if (passed.reached && cut?.fault.startsWith("kill")) await victim.end();
  else await putBack(lane, victim);
  return passed;
}

/** It lives on, with connections that it knows to be gone or not. */
async function putBack(lane: Lane, victim: Victim): Promise<void> {
  await warmUp(victim, lane.credentials.keys.payments);
  lane.keep(victim);
}
