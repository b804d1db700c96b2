import type { AuthorizeRequest } from "../../../src/providers/provider";

/** Our reference in these tests. */
export const REFERENCE = "uvz0123456789abcdefghjkmnpqrstvwxyz012345678";

/** 10.50 BRL, captured at once. */
export const SENT: AuthorizeRequest = {
  reference: REFERENCE,
  amount: { minor: 1050n, currency: "BRL" },
  captureMode: "AUTOMATIC",
  method: { type: "CARD", token: "pm_card_visa" },
  payer: { name: null, email: null, taxId: null },
  returnUrl: null,
  description: "Order 7",
};

/** A PaymentIntent as Stripe sends it for `SENT`, with changes. */
export function intent(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "pi_1",
    object: "payment_intent",
    amount: 1050,
    amount_received: 1050,
    currency: "brl",
    created: 1_767_225_600,
    status: "succeeded",
    metadata: { umavez_reference: REFERENCE },
    next_action: null,
    last_payment_error: null,
    latest_charge: {
      id: "ch_1",
      amount_refunded: 0,
      payment_method_details: {
        type: "card",
        card: { brand: "visa", last4: "4242", exp_month: 8, exp_year: 2031 },
      },
    },
    ...changes,
  };
}

/** An intent whose card was refused. */
export function refusedIntent(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return intent({ status: "requires_payment_method", amount_received: 0, latest_charge: "ch_1", ...changes });
}
