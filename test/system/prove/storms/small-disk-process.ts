import fs from "node:fs";
import path from "node:path";
import { startEmbedded, type Embedded } from "../../../../src/db/embedded";

// Runs in namespaces of its own (small-disk.ts), where its folder is a small disk that nobody else sees: a Postgres on it,
// and a file that fills it up.

/** What it is told, and what it says once that is done. */
export type Told = "fill" | "free";
export type Said = { url: string } | { done: Told; ends: number } | { failed: string };

/** How soon what becomes free is filled again (milliseconds). */
const FILL_EVERY = 100;
const CHUNKS = [1 << 20, 1 << 12];

const dataDir = process.argv[2] ?? "";
const filler = path.join(dataDir, "filler");
let server: Embedded | null = null;
/** How often the server has ended by itself. */
let ends = 0;
let filling: NodeJS.Timeout | undefined;

async function start(port?: number): Promise<Embedded> {
  const onExit = () => ((server = null), (ends += 1));
  return (server = await startEmbedded({ dataDir, port, onExit }));
}

function fill(): void {
  for (const size of CHUNKS)
    try {
      for (;;) fs.appendFileSync(filler, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
}

async function obey(told: Told, port: number): Promise<void> {
  if (told === "fill") {
    fill();
    filling = setInterval(fill, FILL_EVERY);
  } else {
    clearInterval(filling);
    fs.rmSync(filler);
    if (server === null) await start(port);
  }
  say({ done: told, ends });
}

function say(said: Said): void {
  process.send?.(said);
}

async function main(): Promise<void> {
  const { url, port } = await start();
  process.on("message", (told: Told) => void obey(told, port).catch(fail));
  say({ url });
}

const fail = (error: unknown) => say({ failed: String(error) });

process.once("disconnect", () => void (server?.stop() ?? Promise.resolve()).finally(() => process.exit(0)));
main().catch(fail);
