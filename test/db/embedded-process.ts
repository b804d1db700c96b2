import { lockDataDir } from "../../src/db/data-lock";
import { startEmbedded } from "../../src/db/embedded";

/** A process of its own for the tests of the embedded Postgres: `start` or `lock` a DATA_DIR, and tell what came of it. */
async function main([what, dataDir = ""]: string[]): Promise<unknown> {
  if (what === "start") {
    const { url, pid } = await startEmbedded({ dataDir, durable: false });
    return { url, pid };
  }
  // All begin at one moment: when their stdin ends.
  await new Promise((resolve) => process.stdin.once("end", resolve).resume());
  lockDataDir(dataDir);
  return { held: true };
}

main(process.argv.slice(2)).then(
  (result) => process.send?.(result),
  (error: Error) => process.send?.({ error: error.message }),
);
// Until the test ends it, in the way that it is about.
setInterval(() => undefined, 60_000);
process.on("message", (message) => message === "exit" && process.exit(0));
