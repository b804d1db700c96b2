import type { History, PaymentRead, Standing } from "./history";
import { linearize } from "./linearize";
import { groups, wasConflicted } from "./lookup";
import { BEFORE } from "./model";
import { pointsOf } from "./payment-model";

/** What no order of the payment's operations explains, and what was seen to go back. */
export function unordered(history: History): string[] {
  return [...goneBack(history), ...history.payments.flatMap((payment) => outOfOrder(payment, history))];
}

/** A version is one standing, and no later look shows an earlier one. */
function goneBack({ calls, payments }: History): string[] {
  const found: string[] = [];
  const looks = calls.flatMap(({ begun, ended, answer }) =>
    answer?.kind === "operation" ? [{ begun, ended, shown: answer.payment }] : [],
  );
  const last = payments.map((shown) => ({ begun: Infinity, ended: Infinity, shown }));
  for (const [id, all] of groups([...looks, ...last], ({ shown }) => shown.id)) {
    for (const [version, same] of groups(all, ({ shown }) => String(shown.version))) {
      const ways = new Set(same.map(({ shown }) => standing(shown)));
      if (ways.size > 1)
        found.push(`${id}: version ${version} was shown in ${ways.size} ways: ${[...ways].join("; ")}`);
    }
    for (const one of all)
      for (const later of all)
        if (later.begun > one.ended && later.shown.version < one.shown.version)
          found.push(`${id}: version ${later.shown.version} was shown after version ${one.shown.version}`);
  }
  return found;
}

const standing = ({ status, captured, capturable, refunded, refundable }: Standing) =>
  `${status}, captured ${captured}, capturable ${capturable}, refunded ${refunded}, refundable ${refundable}`;

function outOfOrder(payment: PaymentRead, history: History): string[] {
  if (wasConflicted(payment)) return [];
  const points = pointsOf(payment, history);
  const found = linearize(points, BEFORE, JSON.stringify);
  if ("order" in found) return [];
  return [
    `${payment.id}: no order explains its history; after ${found.stuckAfter.join(", ") || "nothing"} came none of ${found.before.join(", ")}`,
  ];
}
