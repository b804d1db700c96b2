import type { Intent } from "../idempotency/intent";
import { parseAmount, type Money } from "../shared/money";
import { Refusal } from "../shared/refusal";
import type { AuthorizeMethod, Payer, PaymentMethodType } from "../providers/payer-action";
import type { CaptureMode } from "./payment.entity";

type Maybe<T> = T | null | undefined;

/** What a caller asks for. Absent, null and the default are the same. */
export interface CreatePaymentRequest {
  amount: { amount: string; currency: string };
  /** Exactly one of them. */
  method: {
    card?: Maybe<{ token: string; providerAccountId?: Maybe<string> }>;
    pix?: Maybe<{ expiresInSeconds?: Maybe<number> }>;
    boleto?: Maybe<{ expiresInDays?: Maybe<number> }>;
  };
  captureMode?: Maybe<CaptureMode>;
  order?: Maybe<{ reference: string; allowAnotherPayment?: Maybe<boolean> }>;
  customerReference?: Maybe<string>;
  payer?: Maybe<{ name?: Maybe<string>; email?: Maybe<string>; taxId?: Maybe<string> }>;
  description?: Maybe<string>;
  metadata?: Maybe<Record<string, string>>;
  returnUrl?: Maybe<string>;
}

/** v1's defaults. They are frozen: changing one would change what old keys mean. */
const DEFAULTS = { captureMode: "AUTOMATIC", expiresInSeconds: 3_600, expiresInDays: 3 } as const;

/** The method that a request names. */
export function methodOf(request: CreatePaymentRequest): PaymentMethodType {
  if (request.method.card) return "CARD";
  return request.method.pix ? "PIX" : "BOLETO";
}

/** The method as the provider is asked for it, its defaults filled in. */
export function methodToAsk({ method }: CreatePaymentRequest): AuthorizeMethod {
  if (method.card) return { type: "CARD", token: method.card.token };
  if (method.pix)
    return { type: "PIX", expiresInSeconds: method.pix.expiresInSeconds ?? DEFAULTS.expiresInSeconds };
  return { type: "BOLETO", expiresInDays: method.boleto?.expiresInDays ?? DEFAULTS.expiresInDays };
}

/**
 * Who pays, as far as the provider is told: nothing where a card's token stands for its holder.
 * @throws Refusal BAD_USER_INPUT where a boleto has nobody to be made out to
 */
export function payerToTell(request: CreatePaymentRequest): Payer {
  const method = methodOf(request);
  if (method === "CARD") return { name: null, email: null, taxId: null };
  const { name = null, email = null, taxId = null } = request.payer ?? {};
  if (method === "PIX" || taxId !== null) return { name, email, taxId };
  const fields = [{ path: "input.payer.taxId", message: "is required for a boleto: CPF or CNPJ" }];
  throw new Refusal("BAD_USER_INPUT", "A boleto needs the payer's tax id.", { fields });
}

/** An amount of the input. The rule has been checked at the edge; what does not hold here is refused all the same. */
export function moneyOf({ amount, currency }: { amount: string; currency: string }): Money {
  const parsed = parseAmount(amount, currency);
  if (parsed.ok) return parsed.money;
  const fields = [{ path: `input.amount.${parsed.fault}`, message: parsed.message }];
  throw new Refusal("BAD_USER_INPUT", "The amount breaks a rule.", { fields });
}

/** The content of a request: what makes two requests the same. Nothing else does (semantics section 2). */
export function intentOf(request: CreatePaymentRequest): Intent {
  const { method, order, payer } = request;
  const money = moneyOf(request.amount);
  const content: Record<string, Maybe<string>> = {
    "amount.amount": decimalOf(request.amount.amount),
    "amount.currency": money.currency,
    method: methodOf(request),
    "method.card.token": method.card?.token,
    "method.card.providerAccountId": method.card?.providerAccountId,
    "method.pix.expiresInSeconds": unless(DEFAULTS.expiresInSeconds, method.pix?.expiresInSeconds),
    "method.boleto.expiresInDays": unless(DEFAULTS.expiresInDays, method.boleto?.expiresInDays),
    "payer.taxId": payer?.taxId,
    captureMode: unless(DEFAULTS.captureMode, request.captureMode),
    "order.reference": order?.reference,
    "order.allowAnotherPayment": unless(false, order?.allowAnotherPayment),
    customerReference: request.customerReference,
  };
  return Object.fromEntries(
    Object.entries(content).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** One spelling of an exact decimal: "10", "10.0" and "10.00" are one amount, in whatever currency. */
export function decimalOf(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function unless<T extends string | number | boolean>(standard: T, value: Maybe<T>): string | undefined {
  return value === null || value === undefined || value === standard ? undefined : String(value);
}
