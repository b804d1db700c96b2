import fs from "node:fs";

/** Stops the run's own Postgres, and leaves nothing of it. */
export default async function tearDown(): Promise<void> {
  const own = globalThis.umavezTestServer;
  if (!own) return;
  own.watchman.kill("SIGKILL");
  await own.server.stop();
  fs.rmSync(own.dataDir, { recursive: true, force: true });
}
