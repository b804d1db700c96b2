import { rage } from "./faulty-provider";
import type { Storm } from "./storm";

/** Half of the calls have no answer: most were done, some never arrived. The provider keeps its keys. */
export const LOST_REPLIES: Storm = {
  name: "half of the replies lost",
  seconds: 15,
  short: true,
  run: (context) => rage(context, { replyLost: 0.4, dropBeforeCharge: 0.1 }, 80),
};
