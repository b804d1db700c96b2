const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long recovery waits before its next step, in milliseconds, by steps taken so far (semantics section 4). */
const PAUSES: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  ...Array<number>(24).fill(HOUR),
  ...Array<number>(28).fill(6 * HOUR),
];

/** The pause after `steps` steps of recovery, in milliseconds; null once the safe steps have run out. */
export function pauseAfter(steps: number): number | null {
  return PAUSES[steps] ?? null;
}

/**
 * How soon the provider's report of a payment that it still works on is asked for, in milliseconds, by polls so far.
 * @returns null never: what the provider has accepted is polled for as long as it is open
 */
export function pollAfter(polls: number): number {
  return [30 * SECOND, 2 * MINUTE, 10 * MINUTE][polls] ?? HOUR;
}
