import { z } from "zod";
import type { DisputeSnapshot, Lookup, ProviderDisputeState } from "../provider";
import { moneyFromStripe } from "./currencies";
import { noAnswer, saysMissing, unreadable } from "./read-lookup";
import type { Reply } from "./reply";

/** Reads the answer to "what is this dispute?" (docs.stripe.com/api/disputes/object). */
export function readDispute(reply: Reply, reference: string, asked: Date): Lookup<DisputeSnapshot> {
  if (reply.kind !== "object") return saysMissing(reply) ? { kind: "absent" } : noAnswer(reply);
  const { data } = disputeSchema.safeParse(reply.body);
  const state = data && STATES.get(data.status);
  const amount = data && moneyFromStripe(data.amount, data.currency);
  if (!state || !amount) return unreadable("no dispute that we understand");
  if (data.id !== reference) return unreadable("another dispute came");
  return { kind: "found", value: { reference, payment: data.payment_intent, state, amount, asOf: asked } };
}

/** An inquiry takes no money from the merchant. One that ends so has never been a dispute. */
const STATES: ReadonlyMap<string, ProviderDisputeState> = new Map([
  ["needs_response", "open"],
  ["under_review", "open"],
  ["won", "won"],
  ["lost", "lost"],
  ["warning_needs_response", "inquiry"],
  ["warning_under_review", "inquiry"],
  ["warning_closed", "inquiry"],
  ["prevented", "inquiry"],
]);

const disputeSchema = z.object({
  id: z.string().min(4),
  amount: z.int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  payment_intent: z.string().min(1),
  status: z.string(),
});
