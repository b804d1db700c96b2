import { createHmac } from "node:crypto";
import type { Books } from "./books";
import { showEvent } from "./events";
import type { Faults } from "./faults";
import type { Delivery } from "./told";

/** How long a receiver may take. */
const ANSWERS_WITHIN_MS = 10_000;
/** Deliveries under way at most. */
const AT_ONCE = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** As long as Stripe tries (docs.stripe.com/webhooks#automatic-retries). */
const GIVE_UP_AFTER_MS = 3 * 86_400_000;
/** By how much an event that is to come out of order is late, at most. */
const LATE_BY_MS = 2_000;

/** Delivers events, signed as Stripe signs them, until each endpoint has answered with a 2xx; over restarts too. */
export class Deliveries {
  private readonly underway = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly books: Books,
    private readonly faults: Faults,
  ) {
    books.onEvents = (fresh) => this.plan(fresh);
  }

  /** Starts what is due. Called at every tick, and whenever there is something new. */
  pump(): void {
    if (this.stopped || this.faults.down) return;
    const now = Date.now();
    for (const [place, delivery] of this.books.pending) {
      if (this.underway.size >= AT_ONCE) return;
      if (delivery.written && delivery.dueAt <= now && !this.underway.has(place)) this.start(place, delivery);
    }
  }

  /** Delivers these events now and waits for their receivers: what webhookBeforeReply does. */
  async deliver(events: readonly { id: string }[]): Promise<void> {
    const ids = new Set(events.map(({ id }) => id));
    for (const [place, delivery] of this.books.pending)
      if (ids.has(delivery.event.id) && !this.underway.has(place)) this.start(place, delivery);
    await Promise.all(
      [...this.underway].filter(([place]) => ids.has(place.split(" ")[1] ?? "")).map(([, done]) => done),
    );
  }

  /** Starts no more, and waits for those under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.underway.values());
  }

  private plan(fresh: readonly Delivery[]): void {
    for (const delivery of fresh)
      if (Math.random() < this.faults.webhookOutOfOrder)
        delivery.dueAt = Date.now() + Math.random() * LATE_BY_MS;
    // After the reply to whoever made the change: webhookBeforeReply is a fault.
    setImmediate(() => this.pump());
  }

  private start(place: string, delivery: Delivery): void {
    const done = this.attempt(delivery)
      .catch(() => undefined)
      .finally(() => {
        this.underway.delete(place);
        setImmediate(() => this.pump());
      });
    this.underway.set(place, done);
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const { endpoint, event } = delivery;
    const taken = await send(delivery);
    if (taken && Math.random() < this.faults.webhookDuplicate) await send(delivery);
    const tooOld = this.books.now() - event.createdAt > GIVE_UP_AFTER_MS;
    if (taken || tooOld) return this.books.write({ delivered: { endpoint: endpoint.id, event: event.id } });
    delivery.dueAt = Date.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** delivery.tries);
    delivery.tries += 1;
  }
}

/** @returns true where the receiver has taken it */
async function send({ endpoint, event }: Delivery): Promise<boolean> {
  const body = JSON.stringify(showEvent(event));
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signatureOf(body, endpoint.secret),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** By the machine's clock, not the sandbox's: the receiver compares it with its own. */
function signatureOf(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1_000);
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;
}
