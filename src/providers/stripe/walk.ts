import type Stripe from "stripe";
import type { Clock } from "../../shared/clock";
import type { Lookup, RefundSnapshot, Snapshot } from "../provider";
import { REFERENCE_KEY } from "./intent";
import { readPage, readRefundPage, type NoAnswer } from "./read-lookup";
import type { Reply } from "./reply";
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

/** How far `search` may lag behind (seconds): an hour in an outage (docs.stripe.com/api/payment_intents/search). */
const SEARCH_LAG_S = 3_600;

/** Stripe's largest page. */
const PAGE_SIZE = 100;

/** Ten thousand rows. A walk that is cut off here or by the deadline proves nothing, and says so. */
const MOST_PAGES = 100;

/**
 * Finds our PaymentIntents: a second one under one reference is the duplicate alarm. The list from the send on comes
 * first, because it shows what was written before it was asked for (`search` lags behind). Where it has nothing, the
 * payment may be older than the send that we know of: a key that a restored backup has forgotten is sent again under
 * its first reference, and Stripe replays the first charge. So nothing is absent that has not been searched for, nor
 * before the hour in which a search may miss it has been walked.
 */
export async function findIntents(
  intents: Stripe["paymentIntents"],
  clock: Clock,
  { ours, sentAfter, timeoutMs }: Search,
): Promise<Lookup<Snapshot[]>> {
  const asked = clock.now();
  const end = clock.monotonic() + timeoutMs;
  const read = (reply: Reply): PageRead<Snapshot> => {
    const reading = readPage(reply, ours, asked);
    return reading.kind === "unknown" ? reading : { found: reading.ours, next: reading.next };
  };
  const list = (created: Stripe.RangeQueryParam) =>
    walk(clock, end, async (page, timeout) =>
      read(await replyOf(intents.list({ created, ...page, expand: EXPAND }, { timeout }))),
    );
  const since = Math.floor(sentAfter.getTime() / 1_000) - CLOCK_MARGIN_S;
  const ofTheSend = await list({ gte: since });
  if (ofTheSend.kind !== "absent") return ofTheSend;
  const query = `metadata['${REFERENCE_KEY}']:'${ours}'`;
  const searched = await walk(clock, end, async ({ limit }, timeout) => {
    const reading = read(await replyOf(intents.search({ query, limit, expand: EXPAND }, { timeout })));
    // What does not fit on one page is alarm enough.
    return "kind" in reading ? reading : { ...reading, next: null };
  });
  if (searched.kind !== "absent") return searched;
  return list({ gte: since - SEARCH_LAG_S, lt: since });
}

const EXPAND = ["data.latest_charge"];

/** Walks the refunds of one payment. */
export async function findRefunds(
  refunds: Stripe["refunds"],
  clock: Clock,
  { payment, timeoutMs }: { payment: string; timeoutMs: number },
): Promise<Lookup<RefundSnapshot[]>> {
  const asked = clock.now();
  return walk(clock, clock.monotonic() + timeoutMs, async (page, timeout) => {
    const reply = await replyOf(refunds.list({ payment_intent: payment, ...page }, { timeout }));
    const reading = readRefundPage(reply, payment, asked);
    return reading.kind === "unknown" ? reading : { found: reading.refunds, next: reading.next };
  });
}

/** What one page of a list had. */
type PageRead<S> = NoAnswer | { found: S[]; next: string | null };

/** Reads one page of a list. */
type ReadPage<S> = (
  page: { limit: number; starting_after?: string },
  timeoutMs: number,
) => Promise<PageRead<S>>;

/** Walks a list to its end, until the clock reaches `end`: absence needs every page. */
async function walk<S>(clock: Clock, end: number, readOne: ReadPage<S>): Promise<Lookup<S[]>> {
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
