import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ReadWebhook, ShownPayment, ShownRefund, WebhookReading, WebhookSubject } from "../webhook";
import { readIntent } from "./intent";
import { readRefundObject } from "./refund";

/** How far the signature's time may be from ours, before and after: a captured webhook is of no use for longer. */
const TOLERANCE_S = 300;

/**
 * Reads a webhook of Stripe's (docs.stripe.com/webhooks#verify-manually). Unlike the SDK it refuses times that are in
 * the future. Several `v1` signatures are of a secret that is being rolled: one that fits is enough.
 */
export const readWebhook: ReadWebhook = (raw, headers, secret, now) => {
  const header = headers["stripe-signature"];
  if (typeof header !== "string") return refused("no signature");
  const { at, signatures } = partsOf(header);
  if (at === null) return refused("a signature without its time");
  if (Math.abs(now.getTime() / 1_000 - Number(at)) > TOLERANCE_S) return refused("a time that is not now");
  const expected = createHmac("sha256", secret).update(`${at}.`).update(raw).digest();
  if (!signatures.some((one) => timingSafeEqual(one, expected)))
    return refused("a signature that does not fit");
  return readEvent(raw, now);
};

/** SHA-256 in hexadecimal: what has another form is no signature, so that only equal lengths are compared. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

function partsOf(header: string): { at: string | null; signatures: Buffer[] } {
  const parts = header.split(",").map((part) => part.trim());
  const of = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [at = "", ...more] = of("t");
  const signatures = of("v1").filter((text) => SIGNATURE.test(text));
  // Two times are two headers: which of them was signed is not for the sender to choose.
  return {
    at: more.length === 0 && /^\d{1,12}$/.test(at) ? at : null,
    signatures: signatures.map((text) => Buffer.from(text, "hex")),
  };
}

function readEvent(raw: Buffer, now: Date): WebhookReading {
  const parsed = eventSchema.safeParse(parse(raw));
  if (!parsed.success) return refused("no event");
  const { id, type, livemode, data } = parsed.data;
  return { kind: "event", eventId: id, type, livemode, subject: subjectOf(data.object, now) };
}

/** By what the event shows, not by its type: there are more types than we know. */
function subjectOf(shown: unknown, now: Date): WebhookSubject {
  const { data } = subjectSchema.safeParse(shown);
  switch (data?.object) {
    case "payment_intent":
      return { kind: "payment", reference: data.id, shown: shownPayment(shown, now) };
    case "refund":
      return {
        kind: "refund",
        reference: data.id,
        payment: data.payment_intent,
        shown: shownRefund(shown, now),
      };
    case "charge":
      return { kind: "refund", reference: null, payment: data.payment_intent, shown: null };
    case "dispute":
      return { kind: "dispute", reference: data.id, payment: data.payment_intent };
    default:
      return { kind: "none" };
  }
}

function shownPayment(shown: unknown, now: Date): ShownPayment | null {
  const reading = readIntent(shown, now);
  if (reading.kind === "unreadable") return null;
  const { state, amount, authorized, captured } = reading.snapshot;
  return {
    state,
    currency: amount.currency,
    amount: String(amount.minor),
    authorized: String(authorized.minor),
    captured: String(captured.minor),
  };
}

function shownRefund(shown: unknown, now: Date): ShownRefund | null {
  const reading = readRefundObject(shown, now);
  if (reading.kind === "unreadable") return null;
  const { state, amount } = reading.snapshot;
  return { state, currency: amount.currency, amount: String(amount.minor) };
}

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z_]{1,200}$`));

const subjectSchema = z.discriminatedUnion("object", [
  z.object({ object: z.literal("payment_intent"), id: id("pi") }),
  z.object({ object: z.literal("refund"), id: z.string().min(4).max(255), payment_intent: id("pi") }),
  z.object({ object: z.literal("charge"), payment_intent: id("pi") }),
  z.object({ object: z.literal("dispute"), id: id("(dp|du)"), payment_intent: id("pi") }),
]);

const eventSchema = z.object({
  id: z.string().regex(/^evt_[0-9A-Za-z_]{1,200}$/),
  object: z.literal("event"),
  type: z.string().min(1).max(200),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    return null;
  }
}

function refused(reason: string): WebhookReading {
  return { kind: "refused", reason };
}
