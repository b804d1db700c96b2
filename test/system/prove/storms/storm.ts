import type { History } from "../checker/history";

/** A time in which much goes wrong at once; afterwards every promise still holds. */
export interface Storm {
  name: string;
  /** Seconds that it takes on two quiet cores, about. */
  seconds: number;
  /** True where it belongs to the short run. */
  short: boolean;
  /** @throws where the storm did not really happen, or its house does not come to rest */
  run(context: StormContext): Promise<History>;
}

/** What a storm is given. */
export interface StormContext {
  /** Seeded: from 0 to 1, without 1. */
  random(): number;
  note(line: string): void;
  /** Smaller numbers. */
  short: boolean;
}
