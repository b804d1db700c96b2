import { z } from "zod";
import type { CardDetails, Snapshot } from "../provider";
import type { ProviderPaymentState } from "../provider-state";
import type { Money } from "../../shared/money";
import { moneyFromStripe } from "./currencies";
import { readDecline, type Refused } from "./declines";
import { readNextAction } from "./next-action";

/** The key of a PaymentIntent's metadata that carries our reference. */
export const REFERENCE_KEY = "umavez_reference";
/** The key that carries our reference of the latest capture: a capture is no object of its own at Stripe. */
export const CAPTURE_KEY = "umavez_capture";

/** A PaymentIntent, with how its card was refused where that is how it stands; or why what came is none that can be believed. */
export type IntentReading =
  | { kind: "intent"; snapshot: Snapshot; refused: Refused | null; created: Date }
  | { kind: "unreadable"; detail: string };

/**
 * Reads a PaymentIntent from whatever came.
 * @param asked when it was asked for: the snapshot is not older than that
 */
export function readIntent(body: unknown, asked: Date): IntentReading {
  const parsed = intentSchema.safeParse(body);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return unreadable(`no PaymentIntent: ${path.join(".") || "body"}: ${message}`);
  }
  const intent = parsed.data;
  const state = stateOf(intent);
  if (state === undefined) return unreadable(`a PaymentIntent in status ${intent.status}`);
  const charge = chargeSchema.safeParse(intent.latest_charge).data;
  const received = intent.amount_received;
  const held = state === "authorized" ? (intent.amount_capturable ?? intent.amount - received) : 0;
  const amounts = [intent.amount, received + held, received, charge?.amount_refunded ?? 0].map((one) =>
    moneyFromStripe(one, intent.currency),
  );
  if (!amounts.every((money) => money !== null))
    return unreadable(`${intent.amount} ${intent.currency} is no whole number of minor units`);
  const [amount, authorized, captured, refunded] = amounts as [Money, Money, Money, Money];
  const refused = state === "failed" ? readDecline(intent.last_payment_error) : null;
  const waits = state === "requires_action" ? readNextAction(intent.next_action) : null;
  const snapshot: Snapshot = {
    reference: intent.id,
    ours: intent.metadata?.[REFERENCE_KEY] ?? null,
    state,
    amount,
    authorized,
    captured,
    refunded,
    capturedBy: intent.metadata?.[CAPTURE_KEY] ?? null,
    card: cardOf(charge),
    code: waits?.code ?? null,
    nextAction: waits?.nextAction ?? null,
    failure: refused?.failure ?? null,
    asOf: asked,
  };
  return { kind: "intent", snapshot, refused, created: new Date(intent.created * 1_000) };
}

/**
 * Stripe's statuses in our words. `requires_confirmation` is not among them: we confirm in the call that creates, so an
 * intent that waits for it is none that we understand.
 */
const STATES: ReadonlyMap<string, ProviderPaymentState> = new Map([
  ["succeeded", "captured"],
  ["requires_capture", "authorized"],
  ["requires_action", "requires_action"],
  ["processing", "pending"],
  ["canceled", "canceled"],
  // The charge was refused; the intent would take another card, which nobody will give it.
  ["requires_payment_method", "failed"],
]);

/** Its time ran out: Stripe says so of an attempt that nobody paid, and of what was called off for nobody. */
function stateOf(intent: z.infer<typeof intentSchema>): ProviderPaymentState | undefined {
  const state = STATES.get(intent.status);
  const ranOut =
    (state === "failed" && lastErrorSchema.safeParse(intent.last_payment_error).success) ||
    (state === "canceled" && CANCELED_BY_TIME.has(intent.cancellation_reason ?? ""));
  return ranOut ? "expired" : state;
}

const lastErrorSchema = z.object({ code: z.literal("payment_intent_payment_attempt_expired") });

/** `abandoned` is what our clock gives as its reason; the others are Stripe's own. */
const CANCELED_BY_TIME: ReadonlySet<string> = new Set(["abandoned", "automatic", "expired"]);

const intentSchema = z.object({
  id: z.string().startsWith("pi_").min(4),
  amount: z.int().nonnegative(),
  amount_received: z.int().nonnegative(),
  amount_capturable: z.int().nonnegative().optional(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  // The bound keeps it a date that JavaScript can hold.
  created: z.int().nonnegative().max(8_640_000_000_000),
  status: z.string(),
  metadata: z
    .looseObject({ [REFERENCE_KEY]: z.string().optional(), [CAPTURE_KEY]: z.string().optional() })
    .nullish(),
  cancellation_reason: z.string().nullish(),
  latest_charge: z.unknown().optional(),
  last_payment_error: z.unknown().optional(),
  next_action: z.unknown().optional(),
});

const chargeSchema = z.object({
  amount_refunded: z.int().nonnegative().optional(),
  payment_method_details: z.unknown().optional(),
});

const cardSchema = z.object({
  card: z.object({
    brand: z.string().nullish(),
    last4: z
      .string()
      .regex(/^\d{4}$/)
      .nullish(),
    exp_month: z.int().nullish(),
    exp_year: z.int().nullish(),
  }),
});

function cardOf(charge: z.infer<typeof chargeSchema> | undefined): CardDetails | null {
  const card = cardSchema.safeParse(charge?.payment_method_details).data?.card;
  if (!card) return null;
  return {
    brand: card.brand ?? null,
    last4: card.last4 ?? null,
    expiryMonth: card.exp_month ?? null,
    expiryYear: card.exp_year ?? null,
  };
}

function unreadable(detail: string): IntentReading {
  return { kind: "unreadable", detail };
}
