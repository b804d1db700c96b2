import { randomBytes, randomInt } from "node:crypto";
import { boletoLine, endOfDayAfter } from "./boleto-line";
import { newId, type Books, type Method, type PayerAct } from "./books";
import { CARDS, type Card } from "./cards";
import { textOf, type Form } from "./form";
import { pixCode } from "./pix-code";

/** What an intent is to be paid with. */
export interface WantedMethod {
  token: string;
  /** Null for what is not paid by card. */
  card: Card | null;
  /** What the payer has to do first; null for a card that is charged at once. */
  act: PayerAct | null;
}

/** A parameter that cannot be taken. */
export interface BadParameter {
  param: string;
  message: string;
  /** Stripe's error code, where it is not the usual one. */
  code?: string;
}

function invalid(param: string, message: string, code?: string): BadParameter {
  return { param, message, code };
}

/** Reads how a create is to be paid; or which parameter is wrong. */
export function readMethod(books: Books, form: Form, amount: number): WantedMethod | BadParameter {
  const data = inner(form, "payment_method_data");
  const type = textOf(data, "type");
  const allowed = form.allowed_payment_method_types ?? form.payment_method_types;
  if (type !== undefined && Array.isArray(allowed) && !allowed.includes(type))
    return invalid("payment_method_data[type]", `${type} is not among the allowed payment method types.`);
  if (type === "pix" || type === "boleto") return readCode(books, form, { type, data, amount });
  if (type !== undefined) return invalid("payment_method_data[type]", `Invalid type: ${type}`);
  const token = textOf(form, "payment_method") ?? "";
  const card = CARDS.get(token);
  if (!card) return invalid("payment_method", `No such PaymentMethod: '${token}'`, "resource_missing");
  if (!card.authenticates) return { token, card, act: null };
  const returnUrl = textOf(form, "return_url");
  if (returnUrl === undefined || !/^https?:\/\//.test(returnUrl) || !URL.canParse(returnUrl))
    return invalid("return_url", "A return_url is needed: the card's holder goes to a page.");
  const act = { method: "card" as const, code: "", expiresAt: null, paysAt: null, returnUrl };
  return { token, card, act: { ...act, pageKey: newPageKey() } };
}

/** The payer's page is found by its address alone. */
function newPageKey(): string {
  return randomBytes(18).toString("base64url");
}

function inner(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** How many digits of a boleto are the bank's own. */
const OURS = 25;

/** Pix or boleto: a code that the payer pays elsewhere. */
function readCode(
  books: Books,
  form: Form,
  { type, data, amount }: { type: Exclude<Method, "card">; data: Form; amount: number },
): WantedMethod | BadParameter {
  if (textOf(form, "currency")?.toLowerCase() !== "brl")
    return invalid("currency", `${type} takes BRL alone.`, "payment_method_currency_mismatch");
  if (textOf(form, "capture_method") === "manual")
    return invalid("capture_method", `${type} cannot be captured later.`);
  const options = inner(inner(form, "payment_method_options"), type);
  const expiresAt =
    type === "pix" ? pixExpiry(books.now(), options) : boletoExpiry(books.now(), options, inner(data, type));
  if (typeof expiresAt !== "number") return expiresAt;
  const pageKey = newPageKey();
  const ours = Array.from({ length: OURS }, () => randomInt(10)).join("");
  const code =
    type === "pix"
      ? pixCode({ amount, location: `pix.umavez.invalid/${pageKey}` })
      : boletoLine({ amount, dueAt: expiresAt, ours });
  const email = textOf(inner(data, "billing_details"), "email") ?? "";
  const act = { method: type, pageKey, code, returnUrl: null, expiresAt, paysAt: null };
  const refusesRefunds = email.includes("refund_fails");
  return {
    token: newId("pm"),
    card: null,
    act: { ...act, refusesRefunds, ...triggered(email, books.now()) },
  };
}

/** How much later a payer pays whose e-mail begins succeed_later. */
const LATER_MS = 60_000;

/** What a payer does of itself, by the local part of its e-mail (Stripe's own words, and one more). */
function triggered(email: string, now: number): Partial<PayerAct> {
  if (email.startsWith("succeed_immediately")) return { paysAt: now };
  if (email.startsWith("succeed_later")) return { paysAt: now + LATER_MS };
  if (email.startsWith("expire_immediately")) return { expiresAt: now };
  return {}; // never_pay, and whoever pays by the page
}

function pixExpiry(now: number, options: Form): number | BadParameter {
  const seconds = Number(textOf(options, "expires_after_seconds") ?? 14_400);
  if (Number.isInteger(seconds) && seconds >= 10 && seconds <= 1_209_600) return now + seconds * 1_000;
  return invalid("payment_method_options[pix][expires_after_seconds]", "Must be from 10 to 1209600.");
}

function boletoExpiry(now: number, options: Form, boleto: Form): number | BadParameter {
  if (!/^(\d{11}|\d{14})$/.test(textOf(boleto, "tax_id") ?? ""))
    return invalid("payment_method_data[boleto][tax_id]", "Invalid CPF or CNPJ", "tax_id_invalid");
  const days = Number(textOf(options, "expires_after_days") ?? 3);
  if (Number.isInteger(days) && days >= 0 && days <= 60) return endOfDayAfter(days, now);
  return invalid("payment_method_options[boleto][expires_after_days]", "Must be from 0 to 60.");
}
