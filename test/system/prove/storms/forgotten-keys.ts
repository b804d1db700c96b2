import { rage } from "./faulty-provider";
import type { Storm } from "./storm";

/** A repeat that comes later than a second is a new request to the provider. */
export const FORGOTTEN_KEYS: Storm = {
  name: "the provider forgets its keys early",
  seconds: 20,
  short: false,
  run: (context) => rage(context, { replyLost: 0.4, dropBeforeCharge: 0.1, idempotencyKeyTtlSeconds: 1 }, 60),
};
