import type { Merchant } from "../race-house";

/** What one customer does with one payment of 100.00, each step under a key of its own. */
export interface Life {
  merchant: Merchant;
  /** Both merchants have one of each number, with the same keys. */
  nth: number;
  captureMode: "AUTOMATIC" | "MANUAL";
  /** What is done with money that is held; null where it is taken at once. */
  then: "cancel" | { minor: number | null } | null;
  /** What is given back, side by side. Minor units. */
  refunds: number[];
  /** So many callers send each key at once. */
  callers: number;
}

/** The amount of every payment. Minor units. */
export const AMOUNT = 10_000;

/** Draws so many lives: half of them each merchant's. */
export function drawLives(random: () => number, many: number): Life[] {
  return Array.from({ length: many }, (_, place) => {
    const merchant = place % 2 === 0 ? "first" : "second";
    return { merchant, nth: Math.floor(place / 2), ...drawSteps(random) };
  });
}

function drawSteps(random: () => number): Omit<Life, "merchant" | "nth"> {
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const [isHeld, isCanceled, isPart] = [random() < 0.7, random() < 0.25, random() < 0.6];
  const part = { minor: isPart ? 1_000 * whole(6, 9) : null };
  const refunds = Array.from({ length: whole(0, 2) }, () => 1_000 * whole(1, 4));
  const callers = whole(1, 3);
  if (!isHeld) return { captureMode: "AUTOMATIC", then: null, refunds, callers };
  const then = isCanceled ? "cancel" : part;
  return { captureMode: "MANUAL", then, refunds: isCanceled ? [] : refunds, callers };
}
