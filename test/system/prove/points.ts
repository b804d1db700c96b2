import { FAULTS, type Cut } from "./wire/wire";

/** A generator of numbers from 0 to 1 (mulberry32): the same seed draws the same. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Every cut of a run of so many messages. A gateway that is killed after one message leaves what it leaves when it is
 * killed before the next: nothing has passed in between, and it has no memory of its own. So that is one run; a
 * connection is dropped before and after each, because the gateway lives on and knows how far it had come.
 */
export function everyCut(steps: number): Cut[] {
  const each = Array.from({ length: steps }, (_, nth) => nth + 1).flatMap((step) =>
    FAULTS.map((fault) => ({ step, fault })),
  );
  return each.filter(({ step, fault }) => fault !== "kill after" || step === steps);
}

/** So many of them, drawn without putting back. */
export function drawn<T>(all: readonly T[], many: number, random: () => number): T[] {
  const left = [...all];
  return Array.from({ length: Math.min(many, left.length) }, () => {
    return left.splice(Math.floor(random() * left.length), 1)[0] as T;
  });
}
