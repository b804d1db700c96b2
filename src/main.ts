import "reflect-metadata";
import { KeyUse } from "./access/note-use";
import type { App } from "./app";
import type { Config } from "./config";
import { createDataSource } from "./db/data-source";
import { RepeatCounter } from "./idempotency/count-repeats";
import { Waiting } from "./idempotency/waiting";
import { Providers } from "./providers/providers";
import { systemClock } from "./shared/clock";
import { createCipher } from "./shared/encryption";
import type { Log } from "./shared/log";
import { Turns } from "./shared/turns";
import { Underway } from "./shared/underway";

/** Settings with nothing left open: what a process runs with. */
export type Settled = Config & { databaseUrl: string; encryptionKey: string };

/** Puts the house together over a database that exists and is migrated. */
export async function openApp(config: Settled, log: Log): Promise<App> {
  const onError = (error: Error) => log.warn({ err: error }, "an idle database connection was lost");
  const db = createDataSource(config.databaseUrl, { size: config.databasePool, onError });
  await db.initialize();
  const cipher = createCipher(config.encryptionKey);
  return {
    config,
    publicUrl: config.publicUrl ?? `http://127.0.0.1:${config.port}`,
    db,
    clock: systemClock,
    log,
    cipher,
    providers: new Providers(config, cipher, systemClock),
    keyUse: new KeyUse(db),
    repeats: new RepeatCounter(db),
    waiting: new Waiting(db),
    consumers: [],
    turns: new Turns(),
    underway: new Underway(),
  };
}

/** How long a stop waits for conversations with providers; what is left is found by recovery. */
const LAST_WORDS_MS = 8_000;

/** Waits for what is under way, then lets go of the database. */
export async function closeApp(app: App): Promise<void> {
  await app.underway.settled(LAST_WORDS_MS);
  await app.db.destroy();
}
