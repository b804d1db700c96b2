import "reflect-metadata";
import setUp from "../../support/global-setup";
import tearDown from "../../support/global-teardown";
import { bundleSubject, type Built } from "./build";
import { crash, type Crash } from "./crash";
import { openLane, type Lane } from "./lane";
import { drawn, everyCut, seeded } from "./points";
import { JOBS } from "./scenarios/jobs";
import { MUTATIONS } from "./scenarios/mutations";
import type { Scenario } from "./scenarios/scenario";
import { warm } from "./subject-process";

/** Trials that run beside each other: one waits for a gateway to start while the other works. */
const LANES = 3;
/** Crashes in pairs, drawn by the seed. */
const PAIRS = 60;
/** Of each scenario, with --short. */
const SHORT_POINTS = 24;
const SHORT_PAIRS = 8;
/** How often a scenario runs whole, to count its messages. */
const DRY_RUNS = 3;
/** A message may come in another place by chance: so often a step that was not reached is tried again. */
const TRIES = 4;

const SCENARIOS: readonly Scenario[] = [...MUTATIONS, ...JOBS];

interface Tally {
  points: number;
  unreached: string[];
  violations: string[];
}

async function main(): Promise<void> {
  const { short, seed, only } = flags(process.argv.slice(2));
  console.log(`seed ${seed}: npm run prove -- --seed ${seed}${short ? " --short" : ""} draws the same again`);
  const begun = performance.now();
  await setUp();
  const built = await bundleSubject();
  const lanes: Lane[] = [];
  const tally: Tally = { points: 0, unreached: [], violations: [] };
  try {
    for (let nth = 0; nth < LANES; nth += 1) lanes.push(await firstOrNext(built, nth));
    const random = seeded(seed);
    const steps = new Map<Scenario, number>();
    for (const scenario of SCENARIOS.filter(({ name }) => only === null || name.includes(only))) {
      const length = await dryRun(lanes[0] as Lane, scenario, tally);
      steps.set(scenario, length);
      const cuts = everyCut(length);
      const wanted = short ? drawn(cuts, SHORT_POINTS, random) : cuts;
      await runAll(
        lanes,
        wanted.map((cut) => ({ scenario, cuts: [cut] })),
        tally,
        `${scenario.name}: ${length} messages`,
      );
    }
    const pairs = Array.from({ length: short ? SHORT_PAIRS : PAIRS }, () => {
      const scenario = drawn([...steps.keys()], 1, random)[0] as Scenario;
      return { scenario, cuts: drawn(everyCut(steps.get(scenario) ?? 0), 2, random) };
    });
    await runAll(lanes, pairs, tally, "pairs");
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
    built.remove();
    await tearDown();
  }
  const { points, violations, unreached } = tally;
  for (const line of unreached) console.log(`NOT REACHED ${line}`);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(`${points} crash points, ${violations.length} violations, ${seconds} s`);
  process.exitCode = violations.length + unreached.length === 0 ? 0 : 1;
}

/** The first lane compiles the subject for the others. */
async function firstOrNext(built: Built, nth: number): Promise<Lane> {
  return openLane(built, nth === 0 ? warm : undefined);
}

/** How many messages a gateway passes that is warm: the first run opens connections that later ones find. */
async function dryRun(lane: Lane, scenario: Scenario, tally: Tally): Promise<number> {
  const lengths: number[] = [];
  for (let nth = 0; nth < DRY_RUNS; nth += 1) {
    const { passed, violations } = await crash(lane, { scenario, cuts: [null] });
    note(tally, `${scenario.name}, whole`, violations);
    lengths.push(passed[0]?.steps.length ?? 0);
  }
  return Math.min(...lengths);
}

async function runAll(lanes: Lane[], wanted: Crash[], tally: Tally, title: string): Promise<void> {
  const begun = performance.now();
  const before = tally.violations.length;
  const queue = [...wanted];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        await runOne(lane, next, tally);
        if (process.stdout.isTTY) process.stdout.write(`\r${title}: ${queue.length} left `);
      }
    }),
  );
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const end = `${wanted.length} crash points, ${tally.violations.length - before} violations, ${seconds} s`;
  console.log(`${process.stdout.isTTY ? "\r" : ""}${title}, ${end}`);
}

async function runOne(lane: Lane, one: Crash, tally: Tally): Promise<void> {
  const name = `${one.scenario.name} at ${one.cuts.map((cut) => `${cut?.fault} ${cut?.step}`).join(", then ")}`;
  tally.points += 1;
  let last = "";
  for (let tried = 0; tried < TRIES; tried += 1) {
    try {
      const { passed, violations } = await crash(lane, one);
      note(tally, name, violations);
      // The second of a pair may have nothing left to do.
      if (passed[0]?.reached) return;
      last = `${name}: there were ${passed[0]?.steps.length} messages`;
    } catch (error) {
      return note(tally, name, [{ invariant: "the trial came to no end", detail: String(error) }]);
    }
  }
  tally.unreached.push(last);
}

function note(tally: Tally, name: string, violations: { invariant: string; detail: string }[]): void {
  for (const { invariant, detail } of violations) {
    const line = `VIOLATION ${name}: ${invariant}: ${detail}`;
    console.log(line);
    tally.violations.push(line);
  }
}

function flags(given: string[]): { short: boolean; seed: number; only: string | null } {
  const valueOf = (flag: string) => (given.includes(flag) ? (given[given.indexOf(flag) + 1] ?? null) : null);
  const seed = valueOf("--seed");
  return {
    short: given.includes("--short"),
    seed: seed === null ? Math.floor(Math.random() * 2 ** 31) : Number(seed),
    only: valueOf("--only"),
  };
}

void main();
