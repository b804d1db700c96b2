import type { App } from "../app";
import { recoverPayments } from "../payments/recover-payments";

/** How soon what is due is taken. */
const LOOK_EVERY_MS = 250;

/** A step holds no connection while it waits for the provider: this bounds the load on the provider. */
const STEPS_AT_ONCE = 100;

/** A running worker. */
export interface Worker {
  /** Takes nothing more, and waits for the steps under way. */
  stop(): Promise<void>;
}

/** Takes what is due, again and again, until it is stopped. An error is logged and the loop goes on. */
export function startWorker(app: App): Worker {
  const steps = new Set<Promise<void>>();
  let stopped = false;
  let wake: () => void = () => undefined;

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      wake = () => (clearTimeout(timer), resolve());
    });

  const run = async () => {
    while (!stopped) {
      try {
        for (const step of await recoverPayments(app, STEPS_AT_ONCE - steps.size)) {
          steps.add(step);
          void step.finally(() => steps.delete(step));
        }
      } catch (error) {
        app.log.warn({ err: error }, "the worker could not look for due work");
      }
      if (!stopped) await pause();
    }
    await Promise.all([...steps]);
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
