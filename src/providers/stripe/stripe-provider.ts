import Stripe from "stripe";
import type { Clock } from "../../shared/clock";
import type { Money } from "../../shared/money";
import { CAPABILITIES } from "../capabilities";
import type { CallOptions, Capabilities, CaptureRequest, Provider } from "../provider";
import { stripeAmount } from "./currencies";
import { readDispute } from "./dispute";
import { createHttpClient } from "./http-client";
import { createParams } from "./create-params";
import { CAPTURE_KEY, REFERENCE_KEY } from "./intent";
import { readCancel, readCapture, readRefund } from "./read-change";
import { readRetrieved } from "./read-lookup";
import { readOutcome } from "./read-outcome";
import { readWebhook } from "./read-webhook";
import type { Reply } from "./reply";
import { replyOf } from "./reply-of";
import { findIntents, findRefunds, wholeMs } from "./walk";

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

/** Makes the connector for cards, Pix and boleto over Stripe's API. Its methods never reject for what Stripe or a network does. */
export function createStripeProvider({ name, secretKey, url, capabilities, clock }: StripeOptions): Provider {
  const { paymentIntents, refunds, disputes } = createClient(secretKey, clock, url);
  return {
    name,
    capabilities: { ...CAPABILITIES[name], ...capabilities },
    async authorize(request, call) {
      const asked = clock.now();
      const reply = await sending(request.amount, (amount) =>
        paymentIntents.create(createParams(request, amount), keyed(request, call)),
      );
      return readOutcome(reply, request, { first: call.first, asked });
    },
    async capture(request, call) {
      const asked = clock.now();
      const reply = await sending(request.amount, (amount) =>
        paymentIntents.capture(request.payment, captureParams(request, amount), keyed(request, call)),
      );
      return readCapture(reply, request, { first: call.first, asked });
    },
    async cancel(request, call) {
      const asked = clock.now();
      const reason = request.abandoned ? { cancellation_reason: "abandoned" as const } : {};
      const params = { ...reason, expand: ["latest_charge"] };
      const reply = await replyOf(paymentIntents.cancel(request.payment, params, keyed(request, call)));
      return readCancel(reply, request, { first: call.first, asked });
    },
    async refund(request, call) {
      const asked = clock.now();
      const metadata = { [REFERENCE_KEY]: request.reference };
      const reply = await sending(request.amount, (amount) =>
        refunds.create({ payment_intent: request.payment, amount, metadata }, keyed(request, call)),
      );
      return readRefund(reply, request, { first: call.first, asked });
    },
    async retrieve(reference, timeoutMs) {
      const asked = clock.now();
      const options = { timeout: wholeMs(timeoutMs) };
      const reply = await replyOf(paymentIntents.retrieve(reference, { expand: ["latest_charge"] }, options));
      return readRetrieved(reply, reference, asked);
    },
    findByReference: (ours, sentAfter, timeoutMs) =>
      findIntents(paymentIntents, clock, { ours, sentAfter, timeoutMs }),
    findRefunds: (payment, timeoutMs) => findRefunds(refunds, clock, { payment, timeoutMs }),
    async retrieveDispute(reference, timeoutMs) {
      const asked = clock.now();
      const reply = await replyOf(disputes.retrieve(reference, {}, { timeout: wholeMs(timeoutMs) }));
      return readDispute(reply, reference, asked);
    },
    livemode: /^[rs]k_live_/.test(secretKey),
    readWebhook,
  };
}

/** Sends an amount as Stripe counts it; where Stripe cannot, nothing is sent. */
async function sending(
  money: Money,
  send: (amount: number) => Promise<Stripe.Response<object>>,
): Promise<Reply> {
  const amount = stripeAmount(money);
  return amount.ok ? replyOf(send(amount.amount)) : { kind: "not_sent", detail: amount.message };
}

/** Under our reference, and within our deadline. */
function keyed({ reference }: { reference: string }, { timeoutMs }: CallOptions): Stripe.RequestOptions {
  return { idempotencyKey: reference, timeout: wholeMs(timeoutMs) };
}

function createClient(secretKey: string, clock: Clock, url = "https://api.stripe.com"): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === "https:";
  return new Stripe(secretKey, {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port || (secure ? 443 : 80),
    protocol: secure ? "https" : "http",
    httpClient: createHttpClient(secure, clock),
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** A capture is no object of its own at Stripe: the intent carries which of ours was the latest. */
function captureParams(request: CaptureRequest, amount: number): Stripe.PaymentIntentCaptureParams {
  return {
    amount_to_capture: amount,
    // Only where multicapture is needed: an account without it refuses the parameter.
    ...(request.final ? {} : { final_capture: false }),
    metadata: { [CAPTURE_KEY]: request.reference },
    expand: ["latest_charge"],
  };
}
