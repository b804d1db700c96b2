import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { House } from "./gateway";
import { TEST_ENCRYPTION_KEY } from "./gateway";

/** A process of the product, as it ships. */
export interface Process {
  /** Its gateway's address; empty for a worker. */
  url: string;
  pid: number;
  /** Everything that it has printed. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Runs `umavez serve` or `umavez worker` of the house's build beside it, on its database and its provider. */
export async function startProcess(
  command: "serve" | "worker",
  house: House,
  settings: Record<string, string> = {},
): Promise<Process> {
  return run([subjectOf(house), command], /^(?:gateway: (http:\S+)\/graphql|worker: running)$/m, {
    DATABASE_URL: house.databaseUrl,
    SANDBOX_URL: house.sandboxUrl,
    DATA_DIR: house.dataDir,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...settings,
  });
}

/** Runs `umavez start`, with a sandbox of its own. */
export async function startWhole(settings: { DATA_DIR: string; DATABASE_URL?: string }): Promise<Process> {
  // The curl is the last that it prints.
  return run([subjectOf(), "start"], /^ {2}GraphQL +(http:\S+)\/graphql$[^]*^curl .*$/m, settings);
}

/** The script that is run: the product's, unless the house or UMAVEZ_SUBJECT names another build of it. */
export function subjectOf(house: Partial<Pick<House, "subject">> = {}): string {
  return path.resolve(house.subject ?? process.env.UMAVEZ_SUBJECT ?? "bin/umavez.js");
}

async function run(command: string[], wanted: RegExp, settings: Record<string, string>): Promise<Process> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, PORT: "0", LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { text: "" };
  const line = await says(child, wanted, output);
  return {
    url: line[1] ?? "",
    pid: child.pid as number,
    output: () => output.text,
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await ended;
    },
  };
}

/** Resolves with what the process printed; rejects where it ends before. */
function says(child: ChildProcess, wanted: RegExp, output: { text: string }): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output.text += chunk.toString("utf8");
      const found = wanted.exec(output.text);
      if (found) resolve(found);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${output.text}`)));
  });
}
