/** Something that takes effect at one instant between its beginning and its end. */
export interface Point<S> {
  name: string;
  /** Not before. */
  from: number;
  /** Not after; Infinity where nobody was told of it. */
  to: number;
  /** The names of points that come before it. */
  after: string[];
  /** The state after it; null where it cannot take effect in this one. The same state where it only looks. */
  apply(state: S): S | null;
}

/** An order in which all took effect, or how far the longest that was tried came. */
export type Linearization =
  { order: string[] } | { stuckAfter: string[]; before: string[]; statesTried: number };

/** Beyond so many states a verdict would be a guess. */
const MOST_STATES = 200_000;

/**
 * Wing and Gong's search with Lowe's memory of what was tried (Wing, Gong: "Testing and verifying concurrent objects",
 * 1993; Lowe: "Testing for linearizability", 2017): is there an order of all points that keeps real time and that the
 * states allow? What only looks is taken as soon as it can be: it changes nothing, and so closes no way.
 * @param mostStates the search may try
 * @throws where the search is too large to be finished: an unfinished search is no verdict
 */
export function linearize<S>(
  points: Point<S>[],
  start: S,
  show: (state: S) => string,
  mostStates = MOST_STATES,
): Linearization {
  const tried = new Set<string>();
  let longest: string[] = [];
  const search = (state: S, left: Point<S>[], order: string[]): string[] | null => {
    if (left.length === 0) return order;
    if (order.length > longest.length) longest = order;
    const place = `${show(state)}|${left.map(({ name }) => name).join(",")}`;
    if (tried.has(place)) return null;
    if (tried.add(place).size > mostStates) throw new Error(`not decided after ${mostStates} states`);
    const next = steps(state, left);
    const looked = next.find((one) => show(one.state) === show(state) && one.looks);
    for (const { point, state: after } of looked ? [looked] : next) {
      const rest = left.filter((one) => one !== point);
      const found = search(after, rest, [...order, point.name]);
      if (found) return found;
    }
    return null;
  };
  const order = search(start, points, []);
  if (order) return { order };
  const before = points.map(({ name }) => name).filter((name) => !longest.includes(name));
  return { stuckAfter: longest, before, statesTried: tried.size };
}

/** What may come next: begun before all that is left has ended, after what it follows, and allowed by the state. */
function steps<S>(state: S, left: Point<S>[]) {
  const firstEnd = Math.min(...left.map(({ to }) => to));
  const waiting = new Set(left.map(({ name }) => name));
  return left.flatMap((point) => {
    if (point.from > firstEnd || point.after.some((name) => waiting.has(name))) return [];
    const after = point.apply(state);
    return after === null ? [] : [{ point, state: after, looks: after === state }];
  });
}
