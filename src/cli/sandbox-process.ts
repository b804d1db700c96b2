import { fork, type ChildProcess } from "node:child_process";
import type { Config } from "../config";

/** The sandbox in its own process, so that a crash of the gateway is not a crash of the provider. */
export interface SandboxProcess {
  url: string;
  stop(): Promise<void>;
}

/** What the child says once it listens, or why it cannot. */
export type SandboxMessage = { url: string } | { error: string; code?: string };

/** A sandbox left by a killed `start` ends by itself at once: its port is tried again for this long. */
const PORT_FREES_WITHIN_MS = 5_000;
const TRY_AGAIN_AFTER_MS = 200;

/**
 * Starts `umavez sandbox` as a child and starts it again if it dies.
 * @throws Error that names SANDBOX_PORT where the port stays taken
 */
export async function startSandboxProcess(
  config: Config,
  onExit: (reason: string) => void,
): Promise<SandboxProcess> {
  const begun = await forkUntilItListens(config);
  let { child } = begun;
  const { url } = begun;
  let stopping = false;
  const watch = () =>
    child.once("exit", (code, signal) => {
      if (stopping) return;
      onExit(`the sandbox ended (${signal ?? code}); it is started again`);
      forkUntilItListens({ ...config, sandboxPort: Number(new URL(url).port) }).then(
        (next) => ((child = next.child), watch()),
        (error: Error) => onExit(error.message),
      );
    });
  watch();
  return {
    url,
    stop: async () => {
      stopping = true;
      await ended(child);
    },
  };
}

async function forkUntilItListens(config: Config): Promise<{ child: ChildProcess; url: string }> {
  const until = performance.now() + PORT_FREES_WITHIN_MS;
  for (;;) {
    const { child, message } = await forkOnce(config);
    if ("url" in message) return { child, url: message.url };
    if (message.code !== "EADDRINUSE") throw new Error(`the sandbox could not start: ${message.error}`);
    if (performance.now() > until)
      throw new Error(
        `port ${config.sandboxPort} is taken: set SANDBOX_PORT to a free one for the sandbox provider`,
      );
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_AFTER_MS));
  }
}

function forkOnce(config: Config): Promise<{ child: ChildProcess; message: SandboxMessage }> {
  const child = fork(process.argv[1] as string, ["sandbox"], {
    env: { ...process.env, DATA_DIR: config.dataDir, SANDBOX_PORT: String(config.sandboxPort) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Ctrl-C reaches the whole group of a terminal: the gateway ends first, then we end the sandbox.
    detached: true,
  });
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve({ child, message: message as SandboxMessage }));
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      resolve({ child, message: { error: `it ended at once (${signal ?? code})` } }),
    );
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exit;
}
