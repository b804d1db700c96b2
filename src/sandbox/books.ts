import { randomBytes } from "node:crypto";
import { Journal } from "./journal";

/** A PaymentIntent, in Stripe's words (docs.stripe.com/api/payment_intents/object). */
export interface Intent {
  id: string;
  account: string;
  /** Minor units, as asked for. */
  amount: number;
  /** Lower case, as on Stripe's wire. */
  currency: string;
  captureMethod: "automatic" | "automatic_async" | "manual";
  status: "succeeded" | "requires_capture" | "requires_payment_method";
  token: string;
  description: string | null;
  metadata: Record<string, string>;
  decline: { code: string; declineCode: string; message: string } | null;
  chargeId: string | null;
  /** Milliseconds of the sandbox's clock. */
  createdAt: number;
}

/** A charge that took effect. */
export interface Charge {
  id: string;
  paymentIntent: string;
  account: string;
  reference: string | null;
  amount: number;
  /** Upper case. */
  currency: string;
  captured: number;
  refunded: number;
  status: "authorized" | "captured" | "canceled";
  createdAt: number;
}

/** The first answer to a provider key, which every repeat of it gets. */
export interface KeyRecord {
  account: string;
  key: string;
  /** What the request asked for: another one under the same key is refused. */
  params: string;
  status: number;
  body: string;
  createdAt: number;
}

/** What one request changed: one durable write. */
export interface Change {
  intent?: Intent;
  charge?: Charge;
  key?: KeyRecord;
  /** One mutating request was received. */
  call?: "create";
  clockOffsetMs?: number;
}

/** Everything the sandbox knows. It is in memory whole, and in the journal before anyone is told. */
export class Books {
  readonly intents = new Map<string, Intent>();
  readonly charges: Charge[] = [];
  readonly keys = new Map<string, KeyRecord>();
  calls = { create: 0, capture: 0, cancel: 0, refund: 0 };
  private clockOffsetMs = 0;

  private constructor(private readonly journal: Journal) {}

  static async open(folder: string): Promise<Books> {
    const { journal, records } = await Journal.open(folder);
    const books = new Books(journal);
    for (const record of records) books.apply(record as Change);
    return books;
  }

  /** Milliseconds since 1970 by the sandbox's own clock, which a test may advance. */
  now(): number {
    return Date.now() + this.clockOffsetMs;
  }

  /** Applies a change at once, so that whoever comes next sees it; resolves when it is on disk. */
  write(change: Change): Promise<void> {
    this.apply(change);
    return this.journal.append(change);
  }

  advanceClock(seconds: number): Promise<void> {
    return this.write({ clockOffsetMs: this.clockOffsetMs + seconds * 1_000 });
  }

  async reset(): Promise<void> {
    this.intents.clear();
    this.charges.length = 0;
    this.keys.clear();
    this.calls = { create: 0, capture: 0, cancel: 0, refund: 0 };
    this.clockOffsetMs = 0;
    await this.journal.clear();
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  private apply({ intent, charge, key, call, clockOffsetMs }: Change): void {
    if (intent) this.intents.set(intent.id, intent);
    if (charge) this.charges.push(charge);
    if (key) this.keys.set(keyOf(key.account, key.key), key);
    if (call) this.calls[call] += 1;
    if (clockOffsetMs !== undefined) this.clockOffsetMs = clockOffsetMs;
  }
}

/** Where a key's record lies: keys are apart by account. An account's name has no line break. */
export function keyOf(account: string, key: string): string {
  return `${account}\n${key}`;
}

/** A new object's id, in Stripe's form. */
export function newId(prefix: "pi" | "ch" | "req"): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}
