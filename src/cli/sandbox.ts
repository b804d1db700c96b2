import path from "node:path";
import { readConfig } from "../config";
import { startSandbox } from "../sandbox/server";
import { untilSignal } from "./signals";
import type { SandboxMessage } from "./sandbox-process";

/** `umavez sandbox`: the sandbox provider alone, on 127.0.0.1:SANDBOX_PORT, its ledger in DATA_DIR/sandbox. */
export async function runSandbox(): Promise<void> {
  const config = readConfig();
  const tell = (message: SandboxMessage) => process.send?.(message);
  try {
    const dataDir = path.join(config.dataDir, "sandbox");
    const sandbox = await startSandbox({ port: config.sandboxPort, dataDir });
    tell({ url: sandbox.url });
    if (!process.send) console.log(`sandbox provider: ${sandbox.url}`);
    // Whoever started us is gone, by kill -9 too: so are we.
    process.once("disconnect", () => process.exit(0));
    await untilSignal();
    await sandbox.close();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    tell({ error: message, code });
    if (process.send) return process.disconnect();
    throw code === "EADDRINUSE"
      ? new Error(`port ${config.sandboxPort} is taken: set SANDBOX_PORT to a free one`)
      : error;
  }
}
