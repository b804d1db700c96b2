/** Time as this process sees it. Leases and schedules use the database's clock instead (`now()` in SQL). */
export interface Clock {
  /** The wall clock: for comparing with instants that others have told us. It may jump. */
  now(): Date;
  /** Milliseconds that never jump: for "how long since". */
  monotonic(): number;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
