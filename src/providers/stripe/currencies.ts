import type { Money } from "../../shared/money";

/** An amount as Stripe counts it, or why Stripe cannot be asked for it. */
export type StripeAmount = { ok: true; amount: number } | { ok: false; message: string };

/**
 * Converts money to the integer that Stripe expects.
 * @returns the integer, which is exact; or, where Stripe's count has no such amount, a message for people
 */
export function stripeAmount({ minor, currency }: Money): StripeAmount {
  if (NOT_COUNTED_BY_STRIPE.has(currency)) return refuse(`this provider does not take ${currency}`);
  if (minor <= 0n) return refuse("the amount must be greater than zero");
  const { times, by, step } = COUNTED_DIFFERENTLY.get(currency) ?? AS_ISO;
  if (minor % by !== 0n || minor % step !== 0n)
    return refuse(`this provider takes ${currency} in steps of ${by > step ? by : step} minor units`);
  const amount = (minor * times) / by;
  // JSON numbers above this are not exact, neither in our reading of a reply nor in others'.
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) return refuse(`the amount is too large in ${currency}`);
  return { ok: true, amount: Number(amount) };
}

/**
 * Converts Stripe's integer to money.
 * @param currency ISO 4217 in any case, as Stripe writes it in lower case
 * @returns null where the integer is not exact, is negative, or is no whole number of ISO minor units
 */
export function moneyFromStripe(amount: number, currency: string): Money | null {
  const code = currency.toUpperCase();
  if (!Number.isSafeInteger(amount) || amount < 0 || NOT_COUNTED_BY_STRIPE.has(code)) return null;
  const { times, by } = COUNTED_DIFFERENTLY.get(code) ?? AS_ISO;
  const scaled = BigInt(amount) * by;
  return scaled % times === 0n ? { minor: scaled / times, currency: code } : null;
}

/** Stripe's integer is `minor * times / by`, and `minor` must be a multiple of `step`. */
interface Scale {
  times: bigint;
  by: bigint;
  step: bigint;
}

const AS_ISO: Scale = { times: 1n, by: 1n, step: 1n };

/** Has no decimals in ISO, but Stripe kept the two it once had: 5 ISK is 500, always in whole hundreds. */
const TWO_DECIMALS_KEPT: Scale = { times: 100n, by: 1n, step: 1n };

/** Has three decimals for both, but the card networks behind Stripe carry two: the last digit must be zero. */
const LAST_DIGIT_ZERO: Scale = { times: 1n, by: 1n, step: 10n };

/**
 * Where Stripe's integer is not ISO 4217's count of minor units (https://docs.stripe.com/currencies). HUF and TWD are
 * special there too, but for payouts only.
 */
const COUNTED_DIFFERENTLY: ReadonlyMap<string, Scale> = new Map([
  ["ISK", TWO_DECIMALS_KEPT],
  ["UGX", TWO_DECIMALS_KEPT],
  ["BHD", LAST_DIGIT_ZERO],
  ["JOD", LAST_DIGIT_ZERO],
  ["KWD", LAST_DIGIT_ZERO],
  ["OMR", LAST_DIGIT_ZERO],
  ["TND", LAST_DIGIT_ZERO],
  // ISO counts two decimals of an ariary, which is divided into five; Stripe counts whole ariary.
  ["MGA", { times: 1n, by: 100n, step: 1n }],
]);

/**
 * Currencies with three or four decimals, or units of account, that Stripe's list does not have: what its integer would
 * mean for them is written nowhere, so it is not guessed.
 */
const NOT_COUNTED_BY_STRIPE: ReadonlySet<string> = new Set(["CLF", "IQD", "LYD", "UYI", "UYW"]);

function refuse(message: string): StripeAmount {
  return { ok: false, message };
}
