import { randomUUID } from "node:crypto";
import { unwrapResolverError } from "@apollo/server/errors";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { Log } from "../shared/log";
import { Refusal } from "../shared/refusal";

/** What GraphQL and Apollo themselves refuse. None of them has started anything. */
const REFUSED_BY_GRAPHQL = new Set([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "BAD_REQUEST",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
  "PERSISTED_QUERY_ID_REQUIRED",
]);

/** How long after a bug the same key is worth another try, in milliseconds. */
const AFTER_A_BUG_MS = 1_000;

/**
 * The one shape of errors (semantics section 6). A refusal says its code and what helps; what GraphQL refuses loses
 * every value that it quotes; everything else is a bug: logged under an id, and nothing of it leaves.
 */
export function formatError(
  log: Log,
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const { locations, path } = formatted;
  const cause = unwrapResolverError(error);
  if (cause instanceof Refusal) {
    if (cause.code === "UNAVAILABLE") log.warn({ err: cause.cause }, "unavailable");
    const extensions = { code: cause.code, retryable: cause.retryable, ...cause.details };
    return { message: cause.message, locations, path, extensions };
  }
  const { code, fields } = (formatted.extensions ?? {}) as { code?: string; fields?: unknown };
  if (code !== undefined && REFUSED_BY_GRAPHQL.has(code)) {
    const extensions = { code, retryable: false, ...(fields ? { fields } : {}) };
    return { message: withoutValues(formatted.message, code, error), locations, path, extensions };
  }
  const errorId = randomUUID();
  log.error({ err: cause, errorId }, "a bug");
  return {
    message: `Something went wrong on our side (${errorId}). Send the same key again; never a new one.`,
    locations,
    path,
    extensions: { code: "INTERNAL_SERVER_ERROR", retryable: true, retryAfterMs: AFTER_A_BUG_MS, errorId },
  };
}

/** graphql-js quotes what it refuses; a card number in the wrong place must not come back, nor reach a log. */
function withoutValues(message: string, code: string, error: unknown): string {
  if (code === "GRAPHQL_PARSE_FAILED") return message.replace(/ "[\s\S]*"/g, "");
  if (code !== "GRAPHQL_VALIDATION_FAILED" || !(error instanceof GraphQLError)) return message;
  const quotes = error.nodes?.some((node) => node.kind.endsWith("Value")) ?? false;
  if (!quotes) return message;
  const type =
    /type "([\w![\]]+)"/.exec(message)?.[1] ??
    /"(\w+)" enum|Enum "(\w+)"|^(\w+) (?:cannot|must)/.exec(message)?.slice(1).find(Boolean);
  return type === undefined ? "A value does not fit its type." : `A value does not fit the type ${type}.`;
}
