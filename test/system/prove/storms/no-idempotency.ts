import { rage } from "./faulty-provider";
import type { Storm } from "./storm";

/** Longer than recovery's first look, and within the provider's own bound, from which on absence counts. */
const LAG_MS = 4_000;

/** Each request that arrives is a new one, and what it made is not shown at once. */
export const NO_IDEMPOTENCY: Storm = {
  name: "no idempotency at the provider, and a lookup that lags",
  seconds: 25,
  short: false,
  run: (context) =>
    rage(
      context,
      { replyLost: 0.4, dropBeforeCharge: 0.1, ignoreIdempotencyKeys: true, lookupLagMs: LAG_MS },
      60,
    ),
};
