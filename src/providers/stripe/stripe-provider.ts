import Stripe from "stripe";
import type { Clock } from "../../shared/clock";
import { CAPABILITIES } from "../capabilities";
import type { AuthorizeRequest, Capabilities, Lookup, Provider, Snapshot } from "../provider";
import { stripeAmount } from "./currencies";
import { createHttpClient, NetworkFault, UnreadableBody } from "./http-client";
import { REFERENCE_KEY } from "./intent";
import { readPage, readRetrieved } from "./read-lookup";
import { readOutcome } from "./read-outcome";
import type { Reply } from "./reply";

/** What a connector to one account at Stripe, or at the sandbox that speaks as Stripe does, is made of. */
export interface StripeOptions {
  name: "sandbox" | "stripe";
  secretKey: string;
  /** Where the API is, without a path; Stripe's own address when absent. */
  url?: string;
  /** What differs from the provider's usual facts. */
  capabilities?: Partial<Capabilities>;
  clock: Clock;
}

/** Makes the connector for card payments over Stripe's API. Its methods never reject for what Stripe or a network does. */
export function createStripeProvider({ name, secretKey, url, capabilities, clock }: StripeOptions): Provider {
  const { paymentIntents } = createClient(secretKey, url);
  return {
    name,
    capabilities: { ...CAPABILITIES[name], ...capabilities },
    async authorize(request, { first, timeoutMs }) {
      const asked = clock.now();
      const amount = stripeAmount(request.amount);
      const reply: Reply = amount.ok
        ? await replyOf(
            paymentIntents.create(createParams(request, amount.amount), {
              idempotencyKey: request.reference,
              timeout: wholeMs(timeoutMs),
            }),
          )
        : { kind: "not_sent", detail: amount.message };
      return readOutcome(reply, request, { first, asked });
    },
    async retrieve(reference, timeoutMs) {
      const asked = clock.now();
      const options = { timeout: wholeMs(timeoutMs) };
      const reply = await replyOf(paymentIntents.retrieve(reference, { expand: ["latest_charge"] }, options));
      return readRetrieved(reply, reference, asked);
    },
    findByReference: (ours, sentAfter, timeoutMs) =>
      walk(paymentIntents, clock, { ours, sentAfter, timeoutMs }),
  };
}

function createClient(secretKey: string, url = "https://api.stripe.com"): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === "https:";
  return new Stripe(secretKey, {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port || (secure ? 443 : 80),
    protocol: secure ? "https" : "http",
    httpClient: createHttpClient(secure),
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** The SDK takes 0 for "not given", which would mean its own 80 s. */
function wholeMs(timeoutMs: number): number {
  return Math.max(1, Math.floor(timeoutMs));
}

/** The charge comes with the intent: it alone knows the card and what was refunded. */
function createParams(request: AuthorizeRequest, amount: number): Stripe.PaymentIntentCreateParams {
  return {
    amount,
    currency: request.amount.currency.toLowerCase(),
    confirm: true,
    capture_method: request.captureMode === "MANUAL" ? "manual" : "automatic",
    payment_method: request.cardToken,
    allowed_payment_method_types: ["card"],
    ...(request.description === null ? {} : { description: request.description }),
    metadata: { [REFERENCE_KEY]: request.reference },
    expand: ["latest_charge"],
  };
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

/** Ten thousand payments. A walk that is cut off here or by the deadline proves nothing, and says so. */
const MOST_PAGES = 100;

/**
 * Walks the list of PaymentIntents, which shows what was written before it was asked for (`search` lags behind), to
 * its end: a second payment under one reference is the duplicate alarm, and absence needs every page.
 */
async function walk(
  intents: Stripe["paymentIntents"],
  clock: Clock,
  search: Search,
): Promise<Lookup<Snapshot[]>> {
  const asked = clock.now();
  const end = clock.monotonic() + search.timeoutMs;
  const gte = Math.floor(search.sentAfter.getTime() / 1_000) - CLOCK_MARGIN_S;
  const found: Snapshot[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const left = end - clock.monotonic();
    if (left <= 0)
      return { kind: "unknown", cause: "timeout", detail: `no end of the list after ${page} pages` };
    const params: Stripe.PaymentIntentListParams = {
      created: { gte },
      limit: PAGE_SIZE,
      ...(after === null ? {} : { starting_after: after }),
      expand: ["data.latest_charge"],
    };
    const reading = readPage(
      await replyOf(intents.list(params, { timeout: wholeMs(left) })),
      search.ours,
      asked,
    );
    if (reading.kind === "unknown") return reading;
    found.push(...reading.ours);
    after = reading.next;
    if (after === null) return found.length > 0 ? { kind: "found", value: found } : { kind: "absent" };
  }
  return { kind: "unknown", cause: "aborted", detail: `no end of the list after ${MOST_PAGES} pages` };
}

/** Turns what the SDK resolves or rejects with into plain data, without believing its types. */
async function replyOf(call: Promise<Stripe.Response<object>>): Promise<Reply> {
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
