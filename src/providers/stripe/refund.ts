import { z } from "zod";
import type { Failure, RefundSnapshot } from "../provider";
import type { ProviderRefundState } from "../provider-state";
import { moneyFromStripe } from "./currencies";
import { REFERENCE_KEY } from "./intent";

/** A refund, or why what came is none that can be believed. */
export type RefundReading =
  { kind: "refund"; snapshot: RefundSnapshot; created: Date } | { kind: "unreadable"; detail: string };

/**
 * Reads a Refund object from whatever came (docs.stripe.com/api/refunds/object).
 * @param asked when it was asked for: the snapshot is not older than that
 */
export function readRefundObject(body: unknown, asked: Date): RefundReading {
  const parsed = refundSchema.safeParse(body);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return { kind: "unreadable", detail: `no Refund: ${path.join(".") || "body"}: ${message}` };
  }
  const { id, amount, currency, status, failure_reason: reason, ...rest } = parsed.data;
  const state = STATES.get(status);
  const money = moneyFromStripe(amount, currency);
  if (state === undefined || money === null)
    return { kind: "unreadable", detail: `a Refund of ${amount} ${currency} in status ${status}` };
  const snapshot: RefundSnapshot = {
    reference: id,
    payment: rest.payment_intent,
    ours: rest.metadata?.[REFERENCE_KEY] ?? null,
    state,
    amount: money,
    failure: state === "failed" ? failureOf(reason ?? status) : null,
    asOf: asked,
  };
  return { kind: "refund", snapshot, created: new Date(rest.created * 1_000) };
}

const STATES: ReadonlyMap<string, ProviderRefundState> = new Map([
  ["pending", "pending"],
  ["requires_action", "pending"],
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

/** The money stays with the merchant; another refund, with another key, may find another way. */
function failureOf(reason: string): Failure {
  const known = /^[a-z_]{1,60}$/.test(reason) ? reason : "unknown";
  return {
    kind: "DECLINED",
    code: "other",
    message: `The refund could not be paid out: ${known}.`,
    retryAdvice: "LATER",
  };
}

const refundSchema = z.object({
  id: z.string().startsWith("re_").min(4),
  amount: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  created: z.int().nonnegative().max(8_640_000_000_000),
  status: z.string(),
  payment_intent: z.string().min(1),
  failure_reason: z.string().nullish(),
  metadata: z.looseObject({ [REFERENCE_KEY]: z.string().optional() }).nullish(),
});
