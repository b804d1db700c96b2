import type { App } from "../app";
import { pollPayers } from "../payments/poll-payers";
import { applyWebhooks } from "../inbox/apply-webhooks";
import { recoverPayments } from "../payments/recover-payments";
import { JOBS } from "./jobs";

/** How soon what is due is taken. */
const LOOK_EVERY_MS = 250;

/** A step holds no connection while it waits for the provider: this bounds the load on the provider. */
const STEPS_AT_ONCE = 100;

/** A running worker. */
export interface Worker {
  /** Takes nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

/** Recovers what is due and does every job, again and again, until it is stopped. */
export function startWorker(app: App): Worker {
  const steps = new Set<Promise<void>>();
  /** Takes what is due; its steps go on by themselves. What one source has under way does not hold up another. */
  const taking = (take: (app: App, room: number) => Promise<Promise<void>[]>) => {
    let underway = 0;
    return async () => {
      for (const step of await take(app, STEPS_AT_ONCE - underway)) {
        steps.add(step);
        underway += 1;
        void step.finally(() => (steps.delete(step), (underway -= 1)));
      }
      return false;
    };
  };
  const loops = [
    startLoop(app, { name: "recover what is due", everyMs: LOOK_EVERY_MS, turn: taking(recoverPayments) }),
    startLoop(app, { name: "ask for payers", everyMs: LOOK_EVERY_MS, turn: taking(pollPayers) }),
    startLoop(app, {
      name: "apply what providers tell",
      everyMs: LOOK_EVERY_MS,
      turn: taking(applyWebhooks),
    }),
    ...JOBS.map(({ name, everyMs, batch, runOnce }) =>
      startLoop(app, { name, everyMs, turn: async () => (await runOnce(app, batch)) >= batch }),
    ),
  ];
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all([...steps]);
    },
  };
}

interface Loop {
  name: string;
  everyMs: number;
  /** @returns true where there is more to do at once */
  turn(): Promise<boolean>;
}

/** An error is logged, and the loop goes on. */
function startLoop(app: App, { name, everyMs, turn }: Loop): Worker {
  let stopped = false;
  let wake: () => void = () => undefined;
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      wake = () => (clearTimeout(timer), resolve());
    });
  const run = async () => {
    while (!stopped) {
      const more = await turn().catch((error: unknown) => {
        app.log.warn({ err: error, job: name }, "a job failed, and is tried again");
        return false;
      });
      if (!more && !stopped) await pause();
    }
  };
  const running = run();
  return {
    stop: () => {
      stopped = true;
      wake();
      return running;
    },
  };
}
