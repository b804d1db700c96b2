import { v7 } from "uuid";
import { assert } from "./assert";

/** What an id is of (semantics section 10). */
export const PREFIXES = ["pay", "op", "re", "evt", "mer", "key", "we", "whd", "pa", "run", "brk"] as const;

/** See `PREFIXES`. */
export type Prefix = (typeof PREFIXES)[number];

/** A new uuid of version 7, lower case: the later, the greater, to the millisecond; in one process even within it. */
export function newUuid(): string {
  return v7();
}

/** Crockford's base 32, in lower case. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** 26 characters of 5 bits hold 128 bits and 2 to spare: the first one is at most 7. */
const PUBLIC_ID = /^([a-z]{2,3})_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The public form of an id: its prefix and its uuid in 26 characters (TypeID 0.3, github.com/jetify-com/typeid). */
export function encodeId(prefix: Prefix, uuid: string): string {
  assert(UUID.test(uuid), "a public id is made of a uuid");
  let bits = BigInt(`0x${uuid.replaceAll("-", "")}`);
  let text = "";
  for (let i = 0; i < 26; i += 1) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** The uuid of a public id, lower case; null where it is of something else, or not spelt exactly as `encodeId` does. */
export function decodeId(prefix: Prefix, id: string): string | null {
  const found = PUBLIC_ID.exec(id);
  if (!found || found[1] !== prefix) return null;
  let bits = 0n;
  for (const character of found[2] as string) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character));
  const hex = bits.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** What a public id is of; null where it is no id. */
export function prefixOf(id: string): Prefix | null {
  const prefix = PUBLIC_ID.exec(id)?.[1];
  return PREFIXES.find((known) => known === prefix) ?? null;
}
