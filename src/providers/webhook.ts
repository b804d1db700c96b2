/** What an event is about. The body is a hint: what is applied is what the provider then shows. */
export type WebhookSubject =
  | { kind: "payment"; reference: string }
  /** `reference` is null where the event tells of several refunds of the payment. */
  | { kind: "refund"; reference: string | null; payment: string }
  | { kind: "dispute"; reference: string; payment: string }
  | { kind: "none" };

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
