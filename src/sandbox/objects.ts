import { textOf, type Form } from "./form";
import { errorAnswer, invalid, type Answer } from "./wire";

/** What belongs to one account. */
interface Owned {
  id: string;
  account: string;
}

/** A page of a list, newest first, as Stripe shows one. `all` is in the order of making. */
export function listAnswer<T extends Owned>(
  { url, kind }: { url: string; kind: string },
  all: T[],
  query: Form,
  show: (one: T) => object,
): Answer {
  const newest = [...all].reverse();
  const after = textOf(query, "starting_after");
  const from = after === undefined ? 0 : newest.findIndex((one) => one.id === after) + 1;
  // From the beginning again would be a walk without an end.
  if (after !== undefined && from === 0)
    return invalid("starting_after", `No such ${kind}: '${after}'`, "resource_missing");
  const limit = Math.min(100, Number(textOf(query, "limit") ?? 10));
  const data = newest.slice(from, from + limit).map(show);
  return { status: 200, body: { object: "list", url, data, has_more: newest.length > from + limit } };
}

/** One object, where it is of the account; else Stripe's 404. */
export function oneAnswer<T extends Owned>(
  found: T | undefined,
  { kind, id, account }: { kind: string; id: string; account: string },
  show: (one: T) => object,
): Answer {
  if (found?.account === account) return { status: 200, body: show(found) };
  const message = `No such ${kind}: '${id}'`;
  return errorAnswer(404, { type: "invalid_request_error", code: "resource_missing", message });
}
