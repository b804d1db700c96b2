import type { ProviderPaymentState, ProviderRefundState } from "./provider-state";

/**
 * What an event is about. The body is a hint: what is applied is what the provider then shows. `shown` is what the event
 * itself shows, and can say one thing only: that there is nothing to ask for. Null where it could not be read.
 */
export type WebhookSubject =
  | { kind: "payment"; reference: string; shown: ShownPayment | null }
  /** `reference` is null where the event tells of several refunds of the payment. */
  | { kind: "refund"; reference: string | null; payment: string; shown: ShownRefund | null }
  | { kind: "dispute"; reference: string; payment: string }
  | { kind: "none" };

/** A payment as an event shows it. Amounts are minor units, in text: it is stored as JSON. */
export interface ShownPayment {
  state: ProviderPaymentState;
  currency: string;
  amount: string;
  authorized: string;
  captured: string;
}

/** A refund as an event shows it. The amount is minor units, in text. */
export interface ShownRefund {
  state: ProviderRefundState;
  currency: string;
  amount: string;
}

/** What came: an event of the provider's, or nothing that may be believed. */
export type WebhookReading =
  | { kind: "event"; eventId: string; type: string; livemode: boolean; subject: WebhookSubject }
  | { kind: "refused"; reason: string };

/** The headers of a request, as Node has them. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads a webhook: pure, and total over whatever may be sent to an open address.
 * @param raw the body as it came, byte for byte
 * @param secret what the provider signs with
 */
export type ReadWebhook = (raw: Buffer, headers: WebhookHeaders, secret: string, now: Date) => WebhookReading;
