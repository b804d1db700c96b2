import { z } from "zod";
import type { Lookup, RefundSnapshot, Snapshot } from "../provider";
import { doubtOf, readError } from "./doubt";
import { readIntent, REFERENCE_KEY } from "./intent";
import type { Reply } from "./reply";
import { readRefundObject } from "./refund";
import { scrub } from "./scrub";

/** A question that was not answered. */
export type NoAnswer = Extract<Lookup<never>, { kind: "unknown" }>;

/** One page of a walk over PaymentIntents. */
export type PageReading = NoAnswer | { kind: "page"; ours: Snapshot[]; next: string | null };

/**
 * Reads the answer to "what is this PaymentIntent?". It is absent only where Stripe itself says so: another 404 is one
 * of a proxy, or of a wrong address.
 */
export function readRetrieved(reply: Reply, reference: string, asked: Date): Lookup<Snapshot> {
  if (reply.kind !== "object") return saysMissing(reply) ? { kind: "absent" } : noAnswer(reply);
  const reading = readIntent(reply.body, asked);
  if (reading.kind === "unreadable") return unreadable(reading.detail);
  if (reading.snapshot.reference !== reference) return unreadable("another PaymentIntent came");
  return { kind: "found", value: reading.snapshot };
}

/**
 * Reads one page of a list. One intent of ours that cannot be read spoils the page: it must not pass for absent.
 * @param ours the reference that is looked for
 */
export function readPage(reply: Reply, ours: string, asked: Date): PageReading {
  if (reply.kind !== "object") return noAnswer(reply);
  const page = pageSchema.safeParse(reply.body).data;
  if (!page) return unreadable("no list of PaymentIntents");
  const found: Snapshot[] = [];
  for (const item of page.data) {
    if (item.metadata?.[REFERENCE_KEY] !== ours) continue;
    const reading = readIntent(item, asked);
    if (reading.kind === "unreadable") return unreadable(reading.detail);
    found.push(reading.snapshot);
  }
  const last = page.data.at(-1)?.id ?? null;
  if (page.has_more && last === null) return unreadable("an empty page that says that there is more");
  return { kind: "page", ours: found, next: page.has_more ? last : null };
}

/** Reads a page of one payment's refunds. One that cannot be read spoils the page: it must not pass for absent. */
export function readRefundPage(
  reply: Reply,
  payment: string,
  asked: Date,
): NoAnswer | { kind: "page"; refunds: RefundSnapshot[]; next: string | null } {
  if (reply.kind !== "object") return noAnswer(reply);
  const page = pageSchema.safeParse(reply.body).data;
  if (!page) return unreadable("no list of Refunds");
  const refunds: RefundSnapshot[] = [];
  for (const item of page.data) {
    const reading = readRefundObject(item, asked);
    if (reading.kind === "unreadable") return unreadable(reading.detail);
    if (reading.snapshot.payment !== payment) return unreadable("a refund of another payment came");
    refunds.push(reading.snapshot);
  }
  const last = page.data.at(-1)?.id ?? null;
  if (page.has_more && last === null) return unreadable("an empty page that says that there is more");
  return { kind: "page", refunds, next: page.has_more ? last : null };
}

const pageSchema = z.object({
  has_more: z.boolean(),
  data: z.array(
    z.looseObject({ id: z.string().min(1), metadata: z.record(z.string(), z.unknown()).nullish() }),
  ),
});

/** True where Stripe itself says that it has no such object. */
export function saysMissing(reply: Reply): boolean {
  return reply.kind === "error" && reply.status === 404 && readError(reply.error).code === "resource_missing";
}

/** What came instead of an answer. */
export function noAnswer(reply: Exclude<Reply, { kind: "object" }>): NoAnswer {
  return { kind: "unknown", ...doubtOf(reply) };
}

/** An answer that is none that can be believed. */
export function unreadable(detail: string): NoAnswer {
  return { kind: "unknown", cause: "unreadable_reply", detail: scrub(detail) };
}
