import { createHash } from "node:crypto";
import { canonicalJson, type JsonValue } from "../shared/canonical-json";
import { Refusal } from "../shared/refusal";
import type { Reader } from "./transaction";
import type { Where } from "./where";

/** One page of a list, in the list's order. */
export interface Page<T> {
  edges: { node: T; cursor: string }[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** Which page is wanted: the first rows after a place, or the last ones before one. The first 20 where nothing is said. */
export interface PageWanted {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** A list of one merchant's rows, ordered by a time and then by id, and by a part of it where the id names several rows. */
export interface OrderedList {
  /** What a cursor belongs to, beside the merchant: the list, its filter, its order. A cursor of another is refused. */
  name: readonly string[];
  table: string;
  where: Where;
  /** The column of the time. */
  time: string;
  /** The column of the id; `id` when absent. */
  id?: string;
  /** The column of the part; none when absent. */
  part?: string;
  newestFirst: boolean;
}

/** A list's page size where none is asked for. */
export const PAGE_SIZE = 20;
/** The most rows of one page. */
export const PAGE_AT_MOST = 100;

/**
 * Reads the ids of one page. The place in a cursor is exact to the microsecond, which a JavaScript Date is not.
 * @throws Refusal BAD_USER_INPUT for a cursor of another list, merchant, filter or order, and for `first` beside `last`
 */
export async function readPage(read: Reader, list: OrderedList, wanted: PageWanted): Promise<Page<string>> {
  const page = await readPlacePage(read, list, wanted);
  return { ...page, edges: page.edges.map(({ node, cursor }) => ({ node: node.id, cursor })) };
}

/** The same of a list whose rows an id alone does not name. */
export async function readPlacePage(
  read: Reader,
  list: OrderedList,
  wanted: PageWanted,
): Promise<Page<Place>> {
  if (wanted.first != null && wanted.last != null) throw misused("last", "must not be given beside first");
  const name = [...list.name, read.merchantId];
  const after = wanted.after == null ? null : decodeCursor(name, wanted.after, "after");
  const before = wanted.before == null ? null : decodeCursor(name, wanted.before, "before");
  const size = wanted.last ?? wanted.first ?? PAGE_SIZE;
  const backward = wanted.last != null;
  const found = await readPlaces(read, list, { after, before, backward, limit: size + 1 });
  const places = found.slice(0, size);
  if (backward) places.reverse();
  const more = found.length > size;
  return {
    edges: places.map((place) => ({ node: place, cursor: encodeCursor(name, place) })),
    hasNextPage: backward ? before !== null : more || before !== null,
    hasPreviousPage: backward ? more || after !== null : after !== null,
  };
}

/** The same page with rows for ids. A page and its rows are read in one transaction: none is missing. */
export function withRows<T extends { id: string }>(page: Page<string>, rows: T[]): Page<T> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { ...page, edges: page.edges.map(({ node, cursor }) => ({ node: byId.get(node) as T, cursor })) };
}

/** A filter as a part of a list's name: the same for the same filter, however it was written. */
export function filterName(filter: object): string {
  const plain = JSON.stringify(filter, (_, value: unknown) => value ?? undefined);
  return canonicalJson(JSON.parse(plain) as JsonValue);
}

/**
 * Reads the ids of one page of a merchant's events, by position.
 * @param feed `name`: what a cursor belongs to, beside the merchant; `types`: only events of these
 */
export async function readFeedPage(
  read: Reader,
  feed: { name: readonly string[]; types: readonly string[] | null },
  { first, after }: PageWanted,
): Promise<Page<string>> {
  const name = [...feed.name, read.merchantId];
  const place = after == null ? null : decodeCursor(name, after, "after");
  const size = first ?? PAGE_SIZE;
  const rows = await read.sql<Place>(
    `select f.event_id as id, f.position as micros from feed_entries as f
     ${feed.types ? "join payment_events as e on e.merchant_id = f.merchant_id and e.id = f.event_id" : ""}
     where f.merchant_id = $1 and f.position > $2 ${feed.types ? "and e.type = any($4)" : ""}
     order by f.position limit $3`,
    [read.merchantId, place?.micros ?? 0, size + 1, ...(feed.types ? [feed.types] : [])],
  );
  return {
    edges: rows.slice(0, size).map((row) => ({ node: row.id, cursor: encodeCursor(name, row) })),
    hasNextPage: rows.length > size,
    hasPreviousPage: place !== null,
  };
}

/** A list of each of several owners' rows, oldest first, such as the refunds of each of these payments. */
export interface NestedList {
  name: string;
  table: string;
  /** The column that names the owner. */
  owner: string;
  /** An expression for a whole number by which the rows are ordered, and then by id. */
  position: string;
}

/** Whole microseconds of a column of instants, as a position. */
export const microsOf = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

/**
 * Reads the ids of the same page of each owner's list, in one statement.
 * @returns by owner; an error where the cursor is not of that owner's list
 */
export async function readNestedPages(
  read: Reader,
  list: NestedList,
  owners: readonly string[],
  { first, after }: PageWanted,
): Promise<Map<string, Page<string> | Refusal>> {
  const nameOf = (owner: string) => [list.name, owner, read.merchantId];
  const starts = new Map(owners.map((owner) => [owner, startOf(nameOf(owner), after ?? null)]));
  const good = owners.filter((owner) => !(starts.get(owner) instanceof Refusal));
  const placeOf = (owner: string) => starts.get(owner) as Place | null;
  const size = first ?? PAGE_SIZE;
  const rows = await read.sql<Place & { owner: string }>(
    `select w.owner, r.id, r.micros
     from unnest($2::uuid[], $3::bigint[], $4::uuid[]) as w (owner, after_position, after_id)
     cross join lateral (
       select id, ${list.position} as micros from ${list.table}
       where merchant_id = $1 and ${list.owner} = w.owner
         and (w.after_id is null or (${list.position}, id) > (w.after_position, w.after_id))
       order by ${list.position}, id limit $5) as r`,
    [
      read.merchantId,
      good,
      good.map((owner) => placeOf(owner)?.micros ?? null),
      good.map((owner) => placeOf(owner)?.id ?? null),
      size + 1,
    ],
  );
  return new Map<string, Page<string> | Refusal>(
    owners.map((owner) => {
      const start = starts.get(owner);
      if (start instanceof Refusal) return [owner, start];
      const found = rows.filter((row) => row.owner === owner);
      const edges = found.slice(0, size).map((place) => {
        return { node: place.id, cursor: encodeCursor(nameOf(owner), place) };
      });
      return [owner, { edges, hasNextPage: found.length > size, hasPreviousPage: start !== null }];
    }),
  );
}

function startOf(name: readonly string[], after: string | null): Place | Refusal | null {
  try {
    return after === null ? null : decodeCursor(name, after, "after");
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** A place in a list. */
export interface Place {
  /** Microseconds since 1970, or another whole number by which a list is ordered. */
  micros: string;
  id: string;
  /** Which row of this id, where it names several. */
  part?: string;
}

interface Stretch {
  after: Place | null;
  before: Place | null;
  /** Read from the end: the last rows come first. */
  backward: boolean;
  limit: number;
}

async function readPlaces(read: Reader, list: OrderedList, stretch: Stretch): Promise<Place[]> {
  const { where, time, id = "id", part, newestFirst } = list;
  const values = [...where.values];
  const columns = part === undefined ? [time, id] : [time, id, part];
  const beyond = (place: Place, sign: string) => {
    const bound = [instantOf(`$${values.push(place.micros)}`), `$${values.push(place.id)}::uuid`];
    if (part !== undefined) bound.push(`$${values.push(place.part ?? "")}::text`);
    return ` and (${columns.join(", ")}) ${sign} (${bound.join(", ")})`;
  };
  const later = stretch.after ? beyond(stretch.after, newestFirst ? "<" : ">") : "";
  const earlier = stretch.before ? beyond(stretch.before, newestFirst ? ">" : "<") : "";
  const direction = newestFirst === stretch.backward ? "asc" : "desc";
  return read.sql<Place>(
    `select ${id} as id, ${microsOf(time)} as micros${part === undefined ? "" : `, ${part} as part`} from ${list.table}
     where ${where.text}${later}${earlier}
     order by ${columns.map((column) => `${column} ${direction}`).join(", ")} limit $${values.push(stretch.limit)}`,
    values,
  );
}

/** Whole microseconds as an instant, without passing through a float. */
const instantOf = (parameter: string) =>
  `timestamptz 'epoch' + (${parameter}::bigint / 1000000) * interval '1 s' + (${parameter}::bigint % 1000000) * interval '1 us'`;

function encodeCursor(name: readonly string[], place: Place): string {
  const { micros, id, part } = place;
  const text = [printOf(name), micros, id, ...(part === undefined ? [] : [part])].join(".");
  return Buffer.from(text, "utf8").toString("base64url");
}

const CURSOR =
  /^([0-9a-f]{12})\.(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\P{Cc}{1,40}))?$/u;
const LONGEST = 400;

function decodeCursor(name: readonly string[], cursor: string, path: string): Place {
  const text = cursor.length <= LONGEST ? Buffer.from(cursor, "base64url").toString("utf8") : "";
  const found = CURSOR.exec(text);
  if (found && found[1] === printOf(name))
    return { micros: found[2] as string, id: found[3] as string, part: found[4] };
  throw misused(path, "must be a cursor that this list, with this filter and order, has given");
}

function misused(path: string, message: string): Refusal<"BAD_USER_INPUT"> {
  return new Refusal("BAD_USER_INPUT", `The input breaks a rule: ${path} ${message}.`, {
    fields: [{ path, message }],
  });
}

function printOf(name: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(name)).digest("hex").slice(0, 12);
}
