import type { DataSource } from "typeorm";
import type { KeyUse } from "./access/note-use";
import type { Config } from "./config";
import type { RepeatCounter } from "./idempotency/count-repeats";
import type { Waiting } from "./idempotency/waiting";
import type { Consumer } from "./outbox/consumer";
import type { Providers } from "./providers/providers";
import type { Clock } from "./shared/clock";
import type { Cipher } from "./shared/encryption";
import type { Log } from "./shared/log";
import type { Turns } from "./shared/turns";
import type { Underway } from "./shared/underway";

/** Everything that the house is made of, handed down explicitly. */
export interface App {
  config: Config;
  /** Where payers and providers reach us, without a slash at the end: PUBLIC_URL, else where we listen. */
  publicUrl: string;
  db: DataSource;
  clock: Clock;
  log: Log;
  cipher: Cipher;
  providers: Providers;
  keyUse: KeyUse;
  repeats: RepeatCounter;
  waiting: Waiting;
  /** What follows from payments elsewhere. */
  consumers: Consumer[];
  /** The work on one payment queues. */
  turns: Turns;
  /** Conversations with providers that a caller no longer waits for, and that a stop must. */
  underway: Underway;
}
