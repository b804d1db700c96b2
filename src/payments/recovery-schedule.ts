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

/** How long after a payment's time ran out money is still looked for, in milliseconds. */
const LATE_MONEY = 5 * 24 * HOUR;

/** A payment whose payer may act, or may have paid late. */
export interface Waiting {
  /** True while the provider would take the money in time. */
  open: boolean;
  /** When its time runs out, or ran out. */
  expiresAt: Date | null;
  /** When it was accepted. */
  createdAt: Date;
}

/**
 * How soon it is asked whether a payer has acted, in milliseconds: as other polls, and at the expiry; afterwards daily
 * for five days, as money can come late.
 * @param polls how often it has been asked so far
 * @returns null when it is not asked again
 */
export function payerPollAfter(polls: number, waiting: Waiting, now: Date): number | null {
  const left = (waiting.expiresAt ?? waiting.createdAt).getTime() - now.getTime();
  if (waiting.open) return left > 0 ? Math.min(pollAfter(polls), left) : 10 * MINUTE;
  return left > -LATE_MONEY ? 24 * HOUR : null;
}
