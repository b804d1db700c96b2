import { createHash } from "node:crypto";
import { Refusal } from "../shared/refusal";

/** One page of a list, in the list's order. */
export interface Page<T> {
  edges: { node: T; cursor: string }[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** A place in a list that is ordered by time and id: exact to the microsecond, which a JavaScript Date is not. */
export interface Place {
  /** Microseconds since 1970. */
  micros: string;
  id: string;
}

/** Selects a timestamp as the whole number of microseconds that a `Place` holds. */
export const microsOf = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

/** What a cursor belongs to: the list, whose it is, and its filter. A cursor of another list is refused. */
export type ListName = readonly string[];

/** A place as an opaque text. */
export function encodeCursor(list: ListName, place: Place): string {
  return Buffer.from([printOf(list), place.micros, place.id].join("."), "latin1").toString("base64url");
}

/**
 * The place that a cursor names.
 * @throws Refusal BAD_USER_INPUT for what is not a cursor of this list
 */
export function decodeCursor(list: ListName, cursor: string): Place {
  const found =
    cursor.length <= LONGEST
      ? /^([0-9a-f]{12})\.(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
          Buffer.from(cursor, "base64url").toString("latin1"),
        )
      : null;
  if (found && found[1] === printOf(list)) return { micros: found[2] as string, id: found[3] as string };
  throw new Refusal("BAD_USER_INPUT", "The cursor is not one of this list.", {
    fields: [{ path: "after", message: "must be a cursor that this list, with this filter, has given" }],
  });
}

const LONGEST = 200;

function printOf(list: ListName): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("hex").slice(0, 12);
}
