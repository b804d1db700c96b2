import { FORGOTTEN_KEYS } from "./forgotten-keys";
import { LOST_REPLIES } from "./lost-replies";
import { NO_IDEMPOTENCY } from "./no-idempotency";
import type { Storm } from "./storm";

/** All storms. */
export const STORMS: readonly Storm[] = [LOST_REPLIES, NO_IDEMPOTENCY, FORGOTTEN_KEYS];
