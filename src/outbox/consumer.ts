import type { Tx } from "../db/transaction";

/** What a consumer is told: an event that was committed. */
export interface Told {
  merchantId: string;
  /** The uuid of the event. */
  eventId: string;
  paymentId: string;
  /** payment.captured, refund.succeeded, … */
  type: string;
}

/**
 * Whatever follows from a payment elsewhere: access released, stock moved, an e-mail sent. `(consumer, event)` is its
 * effect key. Where the effect is decides how it happens once, so the two kinds are told apart by type.
 */
export type Consumer = DatabaseConsumer | OutsideConsumer;

/** Its effect is in this database: it commits together with its key, and therefore happens exactly once. */
export interface DatabaseConsumer {
  kind: "database";
  /** 1 to 40 characters, never changed: it is half of the effect key. */
  name: string;
  apply(tx: Tx, told: Told): Promise<void>;
}

/**
 * Its effect is elsewhere: it may be called more than once for an event, after a crash or a lost answer, always with the
 * same effect key, by which the other side tells a repeat. It never holds a transaction.
 */
export interface OutsideConsumer {
  kind: "outside";
  name: string;
  /** @param effectKey the same on every call for this event */
  deliver(told: Told, effectKey: string): Promise<void>;
}

/** The key that an outside effect carries. */
export function effectKeyOf(consumer: string, publicEventId: string): string {
  return `${consumer}:${publicEventId}`;
}
