import { randomBytes } from "node:crypto";
import { Journal } from "./journal";
import type { Delivery, Dispute, Endpoint, SandboxEvent } from "./told";

/** A PaymentIntent, in Stripe's words (docs.stripe.com/api/payment_intents/object). */
export interface Intent {
  id: string;
  account: string;
  /** Minor units, as asked for. */
  amount: number;
  /** Lower case, as on Stripe's wire. */
  currency: string;
  captureMethod: "automatic" | "automatic_async" | "manual";
  status: "succeeded" | "requires_capture" | "requires_action" | "requires_payment_method" | "canceled";
  /** Minor units taken so far. */
  received: number;
  /** Minor units that are held and can still be taken. */
  capturable: number;
  token: string;
  description: string | null;
  metadata: Record<string, string>;
  decline: { code: string; declineCode: string | null; message: string } | null;
  /** What its payer has to do, or had; null for a card that is charged at once. */
  act: PayerAct | null;
  cancellationReason: string | null;
  chargeId: string | null;
  /** Milliseconds of the sandbox's clock. */
  createdAt: number;
}

/** How something is paid. */
export type Method = "card" | "pix" | "boleto";

/** What only the payer can do: prove who they are, or pay a code. */
export interface PayerAct {
  method: Method;
  /** The secret in the address of the payer's page. */
  pageKey: string;
  /** Where a card's payer goes from the page; null for those that need no page. */
  returnUrl: string | null;
  /** Pix's copy-and-paste text, or a boleto's digits; empty for cards. */
  code: string;
  /** When it can no longer be done, by the sandbox's clock; null where it stays open. */
  expiresAt: number | null;
  /** When a payer who needs nobody pays; null where somebody must. */
  paysAt: number | null;
  /** True of a payer whose bank takes no money back. */
  refusesRefunds?: boolean;
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

/** A refund (docs.stripe.com/api/refunds/object). */
export interface Refund {
  id: string;
  account: string;
  charge: string;
  paymentIntent: string;
  reference: string | null;
  amount: number;
  /** Lower case, as on Stripe's wire. */
  currency: string;
  status: "pending" | "succeeded" | "failed";
  failureReason: string | null;
  metadata: Record<string, string>;
  /** What it turns into later, by the sandbox's clock; null where it stays as it is. */
  turns: { at: number; into: "succeeded" | "failed" } | null;
  createdAt: number;
}

/** The mutating requests that are counted. */
export type CallKind = "create" | "capture" | "cancel" | "refund";

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
  /** A new one, or one that has changed. */
  charge?: Charge;
  /** A new one, or one that has changed. */
  refund?: Refund;
  /** A new one, or one that was closed. */
  dispute?: Dispute;
  /** What is told of it. Derived from it where absent. */
  events?: SandboxEvent[];
  endpoint?: Endpoint;
  /** An endpoint has taken an event, or will not get it any more. */
  delivered?: { endpoint: string; event: string };
  key?: KeyRecord;
  /** One mutating request was received. */
  call?: CallKind;
  clockOffsetMs?: number;
}

/** The token whose charges are disputed as soon as they are captured (docs.stripe.com/testing#disputes). */
const DISPUTED_TOKEN = "pm_card_createDispute";

/** Everything the sandbox knows. It is in memory whole, and in the journal before anyone is told. */
export class Books {
  readonly intents = new Map<string, Intent>();
  /** In the order in which they took effect. */
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly keys = new Map<string, KeyRecord>();
  /** The intents that wait for their payers. */
  readonly waiting = new Set<string>();
  readonly disputes = new Map<string, Dispute>();
  readonly events = new Map<string, SandboxEvent>();
  readonly endpoints = new Map<string, Endpoint>();
  /** What is not delivered yet, by endpoint and event. */
  readonly pending = new Map<string, Delivery>();
  /** Captured charges that their payers are about to dispute. */
  readonly toDispute = new Set<string>();
  /** Told of deliveries whose events have just been written. */
  onEvents: (fresh: Delivery[]) => void = () => undefined;
  calls = { create: 0, capture: 0, cancel: 0, refund: 0 };
  /** Where the payers' pages are: the sandbox's own address. */
  pages = "";
  private clockOffsetMs = 0;

  private constructor(
    private readonly journal: Journal,
    private readonly eventsOf: (books: Books, change: Change) => SandboxEvent[],
  ) {}

  /** @param eventsOf the events that tell of a change */
  static async open(
    folder: string,
    eventsOf: (books: Books, change: Change) => SandboxEvent[],
  ): Promise<Books> {
    const { journal, records } = await Journal.open(folder);
    const books = new Books(journal, eventsOf);
    for (const record of records) books.put(record as Change);
    for (const delivery of books.pending.values()) delivery.written = true;
    return books;
  }

  /** Milliseconds since 1970 by the sandbox's own clock, which a test may advance. */
  now(): number {
    return Date.now() + this.clockOffsetMs;
  }

  /** Applies a change at once, so that whoever comes next sees it; resolves when it is on disk. */
  async write(change: Change): Promise<void> {
    const told = this.told(change);
    this.put(told);
    await this.journal.append(told);
    const fresh = (told.events ?? []).flatMap((event) =>
      [...this.endpoints.keys()].flatMap((to) => this.pending.get(`${to} ${event.id}`) ?? []),
    );
    for (const delivery of fresh) delivery.written = true;
    if (fresh.length > 0) this.onEvents(fresh);
  }

  /** The change with the events that tell of it: for who applies it in memory first. */
  told(change: Change): Change {
    if (change.events) return change;
    const events = this.eventsOf(this, change);
    return events.length > 0 ? { ...change, events } : change;
  }

  advanceClock(seconds: number): Promise<void> {
    return this.write({ clockOffsetMs: this.clockOffsetMs + seconds * 1_000 });
  }

  async reset(): Promise<void> {
    this.intents.clear();
    this.waiting.clear();
    this.charges.clear();
    this.refunds.clear();
    this.keys.clear();
    this.calls = { create: 0, capture: 0, cancel: 0, refund: 0 };
    this.clockOffsetMs = 0;
    for (const one of [this.disputes, this.events, this.pending, this.toDispute]) one.clear();
    await this.journal.clear();
    // Who listens goes on listening.
    for (const endpoint of this.endpoints.values()) await this.write({ endpoint });
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  /** Applies a change in memory alone: what must be written in the same step. */
  put(change: Change): void {
    const { intent, charge, refund, key, call, clockOffsetMs } = change;
    if (intent) {
      this.intents.set(intent.id, intent);
      if (intent.status === "requires_action") this.waiting.add(intent.id);
      else this.waiting.delete(intent.id);
    }
    if (charge) this.charges.set(charge.id, charge);
    if (refund) this.refunds.set(refund.id, refund);
    if (key) this.keys.set(keyOf(key.account, key.key), key);
    if (call) this.calls[call] += 1;
    if (clockOffsetMs !== undefined) this.clockOffsetMs = clockOffsetMs;
    this.putDispute(change);
    this.putEvents(change);
  }

  private putDispute({ charge, dispute }: Change): void {
    if (dispute) {
      this.disputes.set(dispute.id, dispute);
      this.toDispute.delete(dispute.charge);
    }
    if (charge?.status !== "captured") return;
    if (this.intents.get(charge.paymentIntent)?.token !== DISPUTED_TOKEN) return;
    if (![...this.disputes.values()].some((one) => one.charge === charge.id)) this.toDispute.add(charge.id);
  }

  private putEvents({ events = [], endpoint, delivered }: Change): void {
    if (endpoint) this.endpoints.set(endpoint.id, endpoint);
    for (const event of events) {
      if (this.events.has(event.id)) continue;
      this.events.set(event.id, event);
      for (const to of this.endpoints.values())
        if (to.account === event.account && (to.events.includes("*") || to.events.includes(event.type)))
          this.pending.set(`${to.id} ${event.id}`, {
            endpoint: to,
            event,
            dueAt: 0,
            tries: 0,
            written: false,
          });
    }
    if (delivered) this.pending.delete(`${delivered.endpoint} ${delivered.event}`);
  }
}

/** Where a key's record lies: keys are apart by account. An account's name has no line break. */
export function keyOf(account: string, key: string): string {
  return `${account}\n${key}`;
}

/** A new object's id, in Stripe's form. */
export function newId(prefix: "pi" | "ch" | "re" | "req" | "pm" | "dp" | "evt" | "we"): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}
