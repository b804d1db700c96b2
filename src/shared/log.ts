import pino, { type DestinationStream, type Logger } from "pino";
import { containsCardNumber } from "./text";

/** A log of JSON lines. */
export type Log = Logger;

/** Our keys, providers' keys, webhook secrets, bearer tokens. */
const SECRETS = /\b(uvz_|sk_(?:test|live)_|whsec_)[0-9A-Za-z]+|\b(Bearer )[^\s"\\]+/g;
const DIGITS = /\d(?:[ -]?\d){12,18}/g;

/**
 * Writes to stderr, so that stdout stays for people. Secrets and card numbers are taken out of the finished line:
 * redaction by path misses what nobody thought of.
 */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = { level: options.level, hooks: { streamWrite: scrub }, base: { pid: process.pid } };
  return pino(settings, options.destination ?? pino.destination({ fd: 2, sync: true }));
}

/** The line without secrets and card numbers. */
export function scrub(line: string): string {
  return line
    .replace(SECRETS, (_, key?: string, bearer?: string) => `${key ?? bearer}[removed]`)
    .replace(DIGITS, (digits) => (containsCardNumber(digits) ? "[card number removed]" : digits));
}
