import { ENDED_SESSIONS } from "./ended-sessions";
import { FORGOTTEN_KEYS } from "./forgotten-keys";
import { FULL_DISK } from "./full-disk";
import { KILLED_POSTGRES } from "./killed-postgres";
import { LOST_REPLIES } from "./lost-replies";
import { NO_IDEMPOTENCY } from "./no-idempotency";
import { OLD_BACKUP } from "./old-backup";
import { PAUSED_PROCESS } from "./paused-process";
import { SMALL_POOL } from "./small-pool";
import type { Storm } from "./storm";
import { WRONG_CLOCK } from "./wrong-clock";

/** All storms. */
export const STORMS: readonly Storm[] = [
  LOST_REPLIES,
  NO_IDEMPOTENCY,
  FORGOTTEN_KEYS,
  KILLED_POSTGRES,
  ENDED_SESSIONS,
  PAUSED_PROCESS,
  WRONG_CLOCK,
  SMALL_POOL,
  FULL_DISK,
  OLD_BACKUP,
];
