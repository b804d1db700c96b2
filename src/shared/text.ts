/** A rule that a text breaks: what it must be. The text itself is never repeated. */
export type TextFault = string;

/** 1 to 100 visible ASCII characters, compared byte for byte: no trimming, no case folding. */
export function faultOfKey(text: string): TextFault | null {
  return /^[!-~]{1,100}$/.test(text) ? null : "must be 1 to 100 visible ASCII characters (! to ~)";
}

const REFERENCE_BYTES = 100;

/** An order's or a customer's reference: 1 to 100 bytes of UTF-8 without control characters. */
export function faultOfReference(text: string): TextFault | null {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes < 1 || bytes > REFERENCE_BYTES) return `must be 1 to ${REFERENCE_BYTES} bytes of UTF-8`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return "must not contain control characters";
  return faultOfContent(text);
}

const TEXT_CHARACTERS = 500;

/** Any other text: at most 500 characters; line breaks and tabs are its only control characters. */
export function faultOfText(text: string, most = TEXT_CHARACTERS): TextFault | null {
  if ([...text].length > most) return `must be at most ${most} characters`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text))
    return "must not contain control characters";
  return faultOfContent(text);
}

function faultOfContent(text: string): TextFault | null {
  if (!text.isWellFormed()) return "must not contain a lone surrogate";
  if (containsCardNumber(text)) return "must not contain a card number";
  return null;
}

/** 13 to 19 digits, apart by at most one space or dash each. */
const LONG_NUMBER = /\d(?:[ -]?\d){12,18}/g;

/**
 * The beginnings and lengths in which the card schemes issue (their published ranges): Visa, Mastercard, American
 * Express, Diners, JCB, Discover, UnionPay, Elo and Hipercard, Maestro. A time in milliseconds or an order's number is none.
 */
const ISSUED =
  /^(4\d{12}(\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15,18}|5[06-9]\d{14})$/;

/** True where some run of digits is a card number: issued so, and with its check digit (ISO/IEC 7812-1). */
export function containsCardNumber(text: string): boolean {
  return (text.match(LONG_NUMBER) ?? [])
    .map((found) => found.replace(/[ -]/g, ""))
    .some((digits) => ISSUED.test(digits) && hasCheckDigit(digits));
}

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, place) => {
    const doubled = Number(character) * (place % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum > 0 && sum % 10 === 0;
}

const METADATA_ENTRIES = 50;
const METADATA_KEY_CHARACTERS = 40;

/** The rules that a metadata object breaks, each with the member's path; empty where none. */
export function faultsOfMetadata(value: unknown): { path: string; message: string }[] {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return [{ path: "", message: "must be an object of strings" }];
  const entries = Object.entries(value);
  if (entries.length > METADATA_ENTRIES)
    return [{ path: "", message: `must have at most ${METADATA_ENTRIES} members` }];
  return entries.flatMap(([key, member]) => {
    const keyFault =
      key === "" ? "must have keys of at least 1 character" : faultOfText(key, METADATA_KEY_CHARACTERS);
    // A key that breaks a rule is not shown: it may be what must not be repeated.
    if (keyFault) return [{ path: "", message: `each key ${keyFault}` }];
    const fault = typeof member === "string" ? faultOfText(member) : "must be a string";
    return fault ? [{ path: key, message: fault }] : [];
  });
}
