/** How the sandbox misbehaves, for every mutating call. Not kept over a restart. */
export interface Faults {
  /** Probabilities, 0 to 1. */
  replyLost: number;
  error500AfterCharge: number;
  dropBeforeCharge: number;
  /** Milliseconds before a request is looked at. */
  latencyMs: number;
  /** Every request is a new one, whatever its key. */
  ignoreIdempotencyKeys: boolean;
  /** After this a key is forgotten: the same key is then a new request. */
  idempotencyKeyTtlSeconds: number;
  /** A new object is invisible to list and retrieve for so long. */
  lookupLagMs: number;
  /** Every connection to /v1 is dropped. */
  down: boolean;
  /** Probabilities, 0 to 1: an event is delivered twice; late, so that others overtake it; before the call's reply. */
  webhookDuplicate: number;
  webhookOutOfOrder: number;
  webhookBeforeReply: number;
}

/** A provider in good health. */
export const NO_FAULTS: Readonly<Faults> = {
  replyLost: 0,
  error500AfterCharge: 0,
  dropBeforeCharge: 0,
  latencyMs: 0,
  ignoreIdempotencyKeys: false,
  idempotencyKeyTtlSeconds: 86_400,
  lookupLagMs: 0,
  down: false,
  webhookDuplicate: 0,
  webhookOutOfOrder: 0,
  webhookBeforeReply: 0,
};

const PROBABILITIES = [
  "replyLost",
  "error500AfterCharge",
  "dropBeforeCharge",
  "webhookDuplicate",
  "webhookOutOfOrder",
  "webhookBeforeReply",
];

/** Any subset of the faults; a text that says what is wrong where it is none. */
export function readFaults(value: unknown): Partial<Faults> | string {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "send a JSON object";
  for (const [name, given] of Object.entries(value)) {
    const standard = NO_FAULTS[name as keyof Faults];
    if (standard === undefined)
      return `${name}: no such fault; there are ${Object.keys(NO_FAULTS).join(", ")}`;
    if (typeof given !== typeof standard) return `${name}: must be a ${typeof standard}`;
    if (typeof given === "number" && !(given >= 0)) return `${name}: must not be negative`;
    if (PROBABILITIES.includes(name) && given > 1) return `${name}: must be a probability from 0 to 1`;
  }
  return value;
}
