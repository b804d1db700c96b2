import { check } from "./checker/invariants";
import type { Violation } from "./checker/history";
import { inHouse } from "./race-house";
import { RACES, type Race } from "./races";
import type { SuiteRun } from "./suite-run";

/** Races that run beside each other: most of a race is waiting for processes, leases and timeouts. */
const BESIDE = 3;

/** What came of a race. */
export interface Verdict {
  /** In the order of the checker: the first is what the run stops at. */
  violations: Violation[];
  /** Why it came to no end; null where it did. */
  failure: string | null;
  seconds: number;
}

/**
 * Runs a race once. It never rejects.
 * @param subject the build that is tried; the product where absent
 */
export async function runRace(race: Race, subject?: string): Promise<Verdict> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  try {
    const violations = check(await inHouse({ subject }, race.run));
    return { violations, failure: null, seconds: seconds() };
  } catch (error) {
    return { violations: [], failure: String(error), seconds: seconds() };
  }
}

/** Runs every race of the product. Needs the run's Postgres. @returns what did not hold, a line each */
export async function runRaces({ only, print, progress }: SuiteRun): Promise<string[]> {
  const races = RACES.filter(({ name }) => only === null || name.includes(only));
  progress("races");
  const lines = await beside(races, async (race) => {
    const { violations, failure, seconds } = await runRace(race);
    const found = violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
    if (failure !== null) found.push(`it came to no end: ${failure}`);
    for (const line of found) print(`VIOLATION race: ${race.name}: ${line}`);
    print(`race: ${race.name}, ${found.length} violations, ${seconds.toFixed(1)} s`);
    return found;
  });
  return lines.flat();
}

/** Does something with each of these, some beside each other. */
export async function beside<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = [...all.entries()];
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await act(next[1]);
  };
  await Promise.all(Array.from({ length: BESIDE }, lane));
  return results;
}
