import "reflect-metadata";
import { readConfig } from "../../../src/config";
import { startHttp } from "../../../src/http/server";
import { eraseContent } from "../../../src/idempotency/erase-content";
import { applyWebhooks } from "../../../src/inbox/apply-webhooks";
import { openApp } from "../../../src/main";
import type { App } from "../../../src/app";
import { applyEffects } from "../../../src/outbox/apply-effects";
import type { Consumer } from "../../../src/outbox/consumer";
import { relayEvents } from "../../../src/outbox/relay";
import { recoverPayments } from "../../../src/payments/recover-payments";
import { createLog } from "../../../src/shared/log";

// A process of the product's own parts, put together as `umavez serve` and `umavez worker` are. Its jobs run when they
// are told to, once each, so that a run of one can be cut at each of its messages.

const BATCH = 50;

/** What a worker does by itself, again and again. */
const JOBS = {
  recovery: async (app: App) => settled(await recoverPayments(app, BATCH)),
  webhooks: async (app: App) => settled(await applyWebhooks(app, BATCH)),
  relay: (app: App) => relayEvents(app.db, app.consumers, BATCH),
  effects: (app: App) => applyEffects(app, BATCH),
  erasure: (app: App) => eraseContent(app.db, BATCH),
};
export type Job = keyof typeof JOBS;

/** What a subject is told, and says. */
export type Told = { nth: number; jobs: Job[] };
export type Said = { ready: string } | { nth: number; done: number } | { nth: number; failed: string };

async function settled(steps: Promise<void>[]): Promise<number> {
  await Promise.all(steps);
  return steps.length;
}

/** One consumer of each kind, both of which count how often an event has reached them. */
function consumers(receiver: string): Consumer[] {
  return [
    {
      kind: "database",
      name: "stock",
      apply: async (tx, { merchantId, eventId }) =>
        void (await tx.sql("insert into proof_effects values ($1, $2)", [merchantId, eventId])),
    },
    {
      kind: "outside",
      name: "mail",
      deliver: async (_, effectKey) => {
        const answer = await fetch(receiver, { method: "POST", body: effectKey });
        if (!answer.ok) throw new Error(`the receiver answered ${answer.status}`);
      },
    },
  ];
}

async function run(): Promise<void> {
  const config = readConfig();
  const settled = {
    ...config,
    databaseUrl: config.databaseUrl ?? "",
    encryptionKey: config.encryptionKey ?? "",
  };
  const app = await openApp(settled, createLog({ level: config.logLevel }));
  app.consumers.push(...consumers(process.env.PROOF_RECEIVER ?? ""));
  const http = await startHttp(app);
  process.on("message", (told: Told) => void obey(app, told));
  process.once("disconnect", () => process.exit(0));
  say({ ready: http.url });
}

async function obey(app: App, { nth, jobs }: Told): Promise<void> {
  try {
    let done = 0;
    for (const job of jobs) done += await JOBS[job](app);
    say({ nth, done });
  } catch (error) {
    say({ nth, failed: String(error) });
  }
}

function say(said: Said): void {
  process.send?.(said);
}

void run();
