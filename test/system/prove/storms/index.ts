import { LOST_REPLIES } from "./lost-replies";
import type { Storm } from "./storm";

/** All storms. */
export const STORMS: readonly Storm[] = [LOST_REPLIES];
