import { z } from "zod";
import type { Failure, FailureCode, RetryAdvice } from "../provider";
import { scrub } from "./scrub";

/** A refusal in our words. */
export interface Refused {
  failure: Failure;
  /** Whether another provider may be asked instead: only where the card itself was not judged. */
  elsewhere: boolean;
}

/**
 * Reads a card error: what an issuer, a network or Stripe's own risk rules said.
 * @param error an API error or a `last_payment_error`, as it came
 */
export function readDecline(error: unknown): Refused {
  const { code, decline_code: reason, advice_code: advice } = errorSchema.safeParse(error).data ?? {};
  const known = CODES.get(reason ?? "") ?? CODES.get(code ?? "") ?? "other";
  const row = DECLINES[known];
  const never = NEVER_AGAIN.has(reason ?? "") || advice === "do_not_try_again";
  const retryAdvice = never ? "NEVER" : row.advice;
  const failure: Failure = { kind: row.kind, code: known, message: row.message, retryAdvice };
  return { failure, elsewhere: row.elsewhere && !never };
}

/**
 * Reads a refusal of what we sent, before any card was asked.
 * @param error an API error of type `invalid_request_error`, as it came
 */
export function readInvalid(error: unknown): Refused {
  const { code = "", param = "", message = "" } = errorSchema.safeParse(error).data ?? {};
  const known = INVALID_CODES.get(code ?? "") ?? codeOfParameter(param ?? "");
  // Another card cures a bad token or an unsupported card; nothing cures this amount, or a request Stripe cannot read.
  const retryAdvice = known === "invalid_card" || known === "unsupported" ? "OTHER_METHOD" : "NEVER";
  const text = scrub(`The provider refused the request: ${message || code || "no reason given"}`);
  return { failure: { kind: "INVALID", code: known, message: text, retryAdvice }, elsewhere: false };
}

function codeOfParameter(param: string): FailureCode {
  if (param.startsWith("payment_method")) return "invalid_card";
  return param === "currency" ? "unsupported" : "other";
}

/** Anything may be missing or of another type; then it says nothing. */
const errorSchema = z.object({
  code: z.string().nullish().catch(undefined),
  decline_code: z.string().nullish().catch(undefined),
  advice_code: z.string().nullish().catch(undefined),
  param: z.string().nullish().catch(undefined),
  message: z.string().nullish().catch(undefined),
});

interface Row {
  kind: Failure["kind"];
  advice: RetryAdvice;
  elsewhere: boolean;
  message: string;
}

/**
 * One row for each of our codes. Lost, stolen and fraud are NEVER and not OTHER_METHOD: the issuer suspects whoever
 * holds the card, who is not to be invited to try the next one; and the text does not tell them why. Elsewhere is open
 * where another acquirer may hear another answer: never where the answer is about the card, its holder or his money.
 */
const DECLINES: Record<FailureCode, Row> = {
  insufficient_funds: declined("OTHER_METHOD", "The card does not have the funds."),
  do_not_honour: declined("OTHER_METHOD", "The card's bank declined the payment.", true),
  expired_card: declined("OTHER_METHOD", "The card has expired."),
  incorrect_cvc: declined("OTHER_METHOD", "The card's security code is wrong."),
  lost_card: declined("NEVER", "The card was declined."),
  stolen_card: declined("NEVER", "The card was declined."),
  invalid_card: declined("OTHER_METHOD", "The card's details are not valid."),
  processing_error: declined("LATER", "The card could not be processed just now.", true),
  limit_exceeded: declined("OTHER_METHOD", "The payment is above a limit of the card."),
  unsupported: declined("OTHER_METHOD", "The card does not support this kind of payment.", true),
  provider_unavailable: declined("LATER", "The card's bank could not be reached.", true),
  other: declined("OTHER_METHOD", "The payment was declined."),
  authentication_failed: {
    kind: "AUTHENTICATION_FAILED",
    advice: "OTHER_METHOD",
    elsewhere: false,
    message: "The payer was not authenticated.",
  },
  risk_rejected: {
    kind: "REJECTED_BY_RISK",
    advice: "NEVER",
    elsewhere: false,
    message: "The card was declined.",
  },
};

function declined(advice: RetryAdvice, message: string, elsewhere = false): Row {
  return { kind: "DECLINED", advice, elsewhere, message };
}

/** Stripe's decline codes, then its error codes for cards (https://docs.stripe.com/declines/codes, /error-codes). */
const CODES: ReadonlyMap<string, FailureCode> = new Map<string, FailureCode>([
  ["insufficient_funds", "insufficient_funds"],
  ["card_velocity_exceeded", "limit_exceeded"],
  ["withdrawal_count_limit_exceeded", "limit_exceeded"],
  ["do_not_honor", "do_not_honour"],
  ["generic_decline", "do_not_honour"],
  ["call_issuer", "do_not_honour"],
  ["no_action_taken", "do_not_honour"],
  ["not_permitted", "do_not_honour"],
  ["transaction_not_allowed", "do_not_honour"],
  ["restricted_card", "do_not_honour"],
  ["security_violation", "do_not_honour"],
  ["revocation_of_all_authorizations", "do_not_honour"],
  ["revocation_of_authorization", "do_not_honour"],
  ["stop_payment_order", "do_not_honour"],
  ["service_not_allowed", "unsupported"],
  ["card_not_supported", "unsupported"],
  ["currency_not_supported", "unsupported"],
  ["testmode_decline", "other"],
  ["duplicate_transaction", "other"],
  ["lost_card", "lost_card"],
  // The list of semantics has no code of its own; the bank wants the card kept, as with one reported lost.
  ["pickup_card", "lost_card"],
  ["stolen_card", "stolen_card"],
  ["fraudulent", "risk_rejected"],
  ["merchant_blacklist", "risk_rejected"],
  ["expired_card", "expired_card"],
  ["invalid_expiry_month", "invalid_card"],
  ["invalid_expiry_year", "invalid_card"],
  ["incorrect_cvc", "incorrect_cvc"],
  ["invalid_cvc", "incorrect_cvc"],
  ["incorrect_number", "invalid_card"],
  ["invalid_number", "invalid_card"],
  ["invalid_account", "invalid_card"],
  ["new_account_information_available", "invalid_card"],
  ["incorrect_address", "invalid_card"],
  ["incorrect_zip", "invalid_card"],
  ["incorrect_pin", "invalid_card"],
  ["invalid_pin", "invalid_card"],
  ["invalid_amount", "limit_exceeded"],
  ["processing_error", "processing_error"],
  ["reenter_transaction", "processing_error"],
  ["try_again_later", "processing_error"],
  ["approve_with_id", "processing_error"],
  ["issuer_not_available", "provider_unavailable"],
  ["authentication_required", "authentication_failed"],
  ["authentication_not_handled", "authentication_failed"],
  ["mobile_device_authentication_required", "authentication_failed"],
  ["offline_pin_required", "authentication_failed"],
  ["online_or_offline_pin_required", "authentication_failed"],
  ["pin_try_exceeded", "authentication_failed"],
  ["payment_intent_authentication_failure", "authentication_failed"],
  ["payment_method_customer_decline", "other"],
  ["payment_method_provider_decline", "do_not_honour"],
  ["payment_method_provider_timeout", "provider_unavailable"],
  ["card_decline_rate_limit_exceeded", "limit_exceeded"],
  ["card_declined", "do_not_honour"],
]);

/** Reasons after which card networks forbid, or holders have withdrawn, another try with the card. */
const NEVER_AGAIN: ReadonlySet<string> = new Set([
  "pickup_card",
  "restricted_card",
  "security_violation",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "stop_payment_order",
]);

/** Error codes of requests, where the code says more than the parameter. */
const INVALID_CODES: ReadonlyMap<string, FailureCode> = new Map<string, FailureCode>([
  ["amount_too_large", "limit_exceeded"],
  ["amount_too_small", "limit_exceeded"],
  ["charge_exceeds_source_limit", "limit_exceeded"],
  ["charge_exceeds_transaction_limit", "limit_exceeded"],
  ["token_already_used", "invalid_card"],
  ["payment_method_unactivated", "unsupported"],
  ["payment_method_unsupported_type", "unsupported"],
  ["payment_method_currency_mismatch", "unsupported"],
  ["payment_method_not_available", "unsupported"],
  ["payment_intent_incompatible_payment_method", "unsupported"],
]);
