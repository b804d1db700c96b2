import "reflect-metadata";
import { Command, InvalidArgumentError, Option } from "commander";
import setUp from "../../support/global-setup";
import tearDown from "../../support/global-teardown";
import { runCrashPoints } from "./crash-suite";
import { runPlanted } from "./planted/run";
import { runRaces } from "./run-races";
import { runStorms } from "./storms/run";
import type { SuiteRun } from "./suite-run";

// `npm run prove`: kills the gateway at every message, races it, lets it storm, and checks what is left.

interface Flags {
  short: boolean;
  planted: boolean;
  seed: number;
  only: string | null;
}

const program = new Command("npm run prove --")
  .description("proves that nothing is charged twice and nothing is lost, whatever breaks off when")
  .addOption(
    new Option("--short", "points drawn by the seed instead of all, and the short storms").default(false),
  )
  .addOption(
    new Option("--planted", "plants bugs, and sees that each is found").default(false).conflicts("short"),
  )
  .option("--seed <n>", "draws the same again", wholeNumber, Math.floor(Math.random() * 2 ** 31))
  .addOption(new Option("--only <text>", "what has it in its name").default(null).conflicts("planted"))
  .action(prove);

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("a seed is a whole number");
  return Number(text);
}

async function prove({ short, planted, seed, only }: Flags): Promise<void> {
  console.log(`seed ${seed}: npm run prove -- --seed ${seed}${short ? " --short" : ""} draws the same again`);
  const begun = performance.now();
  const run: SuiteRun = { short, seed, only, print, progress };
  let last = "";
  await setUp();
  try {
    last = planted ? await provePlanted(run) : await proveAll(run);
  } finally {
    await tearDown();
  }
  console.log(`${last}, ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}

/** @returns the last line, without its seconds */
async function proveAll(run: SuiteRun): Promise<string> {
  const { points, unreached, violations } = await runCrashPoints(run);
  violations.push(...(await runRaces(run)));
  violations.push(...(await runStorms(run)));
  for (const line of unreached) print(`NOT REACHED ${line}`);
  process.exitCode = violations.length + unreached.length === 0 ? 0 : 1;
  return `${points} crash points, ${violations.length} violations`;
}

async function provePlanted(run: SuiteRun): Promise<string> {
  const missed = await runPlanted(run);
  process.exitCode = missed.length === 0 ? 0 : 1;
  return `planted bugs: ${missed.length} not found`;
}

const isWatched = process.stdout.isTTY;

function print(line: string): void {
  console.log(isWatched ? `\r\x1b[K${line}` : line);
}

function progress(line: string): void {
  if (isWatched) process.stdout.write(`\r\x1b[K${line}`);
}

void program.parseAsync();
