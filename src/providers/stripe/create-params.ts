import type Stripe from "stripe";
import { unreachable } from "../../shared/assert";
import type { Payer } from "../payer-action";
import type { AuthorizeRequest } from "../provider";
import { REFERENCE_KEY } from "./intent";

type Params = Stripe.PaymentIntentCreateParams;

/**
 * A request in Stripe's words. The charge comes with the intent: it alone knows the card and what was refunded.
 * @param amount as Stripe counts it
 */
export function createParams(request: AuthorizeRequest, amount: number): Params {
  return {
    amount,
    currency: request.amount.currency.toLowerCase(),
    confirm: true,
    capture_method: request.captureMode === "MANUAL" ? "manual" : "automatic",
    ...methodParams(request),
    ...(request.returnUrl === null ? {} : { return_url: request.returnUrl }),
    ...(request.description === null ? {} : { description: request.description }),
    metadata: { [REFERENCE_KEY]: request.reference },
    expand: ["latest_charge"],
  };
}

function methodParams({ method, payer }: AuthorizeRequest): Partial<Params> {
  switch (method.type) {
    case "CARD":
      return { payment_method: method.token, allowed_payment_method_types: ["card"] };
    case "PIX":
      return {
        payment_method_data: { type: "pix", billing_details: { ...contact(payer), ...taxId(payer) } },
        payment_method_options: { pix: { expires_after_seconds: method.expiresInSeconds } },
        allowed_payment_method_types: ["pix"],
      };
    case "BOLETO":
      return {
        payment_method_data: {
          type: "boleto",
          boleto: { tax_id: payer.taxId ?? "" },
          billing_details: contact(payer),
        },
        payment_method_options: { boleto: { expires_after_days: method.expiresInDays } },
        allowed_payment_method_types: ["boleto"],
      };
    default:
      return unreachable(method);
  }
}

/** Stripe takes an empty text for "remove this", so what is absent is left out. */
function contact({ name, email }: Payer) {
  return { ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) };
}

function taxId({ taxId: tax_id }: Payer) {
  return tax_id === null ? {} : { tax_id };
}
