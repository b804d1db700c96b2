import { RACES } from "../races";
import { beside, runRace, type Verdict } from "../run-races";
import type { SuiteRun } from "../suite-run";
import { buildPatched } from "./build";
import { BUGS, type PlantedBug } from "./bugs";

/**
 * Sees that the suite finds what it is there to find: each planted bug by the promise that it breaks, and nothing where
 * nothing is planted.
 * @returns what was not so, a line for each bug
 */
export async function runPlanted({ print, progress }: SuiteRun): Promise<string[]> {
  progress("planted bugs");
  const wrong = await beside(BUGS, async (bug) => {
    const { found, line } = await seek(bug);
    print(line);
    return found ? [] : [line];
  });
  return wrong.flat();
}

/** Runs a bug's race with and without the bug. */
async function seek(bug: PlantedBug): Promise<{ found: boolean; line: string }> {
  const race = RACES.find(({ name }) => name === bug.shownBy);
  if (!race) throw new Error(`there is no race "${bug.shownBy}"`);
  const patched = await buildPatched(bug);
  let planted: Verdict;
  try {
    planted = await runRace(race, patched.main);
  } finally {
    patched.remove();
  }
  const unpatched = await runRace(race);
  const first = planted.violations[0]?.invariant;
  const isGreen = unpatched.failure === null && unpatched.violations.length === 0;
  const isFound = first === bug.invariant;
  const what = isFound
    ? `found: ${bug.name}: ${first}`
    : `NOT FOUND: ${bug.name}: ${bug.invariant}, but ${worded(planted)}`;
  const after = `unpatched: ${isGreen ? "green" : worded(unpatched)}`;
  return { found: isFound && isGreen, line: `${what} in ${planted.seconds.toFixed(1)} s; ${after}` };
}

function worded({ violations, failure }: Verdict): string {
  if (failure !== null) return `the race came to no end (${failure})`;
  const found = violations.map(({ invariant, detail }) => `${invariant} (${detail})`);
  return found.length === 0 ? "green" : found.join("; ");
}
