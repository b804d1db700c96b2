import type { Kind } from "./attempt.ts";

/**
 * What of each input is the intent itself (docs/semantics.md section 2). Notes, descriptions and addresses may differ from
 * one try to the next: the gateway does not compare them, so neither is compared here.
 */
const CONTENT: Readonly<Record<Kind, readonly string[]>> = {
  create: ["amount", "method", "captureMode", "order", "customerReference", "payer.taxId"],
  capture: ["paymentId", "amount", "final"],
  cancel: ["paymentId"],
  refund: ["paymentId", "amount"],
};

/**
 * A short print of an input's content: the same content has the same print, whatever the order of its members; absent,
 * null and undefined are one. It only decides whether a key is used again: the gateway compares the content itself, so
 * that two contents of one print end in a CONFLICT, never in a second charge. Not a cryptographic hash, which plain http
 * does not offer; the content cannot be read from its 53 bits.
 */
export function printOf(kind: Kind, input: object): string {
  const content = CONTENT[kind].map((path) => [path, path.split(".").reduce(memberOf, input as unknown)]);
  return hash(canonical(content));
}

/** A member of what may be no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** JSON with its members sorted, and without those that are null. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const json = (value as { toJSON?: () => unknown }).toJSON;
  if (typeof json === "function") return canonical(json.call(value));
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

/** cyrb53: 53 well-mixed bits of the UTF-16 code units. */
function hash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
