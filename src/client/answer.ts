import type { Kind } from "./attempt.ts";
import { memberOf } from "./content.ts";

/** An error as the gateway sends it. */
export interface GatewayError {
  message: string;
  path?: readonly (string | number)[];
  extensions: { code: string; retryable: boolean; retryAfterMs?: number; [more: string]: unknown };
}

/** What one reply says of the operation that a key names. */
export type Answer =
  | { says: "ended"; state: "succeeded" | "failed" }
  /** It exists, and goes on; or has stopped for an operator (`isParked`). */
  | { says: "running"; isParked: boolean }
  /** This call has started nothing. */
  | { says: "refused"; errors: GatewayError[]; retryAfterMs: number }
  /** The gateway has never seen the key. */
  | { says: "absent" }
  /** Nothing: no answer, a foreign one, or an error after which an operation may exist. */
  | { says: "nothing"; retryAfterMs: number };

/** After these an operation may exist (docs/semantics.md section 6). */
const AMBIGUOUS = ["UNAVAILABLE", "INTERNAL_SERVER_ERROR"];

/** A create whose payment stands so has taken no money: to try again is a new intent. */
const ENDED_WITHOUT_MONEY = ["FAILED", "CANCELED", "EXPIRED"];

/**
 * Reads what a GraphQL client returned or threw: a plain `{ data, errors }`, graphql-request's bare data, urql's and Apollo's
 * results and errors. What it does not understand says nothing, so that the key is kept.
 * @throws TypeError where the mutation does not select `operation { state }`, without which nothing can be known
 */
export function readAnswer(kind: Kind, reply: unknown): Answer {
  const places = [reply, memberOf(reply, "error"), memberOf(reply, "response")];
  const isWrapped = typeof reply === "object" && reply !== null && WRAPPED.some((name) => name in reply);
  const bare = isWrapped || reply instanceof Error ? null : reply;
  for (const data of [...places.map((place) => memberOf(place, "data")), bare]) {
    const found = readData(kind, data);
    if (found) return found;
  }
  const errors = places
    .map((place) => memberOf(place, "errors") ?? memberOf(place, "graphQLErrors"))
    .filter((list): list is GatewayError[] => Array.isArray(list) && list.length > 0)
    .flat();
  const retryAfterMs = Math.max(0, ...errors.map((error) => Number(error.extensions?.retryAfterMs) || 0));
  return errors.length > 0 && errors.every(isRefusal)
    ? { says: "refused", errors, retryAfterMs }
    : { says: "nothing", retryAfterMs };
}

/** Members of a client's result, beside which others (urql's `operation`) are the client's own. */
const WRAPPED = ["data", "error", "errors"];

/**
 * Every error of the gateway says whether it is retryable; those of a proxy or a router before it do not. One that stands
 * deeper than the mutation itself is of what was read after it.
 */
function isRefusal({ extensions, path = [] }: GatewayError): boolean {
  const isOurs = typeof extensions?.retryable === "boolean" && !AMBIGUOUS.includes(String(extensions.code));
  return isOurs && path !== null && path.length <= 1;
}

function readData(kind: Kind, data: unknown): Answer | null {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return null;
  // The query `operation(by: …)`.
  if ("operation" in data) return data.operation === null ? { says: "absent" } : readOperation(kind, data);
  for (const payload of Object.values(data)) {
    if (typeof payload !== "object" || payload === null || Array.isArray(payload)) continue;
    if ("operation" in payload) return readOperation(kind, payload);
    if ("payment" in payload || "replayed" in payload)
      throw new TypeError(
        "umavez: select `operation { state }` in the mutation: nothing is known without it",
      );
  }
  return null;
}

function readOperation(kind: Kind, payload: object): Answer {
  const operation = memberOf(payload, "operation");
  const state = memberOf(operation, "state");
  if (typeof state !== "string")
    throw new TypeError("umavez: select `state` of the operation: nothing is known without it");
  if (state === "FAILED") return { says: "ended", state: "failed" };
  if (state !== "SUCCEEDED") return { says: "running", isParked: state === "PARKED" };
  const payment = memberOf(payload, "payment") ?? memberOf(operation, "payment");
  const isOver = kind === "create" && ENDED_WITHOUT_MONEY.includes(String(memberOf(payment, "status")));
  return { says: "ended", state: isOver ? "failed" : "succeeded" };
}
