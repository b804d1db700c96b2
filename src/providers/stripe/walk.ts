import type Stripe from "stripe";
import type { Clock } from "../../shared/clock";
import type { Lookup, RefundSnapshot, Snapshot } from "../provider";
import { readPage, readRefundPage, type NoAnswer } from "./read-lookup";
import { replyOf } from "./reply-of";

/** The SDK takes 0 for "not given", which would mean its own 80 s. */
export function wholeMs(timeoutMs: number): number {
  return Math.max(1, Math.floor(timeoutMs));
}

/** What is looked for, and how long the whole walk may take. */
interface Search {
  ours: string;
  sentAfter: Date;
  timeoutMs: number;
}

/**
 * How much before the send the walk begins (seconds): `created` is Stripe's clock, `sentAfter` ours. Too much costs
 * nothing but a longer walk; too little would take a payment for absent.
 */
const CLOCK_MARGIN_S = 300;

/** Stripe's largest page. */
const PAGE_SIZE = 100;

/** Ten thousand rows. A walk that is cut off here or by the deadline proves nothing, and says so. */
const MOST_PAGES = 100;

/**
 * Walks the list of PaymentIntents, which shows what was written before it was asked for (`search` lags behind): a
 * second payment under one reference is the duplicate alarm.
 */
export function findIntents(
  intents: Stripe["paymentIntents"],
  clock: Clock,
  { ours, sentAfter, timeoutMs }: Search,
): Promise<Lookup<Snapshot[]>> {
  const asked = clock.now();
  const gte = Math.floor(sentAfter.getTime() / 1_000) - CLOCK_MARGIN_S;
  return walk(clock, timeoutMs, async (page, timeout) => {
    const params: Stripe.PaymentIntentListParams = {
      created: { gte },
      ...page,
      expand: ["data.latest_charge"],
    };
    const reading = readPage(await replyOf(intents.list(params, { timeout })), ours, asked);
    return reading.kind === "unknown" ? reading : { found: reading.ours, next: reading.next };
  });
}

/** Walks the refunds of one payment. */
export async function findRefunds(
  refunds: Stripe["refunds"],
  clock: Clock,
  { payment, timeoutMs }: { payment: string; timeoutMs: number },
): Promise<Lookup<RefundSnapshot[]>> {
  const asked = clock.now();
  return walk(clock, timeoutMs, async (page, timeout) => {
    const reply = await replyOf(refunds.list({ payment_intent: payment, ...page }, { timeout }));
    const reading = readRefundPage(reply, payment, asked);
    return reading.kind === "unknown" ? reading : { found: reading.refunds, next: reading.next };
  });
}

/** Reads one page of a list. */
type ReadPage<S> = (
  page: { limit: number; starting_after?: string },
  timeoutMs: number,
) => Promise<NoAnswer | { found: S[]; next: string | null }>;

/** Walks a list to its end, within one deadline: absence needs every page. */
async function walk<S>(clock: Clock, timeoutMs: number, readOne: ReadPage<S>): Promise<Lookup<S[]>> {
  const end = clock.monotonic() + timeoutMs;
  const found: S[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const left = end - clock.monotonic();
    if (left <= 0)
      return { kind: "unknown", cause: "timeout", detail: `no end of the list after ${page} pages` };
    const cursor: { starting_after?: string } = after === null ? {} : { starting_after: after };
    const reading: Awaited<ReturnType<ReadPage<S>>> = await readOne(
      { limit: PAGE_SIZE, ...cursor },
      wholeMs(left),
    );
    if ("kind" in reading) return reading;
    found.push(...reading.found);
    after = reading.next;
    if (after === null) return found.length > 0 ? { kind: "found", value: found } : { kind: "absent" };
  }
  return { kind: "unknown", cause: "aborted", detail: `no end of the list after ${MOST_PAGES} pages` };
}
