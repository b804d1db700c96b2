import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const children: ChildProcess[] = [];

/** A process of its own that starts or locks a DATA_DIR, and what it says of that, once. */
export function inProcess(what: "start" | "lock", dataDir: string, env: Record<string, string> = {}) {
  const child = fork(path.join(__dirname, "embedded-process.ts"), [what, dataDir], {
    execArgv: ["-r", "@swc-node/register"],
    env: { ...process.env, ...env },
    stdio: ["pipe", "inherit", "inherit", "ipc"],
  });
  children.push(child);
  const said = once(child, "message").then(([message]) => message as Record<string, unknown>);
  return { child, said };
}

/** Ends what is left of them. A server that one of them has started lives on, until it is started again. */
export function killChildren(): void {
  for (const child of children.splice(0)) child.kill("SIGKILL");
}
