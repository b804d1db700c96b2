import { createHash } from "node:crypto";

/** What an attempt's reference is derived from. */
export interface ReferenceParts {
  /** The merchant's uuid, lower case. */
  merchantId: string;
  /** Where the key is unique within the merchant, as its parts, never joined: the operation's kind, the session's order. */
  scope: readonly string[];
  /** The caller's idempotency key, byte for byte. */
  key: string;
  /** Which attempt of the operation: 1, 2, … */
  attempt: number;
}

/** RFC 4648, in lower case. */
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
/** 200 bits: no two meet by chance, and with `uvz` 43 characters, which is within what every provider takes. */
const CHARACTERS = 40;

/**
 * The reference of an attempt: `uvz` and 40 base-32 characters of SHA-256 over its parts. Derived, not random: a
 * restored backup that meets the same client key asks the provider with the same reference, so this never changes. Each
 * part is prefixed with its length in bytes and the scope with its count of parts, so that no two lists of parts give
 * the same bytes. Texts are well-formed: the edge refuses lone surrogates, which UTF-8 would make one.
 */
export function attemptReference({ merchantId, scope, key, attempt }: ReferenceParts): string {
  const hash = createHash("sha256");
  for (const part of [merchantId, String(scope.length), ...scope, key, String(attempt)]) {
    const bytes = Buffer.from(part, "utf8");
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return `uvz${base32(hash.digest())}`;
}

function base32(bytes: Buffer): string {
  let text = "";
  for (let bit = 0; text.length < CHARACTERS; bit += 5) {
    const pair = (bytes[bit >> 3] as number) * 256 + (bytes[(bit >> 3) + 1] ?? 0);
    text += BASE32[(pair >> (11 - (bit & 7))) & 31];
  }
  return text;
}
