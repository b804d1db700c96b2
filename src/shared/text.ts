/** What a text must be, where it breaks a rule: words that follow the field's name. The text itself is never repeated. */
export type TextFault = string;

const KEY = /^[!-~]{1,100}$/;

/** An idempotency key: 1 to 100 visible ASCII characters, compared byte for byte, without trimming or case folding. */
export function faultOfKey(text: string): TextFault | null {
  return KEY.test(text) ? null : "must be 1 to 100 visible ASCII characters (! to ~), without spaces";
}

/** What providers' reference fields and our indexes hold with ease. */
const REFERENCE_BYTES = 100;

/** An order's or a customer's reference: 1 to 100 bytes of UTF-8, on one line, without control characters. */
export function faultOfReference(text: string): TextFault | null {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes < 1 || bytes > REFERENCE_BYTES) return `must be 1 to ${REFERENCE_BYTES} bytes of UTF-8`;
  return faultOfLine(text);
}

/** More is a document, and belongs elsewhere. */
const TEXT_CHARACTERS = 500;

/** Any other text: at most 500 characters (code points); line breaks and tabs are its only control characters. */
export function faultOfText(text: string): TextFault | null {
  if ([...text].length > TEXT_CHARACTERS) return `must be at most ${TEXT_CHARACTERS} characters`;
  return faultOfContent(text, TEXT_CONTROLS);
}

const METADATA_MEMBERS = 50;
const METADATA_KEY_CHARACTERS = 40;

/** A rule that metadata break. */
export interface MetadataFault {
  /** The member's key; empty where the fault is of the object, or of a key that must not be repeated. */
  path: string;
  /** What it must be. */
  message: string;
}

/**
 * The rules that metadata break; none where they are a flat object of at most 50 texts, with keys of 1 to 40 characters
 * on one line.
 */
export function faultsOfMetadata(value: unknown): MetadataFault[] {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return [{ path: "", message: "must be an object of strings" }];
  const members = Object.entries(value);
  if (members.length > METADATA_MEMBERS)
    return [{ path: "", message: `must have at most ${METADATA_MEMBERS} members` }];
  const keyFault = members.map(([key]) => faultOfMetadataKey(key)).find((fault) => fault !== null);
  if (keyFault) return [{ path: "", message: `each key ${keyFault}` }];
  return members.flatMap(([path, member]) => {
    const message = typeof member === "string" ? faultOfText(member) : "must be a string";
    return message === null ? [] : [{ path, message }];
  });
}

function faultOfMetadataKey(key: string): TextFault | null {
  const characters = [...key].length;
  if (characters < 1 || characters > METADATA_KEY_CHARACTERS)
    return `must be 1 to ${METADATA_KEY_CHARACTERS} characters`;
  return faultOfLine(key);
}

/** Unicode's control characters (NUL among them, which Postgres cannot keep), and its two line separators. */
const LINE_CONTROLS = /[\p{Cc}\u2028\u2029]/u;
/** The same, but for tabs and line breaks: a description comes from a form as it was typed. */
const TEXT_CONTROLS = /(?![\t\n\r])\p{Cc}/u;

function faultOfLine(text: string): TextFault | null {
  return faultOfContent(text, LINE_CONTROLS);
}

function faultOfContent(text: string, forbidden: RegExp): TextFault | null {
  if (!text.isWellFormed()) return "must not contain a lone surrogate";
  if (forbidden.test(text)) return "must not contain control characters";
  return containsCardNumber(text) ? "must not contain a card number" : null;
}

/** True where some of the text's digits are a card number: see `maskCardNumbers`. */
export function containsCardNumber(text: string): boolean {
  return maskCardNumbers(text, () => "") !== text;
}

/**
 * The text with each card number replaced. A card number is 13 to 19 digits, apart by at most one space or dash each, that
 * begin as a card scheme issues them and end in their check digit. It is found beside other digits too (an expiry, a
 * count), as long as a space or a dash is between. Ten in a hundred numbers have a right check digit by chance; the
 * schemes' beginnings are what spares times, telephone numbers and most references.
 * @param mask gives what stands in place of a number
 */
export function maskCardNumbers(text: string, mask: (found: string) => string): string {
  return text.replace(DIGIT_RUN, (run) => maskRun(run, mask));
}

/** 13 digits or more, apart by at most one space or dash each. */
const DIGIT_RUN = /\d(?:[ -]?\d){12,}/g;
const SHORTEST = 13;
const LONGEST = 19;

function maskRun(run: string, mask: (found: string) => string): string {
  const parts = run.split(/([ -])/); // digits at even places, what parts them at odd ones
  let told = "";
  for (let first = 0; first < parts.length;) {
    const last = lastOfCard(parts, first);
    const piece = parts.slice(first, (last ?? first) + 1).join("");
    first = (last ?? first) + 2;
    told += (last === undefined ? piece : mask(piece)) + (parts[first - 1] ?? "");
  }
  return told;
}

/** Where a card number that begins with the part `first` ends; undefined where none begins there. */
function lastOfCard(parts: string[], first: number): number | undefined {
  let digits = "";
  for (let last = first; last < parts.length && digits.length < LONGEST; last += 2) {
    digits += parts[last];
    if (digits.length >= SHORTEST && ISSUED.test(digits) && hasCheckDigit(digits)) return last;
  }
  return undefined;
}

/** The schemes' published ranges (ISO/IEC 7812 issuer numbers) with the lengths that they issue. */
const ISSUED = new RegExp(
  [
    String.raw`4\d{12}(?:\d{3}){0,2}`, // Visa, and Elo's 4011, 4389, 4576
    String.raw`(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}`, // Mastercard
    String.raw`3[47]\d{13}`, // American Express
    String.raw`3(?:0[0-5]|[689]\d)\d{11}`, // Diners Club
    String.raw`35(?:2[89]|[3-8]\d)\d{12}`, // JCB
    String.raw`6\d{15,18}`, // Discover, UnionPay, Maestro, Hipercard, Elo
    String.raw`5[06-9]\d{14}(?:\d{3})?`, // Maestro, Elo, Aura
  ]
    .map((range) => `^(?:${range})$`)
    .join("|"),
);

/** The check of ISO/IEC 7812-1, annex B: from the right, every second digit counts twice. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, place) => {
    const counted = Number(character) * (place % 2 === 0 ? 1 : 2);
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}
