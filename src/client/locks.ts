import type { Attempts, Scope } from "./attempt.ts";
import { limit } from "./limit.ts";
import { EarlierIntentError } from "./problems.ts";

/** `navigator.locks`, or what has its method. */
export interface Locks {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

/** What is done by one tab at a time. */
export interface Turn {
  /** Of its attempt in the storage, and of its lock. */
  name: string;
  scope: Scope;
  attempts: Attempts;
  locks: Locks | null;
  waits: { withinMs: number };
  signal: AbortSignal;
}

/** The browser's locks; null where there are none, as on plain http. */
export function browserLocks(): Locks | null {
  return (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks ?? null;
}

/**
 * Does a work while no other tab does one of the same name. Without locks it is done at once: then tabs agree on a key by
 * what they have written (`prepare` in `intents.ts`).
 * @throws EarlierIntentError where another tab holds on to it for too long
 */
export async function exclusively<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  const { locks, name, scope, signal, waits, attempts } = turn;
  if (!locks) return work();
  const patience = limit(signal, waits.withinMs);
  try {
    return await locks.request(name, { signal: patience.signal }, () => {
      patience.clear();
      return work();
    });
  } catch (error) {
    if (!patience.isOver) throw error;
    throw new EarlierIntentError(scope, attempts.read(name), "another tab is still waiting for it", {
      cause: error,
    });
  } finally {
    patience.clear();
  }
}
