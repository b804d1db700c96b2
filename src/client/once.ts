/**
 * Remembers which effects were done. `claim` must be atomic: of several callers at once, one gets `claimed`. In SQL that is
 * an insert `on conflict do nothing`; at best the effect's own rows commit in the same transaction as the key.
 */
export interface EffectStore {
  /** `claimed`: do it now; `done`: it was done before; `busy`: somebody else is at it. */
  claim(effectKey: string): Promise<"claimed" | "done" | "busy">;
  /** It was done: never again. */
  finish(effectKey: string): Promise<void>;
  /** It was not done: the next delivery may try. */
  release(effectKey: string): Promise<void>;
}

/** Somebody else is at this effect: answer 503, and the delivery comes again. */
export class EffectBusyError extends Error {
  override readonly name = "EffectBusyError";
}

/** What `once` came to. */
export interface Once<T> {
  /** True for the one call that did it. */
  ran: boolean;
  /** What it returned; undefined where it was done before. */
  value: T | undefined;
}

/**
 * Does an effect (a release, an e-mail, a booking) once for each effect key, such as a webhook's id. Calls at the same time
 * with one key share one run. Where it throws, the key is free again.
 * @param store what remembers; this process's memory when absent, which a restart forgets
 * @throws EffectBusyError where another process is at it; and whatever the effect throws
 */
export async function once<T>(
  effectKey: string,
  effect: () => T | Promise<T>,
  store: EffectStore = MEMORY,
): Promise<Once<T>> {
  const running = runningOf(store);
  const before = running.get(effectKey) as Promise<Once<T>> | undefined;
  if (before) return { ...(await before), ran: false };
  const run = runOnce(effectKey, effect, store).finally(() => running.delete(effectKey));
  running.set(effectKey, run);
  return run;
}

async function runOnce<T>(
  effectKey: string,
  effect: () => T | Promise<T>,
  store: EffectStore,
): Promise<Once<T>> {
  const claim = await store.claim(effectKey);
  if (claim === "done") return { ran: false, value: undefined };
  if (claim === "busy") throw new EffectBusyError(`somebody else is at ${effectKey}`);
  let value: T;
  try {
    value = await effect();
  } catch (error) {
    await store.release(effectKey);
    throw error;
  }
  await store.finish(effectKey);
  return { ran: true, value };
}

const RUNNING = new WeakMap<EffectStore, Map<string, Promise<Once<unknown>>>>();

function runningOf(store: EffectStore): Map<string, Promise<Once<unknown>>> {
  const running = RUNNING.get(store) ?? new Map<string, Promise<Once<unknown>>>();
  RUNNING.set(store, running);
  return running;
}

/** Remembers in this process, and forgets the oldest when there are more than `most`. */
export function memoryEffects(most = 100_000): EffectStore {
  const claims = new Map<string, "busy" | "done">();
  return {
    claim: async (key) => {
      const known = claims.get(key);
      if (known) return known;
      claims.set(key, "busy");
      return "claimed";
    },
    finish: async (key) => {
      claims.set(key, "done");
      if (claims.size > most) claims.delete(claims.keys().next().value as string);
    },
    release: async (key) => void claims.delete(key),
  };
}

const MEMORY = memoryEffects();
