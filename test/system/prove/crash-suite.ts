import { bundleSubject } from "./build";
import { crash, type Crash } from "./crash";
import { openLane, type Lane } from "./lane";
import { drawn, everyCut, seeded } from "./points";
import { JOBS } from "./scenarios/jobs";
import { MUTATIONS } from "./scenarios/mutations";
import type { Scenario } from "./scenarios/scenario";
import { warm } from "./subject-process";
import type { SuiteRun } from "./suite-run";

/** Trials that run beside each other: one waits for a gateway to start while the other works. */
const LANES = 5;
/** Crashes in pairs, drawn by the seed. */
const PAIRS = 60;
/** Of each scenario, in the short run. */
const SHORT_POINTS = 24;
const SHORT_PAIRS = 8;
/** How often a scenario runs whole, to count its messages. */
const DRY_RUNS = 3;
/** A message may come in another place by chance: so often a step that was not reached is tried again. */
const TRIES = 4;

/** Everything that is cut at each of its messages. */
const SCENARIOS: readonly Scenario[] = [...MUTATIONS, ...JOBS];

/** What came of it. */
export interface Tally {
  points: number;
  /** Steps that no trial came to, a line each. */
  unreached: string[];
  violations: string[];
}

/** Cuts every scenario at every message, and pairs of them. Needs the run's Postgres. */
export async function runCrashPoints(run: SuiteRun): Promise<Tally> {
  const tally: Tally = { points: 0, unreached: [], violations: [] };
  const scenarios = SCENARIOS.filter(({ name }) => run.only === null || name.includes(run.only));
  if (scenarios.length === 0) return tally;
  const built = await bundleSubject();
  const lanes: Lane[] = [];
  try {
    // The first lane compiles the subject for the others.
    for (let nth = 0; nth < LANES; nth += 1) lanes.push(await openLane(built, nth === 0 ? warm : undefined));
    const suite = new Suite(run, lanes, tally);
    const random = seeded(run.seed);
    const steps = new Map<Scenario, number>();
    for (const scenario of scenarios) {
      const length = await suite.dryRun(scenario);
      steps.set(scenario, length);
      const cuts = run.short ? drawn(everyCut(length), SHORT_POINTS, random) : everyCut(length);
      await suite.runAll(
        cuts.map((cut) => ({ scenario, cuts: [cut] })),
        `${scenario.name}: ${length} messages`,
      );
    }
    const pairs = Array.from({ length: run.short ? SHORT_PAIRS : PAIRS }, () => {
      const scenario = drawn(scenarios, 1, random)[0] as Scenario;
      return { scenario, cuts: drawn(everyCut(steps.get(scenario) ?? 0), 2, random) };
    });
    await suite.runAll(pairs, "pairs");
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
    built.remove();
  }
  return tally;
}

class Suite {
  constructor(
    private readonly run: SuiteRun,
    private readonly lanes: Lane[],
    private readonly tally: Tally,
  ) {}

  /** How many messages a gateway passes that is warm: the first run opens connections that later ones find. */
  async dryRun(scenario: Scenario): Promise<number> {
    const lengths: number[] = [];
    for (let nth = 0; nth < DRY_RUNS; nth += 1) {
      const { passed, violations } = await crash(this.lanes[0] as Lane, { scenario, cuts: [null] });
      this.note(`${scenario.name}, whole`, violations);
      lengths.push(passed[0]?.steps.length ?? 0);
    }
    return Math.min(...lengths);
  }

  async runAll(wanted: Crash[], title: string): Promise<void> {
    const begun = performance.now();
    const before = this.tally.violations.length;
    const queue = [...wanted];
    await Promise.all(
      this.lanes.map(async (lane) => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          await this.runOne(lane, next);
          this.run.progress(`${title}: ${queue.length} left`);
        }
      }),
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    const found = this.tally.violations.length - before;
    this.run.print(`${title}, ${wanted.length} crash points, ${found} violations, ${seconds} s`);
  }

  private async runOne(lane: Lane, one: Crash): Promise<void> {
    const cuts = one.cuts.map((cut) => `${cut?.fault} ${cut?.step}`).join(", then ");
    const name = `${one.scenario.name} at ${cuts}`;
    this.tally.points += 1;
    let last = "";
    for (let tried = 0; tried < TRIES; tried += 1) {
      try {
        const { passed, violations } = await crash(lane, one);
        this.note(name, violations);
        // The second of a pair may have nothing left to do.
        if (passed[0]?.reached) return;
        last = `${name}: there were ${passed[0]?.steps.length} messages`;
      } catch (error) {
        return this.note(name, [{ invariant: "the trial came to no end", detail: String(error) }]);
      }
    }
    this.tally.unreached.push(last);
  }

  private note(name: string, violations: { invariant: string; detail: string }[]): void {
    for (const { invariant, detail } of violations) {
      const line = `VIOLATION ${name}: ${invariant}: ${detail}`;
      this.run.print(line);
      this.tally.violations.push(line);
    }
  }
}
