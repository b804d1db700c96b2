import { check } from "../checker/invariants";
import { seeded } from "../points";
import { STORMS } from "./index";
import type { Storm } from "./storm";
import type { SuiteRun } from "../suite-run";

/**
 * Runs storms one after the other, and prints a line for each. Needs the run's Postgres (test/support/global-setup.ts).
 * @returns what was promised and did not hold; a storm that came to no end, or did not happen, is among it
 */
export async function runStorms({ short, seed, only, print, progress }: SuiteRun): Promise<string[]> {
  const violations: string[] = [];
  for (const [nth, storm] of STORMS.entries()) {
    if ((short && !storm.short) || (only !== null && !storm.name.includes(only))) continue;
    progress(`storm: ${storm.name}`);
    const begun = performance.now();
    // A seed of its own, so that a storm that is run alone draws the same again.
    const { notes, found } = await runOne(storm, short, seeded(seed + nth));
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    for (const line of found) print(`VIOLATION ${line}`);
    violations.push(...found);
    print(`storm: ${storm.name}: ${notes.join("; ")}, ${found.length} violations, ${seconds} s`);
  }
  return violations;
}

async function runOne(storm: Storm, short: boolean, random: () => number) {
  const notes: string[] = [];
  const found = await storm
    .run({ short, random, note: (line) => void notes.push(line) })
    .then((history) => check(history).map(({ invariant, detail }) => `${invariant}: ${detail}`))
    .catch((error: unknown) => [`it came to no end: ${String(error)}`]);
  return { notes, found: found.map((line) => `${storm.name}: ${line}`) };
}
