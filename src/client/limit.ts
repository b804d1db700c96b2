/** A signal that ends with another one, or when time has run out. */
export interface Limit {
  signal: AbortSignal;
  /** True where it ended because time has run out. */
  readonly isOver: boolean;
  /** Lets go of the clock and of the other signal. */
  clear(): void;
}

/** Limits what follows to so many milliseconds. */
export function limit(outer: AbortSignal, ms: number): Limit {
  const controller = new AbortController();
  let isOver = false;
  const stop = () => controller.abort(outer.reason);
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new Error(`no answer within ${ms} ms`));
  }, ms);
  if (outer.aborted) stop();
  outer.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    clear: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", stop);
    },
  };
}

/** Waits for a promise, or until the signal ends: then it rejects with the signal's reason. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Waits so many milliseconds. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return orAborted(waited, signal).finally(() => clearTimeout(timer));
}
