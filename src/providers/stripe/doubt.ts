import { z } from "zod";
import { unreachable } from "../../shared/assert";
import type { UnknownCause } from "../provider";
import type { ErrorReply, NetworkFaultKind, ObjectReply, Reply } from "./reply";
import { scrub } from "./scrub";

/** Why a reply answers nothing. */
export interface Doubt {
  cause: UnknownCause;
  /** For operators, scrubbed. */
  detail: string;
}

/** What a reply without a believable object leaves us with, where nothing more can be concluded from it. */
export function doubtOf(reply: Exclude<Reply, ObjectReply>): Doubt {
  switch (reply.kind) {
    case "error":
      return { cause: causeOfError(reply), detail: describe(reply) };
    case "network":
      return { cause: CAUSE_OF_FAULT[reply.fault], detail: scrub(reply.detail) };
    case "unreadable":
      return { cause: causeOfStatus(reply.status), detail: scrub(reply.detail) };
    case "not_sent":
      return { cause: "aborted", detail: scrub(reply.detail) };
    default:
      return unreachable(reply);
  }
}

/** The parts of Stripe's `error` object that we judge by. What is of another type says nothing. */
export interface StripeError {
  type: string;
  code: string;
  message: string;
  /** The PaymentIntent that the error is about, unread; undefined where there is none. */
  intent: unknown;
}

/** Reads Stripe's `error` object from whatever came. */
export function readError(error: unknown): StripeError {
  const parsed = errorSchema.safeParse(error).data;
  return {
    type: parsed?.type ?? "",
    code: parsed?.code ?? "",
    message: parsed?.message ?? "",
    intent: parsed?.payment_intent ?? undefined,
  };
}

const errorSchema = z.object({
  type: z.string().nullish().catch(undefined),
  code: z.string().nullish().catch(undefined),
  message: z.string().nullish().catch(undefined),
  payment_intent: z.unknown().optional(),
});

function describe({ status, error }: ErrorReply): string {
  const { type, code, message } = readError(error);
  return scrub([`status ${status}`, type, code, message].filter((part) => part !== "").join(": "));
}

function causeOfError({ status, error }: ErrorReply): UnknownCause {
  const { type, code } = readError(error);
  if (status >= 400 && status < 500) {
    if (code === "idempotency_key_in_use") return "conflict";
    if (type === "idempotency_error") return "refused_replay";
    if (code === "rate_limit") return "rate_limited";
  }
  return causeOfStatus(status);
}

function causeOfStatus(status: number): UnknownCause {
  if (status >= 500) return "server_error";
  return CAUSE_OF_STATUS.get(status) ?? "unreadable_reply";
}

const CAUSE_OF_STATUS: ReadonlyMap<number, UnknownCause> = new Map<number, UnknownCause>([
  [401, "not_authenticated"],
  [403, "not_authenticated"],
  [404, "not_found"],
  [409, "conflict"],
  [429, "rate_limited"],
]);

const CAUSE_OF_FAULT: Record<NetworkFaultKind, UnknownCause> = {
  no_connection: "connection_refused",
  timeout: "timeout",
  lost: "connection_lost",
};
