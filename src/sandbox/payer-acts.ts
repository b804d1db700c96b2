import { newId, type Books, type Change, type Charge, type Intent, type PayerAct } from "./books";

/** What a payer does: pays or proves who they are, or does not. */
export type PayerDeed = "complete" | "fail";

/** The intent with its money taken or held, and the charge of it. */
export function charged(intent: Intent, at: number): { intent: Intent; charge: Charge } {
  const captured = intent.captureMethod !== "manual";
  const paid: Intent = {
    ...intent,
    status: captured ? "succeeded" : "requires_capture",
    received: captured ? intent.amount : 0,
    capturable: captured ? 0 : intent.amount,
    decline: null,
    cancellationReason: null,
    chargeId: newId("ch"),
  };
  const charge: Charge = {
    id: paid.chargeId ?? "",
    paymentIntent: paid.id,
    account: paid.account,
    reference: paid.metadata.umavez_reference ?? null,
    amount: paid.amount,
    currency: paid.currency.toUpperCase(),
    captured: paid.received,
    refunded: 0,
    status: captured ? "captured" : "authorized",
    createdAt: at,
  };
  return { intent: paid, charge };
}

/**
 * What a payer's deed changes.
 * @param late pays even what has expired or was canceled, as happens on real rails
 * @returns why it cannot be done, where it cannot
 */
export function changeBy(books: Books, intent: Intent, deed: PayerDeed, late = false): Change | string {
  if (intent.chargeId !== null) return "it is paid already";
  const isOpen = intent.status === "requires_action";
  if (deed === "complete" && (isOpen || late)) return charged(intent, books.now());
  if (!isOpen || !intent.act) return `it can no longer be paid: it is ${intent.status}`;
  return { intent: { ...intent, status: "requires_payment_method", decline: REFUSED[intent.act.method] } };
}

/** What happens by the sandbox's clock alone: payers who need nobody pay, and codes expire. */
export async function passTime(books: Books): Promise<void> {
  for (const id of books.waiting) {
    const intent = books.intents.get(id);
    const change = intent?.act && changeByTime(books.now(), intent, intent.act);
    if (change) await books.write(change);
  }
}

function changeByTime(now: number, intent: Intent, { paysAt, expiresAt }: PayerAct): Change | null {
  if (paysAt !== null && paysAt <= now && (expiresAt === null || paysAt < expiresAt))
    return charged(intent, now);
  if (expiresAt === null || expiresAt > now) return null;
  return { intent: { ...intent, status: "requires_payment_method", decline: EXPIRED } };
}

const EXPIRED = {
  code: "payment_intent_payment_attempt_expired",
  declineCode: null,
  message: "The payment attempt has expired.",
};

const DECLINED_BY_PAYER = {
  code: "payment_method_customer_decline",
  declineCode: null,
  message: "The customer declined the payment.",
};

const REFUSED: Record<PayerAct["method"], NonNullable<Intent["decline"]>> = {
  card: {
    code: "payment_intent_authentication_failure",
    declineCode: null,
    message: "The provided payment method has failed authentication.",
  },
  pix: DECLINED_BY_PAYER,
  boleto: DECLINED_BY_PAYER,
};

/** Where the payer's page of an intent is. */
export function pageOf(books: Books, intent: Intent): string {
  return `${books.pages}/payer/${intent.id}/${intent.act?.pageKey ?? ""}`;
}

/** `next_action` as Stripe shows it; null where the payer has nothing to do. */
export function showNextAction(books: Books, intent: Intent): Record<string, unknown> | null {
  const { act } = intent;
  if (intent.status !== "requires_action" || !act) return null;
  const url = pageOf(books, intent);
  const expires_at = act.expiresAt === null ? null : Math.floor(act.expiresAt / 1_000);
  switch (act.method) {
    case "card":
      return { type: "redirect_to_url", redirect_to_url: { url, return_url: act.returnUrl } };
    case "pix": {
      const shown = { data: act.code, hosted_instructions_url: url, expires_at };
      return { type: "pix_display_qr_code", pix_display_qr_code: shown };
    }
    case "boleto": {
      const shown = { number: act.code, pdf: `${url}/pdf`, hosted_voucher_url: url, expires_at };
      return { type: "boleto_display_details", boleto_display_details: shown };
    }
  }
}
