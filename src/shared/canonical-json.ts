/** What JSON can hold. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * RFC 8785, JSON Canonicalization Scheme: the same value gives the same text on every node. Members are sorted by
 * UTF-16 code units, never by a locale; numbers and strings are as ECMAScript writes them.
 * @throws Error for what has no canonical form: NaN, infinities, lone surrogates, undefined, dates and the like
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return text(value);
  if (isList(value)) return `[${Array.from(value, (item) => canonicalJson(item)).join(",")}]`;
  if (!isPlainObject(value)) throw new Error("JSON has no such value");
  const members = Object.keys(value).sort(); // the default order is by code units
  return `{${members.map((key) => `${text(key)}:${canonicalJson(value[key] as JsonValue)}`).join(",")}}`;
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A date, a map or an instance would otherwise pass as `{}`, and two of them as the same. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new Error("JSON has no such number");
  return JSON.stringify(value);
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new Error("a lone surrogate has no canonical form");
  return JSON.stringify(value);
}
