import pino, { type DestinationStream, type Logger } from "pino";
import { containsCardNumber, maskCardNumbers } from "./text";

/** A log of JSON lines. */
export type Log = Logger;

/** What a log is made with. */
export interface LogOptions {
  /** The least level that is written, in pino's words: `trace` to `fatal`, or `silent`. */
  level: string;
  /** Absent: stderr, so that stdout stays for people. */
  destination?: DestinationStream;
}

/**
 * A log whose finished lines are rid of secrets and card numbers: redaction by path misses what nobody thought of.
 * Line breaks in what is logged are escaped by JSON, so that one entry is one line.
 */
export function createLog({ level, destination }: LogOptions): Log {
  const settings = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: scrub },
  };
  // Synchronous, so that what a dying process says last is not lost.
  return pino(settings, destination ?? pino.destination({ fd: 2, sync: true }));
}

/** The line of JSON without secrets and card numbers. It stays a line of JSON. */
export function scrub(line: string): string {
  const told = SECRETS.reduce((text, secret) => text.replace(secret, "$1[removed]"), line);
  return containsCardNumber(told) ? withoutCardNumbers(told) : told;
}

/** Each keeps what tells its kind, and loses the rest. */
const SECRETS = [
  /(uvz_|whsec_|(?<![a-z0-9])[sr]k_)[\w+/=-]+/gi, // our keys, signing secrets, providers' keys
  /(_secret_)[0-9a-z]+/gi, // what lets a page act on a payment
  /(bearer )[^\s"\\]+/gi,
  /(?<![\w-])(eyJ)[\w-]+\.[\w-]+\.[\w-]*/g, // a JSON Web Token
  /(:\/\/[^\s/:@"\\]*:)[^\s/@"\\]+(?=@)/g, // the password of an address
];

const CARD_REMOVED = "[card number removed]";
const STRING_OR_REST = /"(?:\\.|[^"\\])*"|[^"]+/g;
const NUMBER = /-?\d[\d.eE+-]*/g;

/** Within a string the mark stands as it is; a bare number becomes a string, for the line to stay JSON. */
function withoutCardNumbers(line: string): string {
  return line.replace(STRING_OR_REST, (part) =>
    part.startsWith('"')
      ? maskCardNumbers(part, () => CARD_REMOVED)
      : part.replace(NUMBER, (number) => (containsCardNumber(number) ? `"${CARD_REMOVED}"` : number)),
  );
}
