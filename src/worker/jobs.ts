import type { App } from "../app";
import { eraseContent } from "../idempotency/erase-content";
import { applyEffects } from "../outbox/apply-effects";
import { relayEvents } from "../outbox/relay";

/** Work that comes again and again, beside recovery. */
export interface Job {
  name: string;
  /** How long after a batch that was not full the next one is tried (milliseconds). */
  everyMs: number;
  /** How much one run does at most. */
  batch: number;
  /** Does one batch. @returns how much was done */
  runOnce(app: App, batch: number): Promise<number>;
}

/** Every job of the worker. */
export const JOBS: readonly Job[] = [
  {
    name: "give committed events their positions",
    everyMs: 100,
    batch: 500,
    runOnce: (app, batch) => relayEvents(app.db, app.consumers, batch),
  },
  {
    name: "let consumers have what is due",
    everyMs: 250,
    batch: 50,
    runOnce: (app, batch) => applyEffects(app, batch),
  },
  {
    name: "erase the content of keys whose replay window has closed",
    everyMs: 60_000,
    batch: 500,
    runOnce: (app, batch) => eraseContent(app.db, batch),
  },
];
