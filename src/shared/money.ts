import { exponentOf } from "./currencies";

/** An exact amount in minor units of one currency. No float ever touches it. */
export interface Money {
  /** Whole minor units: 1050n is 10.50 BRL, 1000n is 1000 JPY, 1250n is 1.250 KWD. */
  minor: bigint;
  /** ISO 4217, upper case. */
  currency: string;
}

/** The most minor units of an amount: 2^53 − 1, so that every client's numbers can hold it. */
export const MAX_MINOR = 2n ** 53n - 1n;

/** An amount, or the rule that its text breaks. The message never repeats the text. */
export type ParsedAmount =
  { ok: true; money: Money } | { ok: false; fault: "amount" | "currency"; message: string };

/** Whole digits without superfluous zeros in front, and decimals behind a point. No sign, exponent or space. */
const DECIMAL = /^(0|[1-9]\d{0,18})(?:\.(\d{1,9}))?$/;

/**
 * Reads an exact decimal such as "10.5" in a currency's own decimals. "10", "10.5" and "10.50" are BRL; "10.505" and
 * "10.500" have more decimals than BRL, and are refused. So are zero and more than `MAX_MINOR` minor units.
 */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const decimals = exponentOf(currency);
  if (decimals === undefined) return wrong("currency", "must be an ISO 4217 code in upper case, such as BRL");
  const found = DECIMAL.exec(text);
  if (!found)
    return wrong(
      "amount",
      'must be a decimal in a string, such as "10.50": digits, and a point before decimals',
    );
  const [, whole = "", fraction = ""] = found;
  if (fraction.length > decimals)
    return wrong("amount", `must have at most ${decimals} decimals in ${currency}`);
  const minor = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (minor === 0n) return wrong("amount", "must be more than zero");
  if (minor > MAX_MINOR)
    return wrong("amount", `must be at most ${formatAmount({ minor: MAX_MINOR, currency })} in ${currency}`);
  return { ok: true, money: { minor, currency } };
}

/** The amount in its currency's own decimals: "10.50", "1000", "1.250". */
export function formatAmount({ minor, currency }: Money): string {
  const decimals = exponentOf(currency) ?? 0;
  const digits = minor.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function wrong(fault: "amount" | "currency", message: string): ParsedAmount {
  return { ok: false, fault, message };
}
