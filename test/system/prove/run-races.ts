import { check } from "./checker/invariants";
import type { Violation } from "./checker/history";
import { RACES, type Race, type RaceContext } from "./races";

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

/** Runs a race once. It never rejects. */
export async function runRace(race: Race, context: RaceContext): Promise<Verdict> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  try {
    const violations = check(await race.run(context));
    return { violations, failure: null, seconds: seconds() };
  } catch (error) {
    return { violations: [], failure: String(error), seconds: seconds() };
  }
}

/** Runs every race of the product. @returns what did not hold, a line each */
export async function runRaces({
  random,
  print,
  short = false,
}: {
  random(): number;
  print(line: string): void;
  short?: boolean;
}): Promise<string[]> {
  const lines = await beside([...RACES], async (race) => {
    const { violations, failure, seconds } = await runRace(race, { random, note: print, short });
    print(`race: ${race.name}, ${violations.length} violations, ${seconds.toFixed(1)} s`);
    const found = violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
    if (failure !== null) found.push(`the race came to no end: ${failure}`);
    return found.map((line) => `VIOLATION race: ${race.name}: ${line}`);
  });
  const found = lines.flat();
  found.forEach(print);
  return found;
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
