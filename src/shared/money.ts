import { assert } from "./assert";
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
const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;
/** More digits than `MAX_MINOR` has are too many in every currency, and are not worth turning into a number. */
const MAX_DIGITS = MAX_MINOR.toString().length;

/**
 * Reads an exact decimal such as "10.5" in a currency's own decimals. "10", "10.5" and "10.50" are BRL; "10.505" and
 * "10.500" have more decimals than BRL, and are refused. So are "010", zero and more than `MAX_MINOR` minor units.
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
    return wrong("amount", `must have at most ${decimals} decimals in this currency`);
  const minor = whole.length > MAX_DIGITS ? null : BigInt(whole + fraction.padEnd(decimals, "0"));
  if (minor === 0n) return wrong("amount", "must be more than zero");
  if (minor === null || minor > MAX_MINOR)
    return wrong(
      "amount",
      `must be at most ${formatAmount({ minor: MAX_MINOR, currency })} in this currency`,
    );
  return { ok: true, money: { minor, currency } };
}

/** The amount in its currency's own decimals: "10.50", "1000", "1.250". A difference may be negative: "-0.05". */
export function formatAmount({ minor, currency }: Money): string {
  const decimals = exponentOf(currency);
  assert(decimals !== undefined, "an amount is only ever kept in a currency that we know");
  const sign = minor < 0n ? "-" : "";
  const digits = minor
    .toString()
    .replace("-", "")
    .padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return `${sign}${digits.slice(0, point)}${decimals === 0 ? "" : "."}${digits.slice(point)}`;
}

/** Nothing, in a currency. */
export function zero(currency: string): Money {
  return { minor: 0n, currency };
}

function wrong(fault: "amount" | "currency", message: string): ParsedAmount {
  return { ok: false, fault, message };
}
