import { createHash } from "node:crypto";
import { canonicalJson } from "../shared/canonical-json";

/**
 * The content that a key stands for: dotted input path → value, with absent, null and default values left out. Flat, so
 * that the paths in which two contents differ are read off it.
 */
export type Intent = Readonly<Record<string, string>>;

/** The rules by which an intent is made and hashed. A new version never changes what an old key means. */
const VERSION = "v1";

/** The intent in RFC 8785 canonical JSON: the same content gives the same bytes on every node. */
export function canonicalIntent(intent: Intent): string {
  return canonicalJson(intent);
}

/** SHA-256 of the canonical intent, prefixed with its version. Two requests are the same when these are. */
export function fingerprint(canonical: string): string {
  return `${VERSION}:${createHash("sha256").update(canonical, "utf8").digest("hex")}`;
}

/**
 * The input paths in which two intents differ, sorted. Where one field decides which others there are (card or Pix),
 * its change is told and theirs is not.
 */
export function changedFields(before: Intent, after: Intent): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...paths].filter((path) => before[path] !== after[path]);
  const told = changed.filter((path) => !changed.some((parent) => path.startsWith(`${parent}.`)));
  return told.sort().map((path) => `input.${path}`);
}
