/** What JSON can hold. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * RFC 8785, JSON Canonicalization Scheme: the same value gives the same text on every node. Members are sorted by
 * UTF-16 code units, never by a locale; numbers and strings are as ECMAScript writes them.
 * @throws Error for what the scheme refuses: NaN, infinities, lone surrogates
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error("JSON has no such number");
  if (typeof value === "string") return text(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value).sort(); // the default order is by code units
  return `{${members.map((key) => `${text(key)}:${canonicalJson(value[key] as JsonValue)}`).join(",")}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new Error("a lone surrogate has no canonical form");
  return JSON.stringify(value);
}
