import type { ChildProcess } from "node:child_process";

/** A child process whose end and words are kept. */
export interface Watched {
  /** Resolves, never rejects, when it has ended or could not be started: to `code 0`, `SIGKILL`, or what was wrong. */
  exited: Promise<string>;
  /** The last lines that it has printed. */
  lastWords(): string;
}

/** Characters: enough for the error and what led to it. */
const KEPT = 2_000;
/** Milliseconds. What it printed last may arrive after its end; a child of its own may hold the pipe open for ever. */
const WORDS_WITHIN = 200;

/** Watches a child. Each line that it prints also goes to `log`. */
export function watch(child: ChildProcess, log?: (line: string) => void): Watched {
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    let line = "";
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      words = (words + chunk).slice(-KEPT);
      const lines = (line + chunk).split("\n");
      line = lines.pop() ?? "";
      if (log) lines.forEach(log);
    });
  }
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      const tell = () => resolve(signal ?? `code ${code}`);
      child.once("close", tell);
      setTimeout(tell, WORDS_WITHIN).unref();
    });
  });
  return { exited, lastWords: () => words.trim() };
}
