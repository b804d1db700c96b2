import { orAborted } from "./limit.ts";

/** One work that several callers wait for. */
export interface Shared<T> {
  /** True once every caller has left, and the work with them. */
  readonly isLeft: boolean;
  /** Waits for it. A caller whose signal ends leaves the others waiting. */
  join(signal?: AbortSignal): Promise<T>;
}

/** Begins a work, which is aborted when the last of its callers has left. */
export function share<T>(work: (signal: AbortSignal) => Promise<T>): Shared<T> {
  const controller = new AbortController();
  let waiting = 0;
  const result = work(controller.signal);
  return {
    get isLeft() {
      return controller.signal.aborted;
    },
    join: (signal) => {
      waiting += 1;
      if (!signal) return result;
      const leave = () => {
        waiting -= 1;
        if (waiting === 0) controller.abort(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      return orAborted(result, signal).finally(() => signal.removeEventListener("abort", leave));
    },
  };
}
