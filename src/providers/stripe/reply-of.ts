import Stripe from "stripe";
import { NetworkFault, UnreadableBody } from "./http-client";
import type { Reply } from "./reply";

/** Turns what the SDK resolves or rejects with into plain data, without believing its types. */
export async function replyOf(call: Promise<Stripe.Response<object>>): Promise<Reply> {
  try {
    const body = await call;
    const { statusCode, headers } = body.lastResponse;
    // The SDK resolves with any object that has no `error` in it, whatever the status.
    return statusCode >= 200 && statusCode < 300
      ? { kind: "object", body, replayed: isReplay(headers) }
      : { kind: "unreadable", status: statusCode, detail: `status ${statusCode} without an error` };
  } catch (error) {
    return replyOfError(error);
  }
}

function replyOfError(error: unknown): Reply {
  const { detail, raw, statusCode, headers } = error as Partial<Rejection>;
  if (detail instanceof NetworkFault) return { kind: "network", fault: detail.kind, detail: detail.detail };
  if (error instanceof Stripe.errors.StripeConnectionError)
    return { kind: "network", fault: "lost", detail: String(detail) };
  if (raw?.exception instanceof UnreadableBody)
    return { kind: "unreadable", status: raw.exception.status, detail: raw.exception.message };
  if (statusCode !== undefined)
    return { kind: "error", status: statusCode, error: raw, replayed: isReplay(headers) };
  // An `error` that is no object: the SDK trips over it, and the status is lost.
  return { kind: "unreadable", status: 0, detail: String(error) };
}

/** What the SDK's errors carry in fact. */
interface Rejection {
  detail: unknown;
  raw: { exception?: unknown };
  statusCode: number;
  headers: Record<string, string>;
}

/** Stripe marks a reply that it has stored under the key. */
function isReplay(headers: Record<string, string> | undefined): boolean {
  return headers?.["idempotent-replayed"] === "true";
}
