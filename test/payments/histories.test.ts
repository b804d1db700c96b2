import fc from "fast-check";
import { Client } from "pg";
import { registerDemoWebhooks } from "../../src/cli/demo-webhooks";
import { accountOf, type Account } from "../inbox/signed";
import { history, type Act, type Drawn } from "../support/drawn-history";
import { advanceClock, card, payAtSandbox, setFaults, until } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { startPostman, type Postman } from "../support/postman";
import { Recorder } from "../support/recorder";
import type { Call, Deed, Intent } from "../system/prove/checker/history";
import { check } from "../system/prove/checker/invariants";

/** How many, and which: a failure names the seed that draws it again. */
const HISTORIES = Number(process.env.HISTORIES ?? 100);
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED);
const AMOUNT = 10_000;

let house: House;
let postman: Postman;
let account: Account;
let database: Client;
beforeAll(async () => {
  house = await openHouse({ PROVIDER_TIMEOUT_MS: "5000", DATABASE_POOL: "20" });
  postman = await startPostman(() => house.url);
  await registerDemoWebhooks(house.app, postman.url, house.credentials);
  account = await accountOf(house);
  database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await postman.close();
  await house.close();
});

function inputOf({ method: how, captureMode }: Pick<Drawn, "method" | "captureMode">) {
  if (how === "card") return card("100", { captureMode });
  if (how === "secured")
    return card("100", { captureMode, returnUrl: "https://shop.example/" }, "pm_card_authenticationRequired");
  const payer = { email: "never_pay@example.com" };
  return { amount: { amount: "100", currency: "BRL" }, method: { pix: { expiresInSeconds: 60 } }, payer };
}

let nth = 0;
const newKey = () => `history-${(nth += 1)}`;

/** One payment and all that happens to it. */
class Life {
  readonly recorder = new Recorder({
    url: house.url,
    apiKey: house.credentials.keys.payments,
    sandboxUrl: house.sandboxUrl,
  });
  paymentId = "";
  private intent = "";

  async create(drawn: Drawn): Promise<void> {
    const captureMode = drawn.method === "pix" ? "AUTOMATIC" : drawn.captureMode;
    const intent: Intent = { kind: "create", minor: AMOUNT, captureMode };
    await this.recorder.begin();
    await setFaults(house.sandboxUrl, { replyLost: drawn.created.lost });
    const made = await this.send(intent, drawn.created.times, inputOf(drawn));
    await setFaults(house.sandboxUrl, { replyLost: 0 });
    const call = await this.settle(made, inputOf(drawn));
    if (call.answer?.kind !== "operation") throw new Error(`not created: ${JSON.stringify(call)}`);
    this.paymentId = call.answer.payment.id;
    const { providerReference } = await this.read();
    this.intent = providerReference ?? "";
  }

  async step({ acts, lost, dropped }: Drawn["steps"][number]): Promise<void> {
    await setFaults(house.sandboxUrl, { replyLost: lost });
    postman.drop(dropped);
    const sent = await Promise.all(acts.map((one) => this.act(one)));
    await setFaults(house.sandboxUrl, { replyLost: 0 });
    for (const call of sent) if (call) await this.settle(call);
  }

  async read() {
    const { payments } = await this.recorder.history([this.paymentId]);
    const [payment] = payments;
    if (!payment) throw new Error(`${this.paymentId} is gone`);
    return payment;
  }

  private act(one: Act): Promise<Call | null> {
    switch (one.by) {
      case "merchant": {
        const { paymentId } = this;
        const intent: Intent =
          one.kind === "cancel"
            ? { kind: one.kind, paymentId }
            : one.kind === "refund"
              ? { kind: one.kind, paymentId, minor: one.minor }
              : { kind: one.kind, paymentId, minor: one.minor, final: one.final };
        return this.send(intent, one.times);
      }
      case "payer":
        return this.deed(one.kind, 0, async () => {
          const outcome = one.kind === "fail" ? "fail" : "complete";
          return (
            (await payAtSandbox(house.sandboxUrl, this.intent, outcome, one.kind === "pay_late")) === 200
          );
        });
      case "provider":
        return this.atProvider(one);
      case "clock":
        return this.passTime();
      case "post":
        return postman
          .carry((place) => ({
            order: one.order[place % one.order.length] ?? 0,
            copies: one.copies[place % one.copies.length] ?? 1,
          }))
          .then(() => null);
    }
  }

  private async send(intent: Intent, often: number, input?: Record<string, unknown>): Promise<Call> {
    const key = newKey();
    const calls = await Promise.all(
      Array.from({ length: often }, () => this.recorder.call(key, intent, input)),
    );
    return calls.find(({ answer }) => answer?.kind === "operation") ?? (calls[0] as Call);
  }

  /** Sends again until the answer is definite, as a client does: nothing else may change by it. */
  private async settle(call: Call, input?: Record<string, unknown>): Promise<Call> {
    return until(
      async () => {
        await this.recover();
        return this.recorder.call(call.key, call.intent, input);
      },
      ({ answer }) => answer?.kind === "refused" || (answer?.kind === "operation" && answer.result !== null),
      40_000,
    );
  }

  private async deed(kind: Deed["kind"], much: number, act: () => Promise<boolean>): Promise<null> {
    await this.recorder.deed({ paymentIntent: this.intent, kind, minor: much }, act);
    return null;
  }

  private atProvider(one: Extract<Act, { by: "provider" }>): Promise<null> {
    if (one.kind === "revoke")
      return this.deed("revoke", one.minor, async () => {
        const body = JSON.stringify({ paymentIntent: this.intent, amount: one.minor });
        return (await fetch(`${house.sandboxUrl}/_sandbox/revoke`, { method: "POST", body })).ok;
      });
    if (one.kind === "refund") {
      const form = { payment_intent: this.intent, amount: String(one.minor) };
      return this.deed("refund", one.minor, async () => (await this.post("/v1/refunds", form)).ok);
    }
    // How much is left to be taken is known only once it was.
    let taken = 0;
    const deed = { paymentIntent: this.intent, kind: one.kind, minor: 0 };
    return this.recorder
      .deed(deed, async () => {
        const before = await this.received();
        const done = await this.post(`/v1/payment_intents/${this.intent}/${one.kind}`, {});
        taken = done.ok ? Number(done.body.amount_received) - before : 0;
        return done.ok;
      })
      .then((isTaken) => {
        const last = this.recorder.deeds.findLast((known) => known.kind === one.kind);
        if (isTaken && last) last.minor = taken;
        return null;
      });
  }

  private async received(): Promise<number> {
    const headers = { authorization: `Bearer ${account.key}` };
    const shown = await fetch(`${house.sandboxUrl}/v1/payment_intents/${this.intent}`, { headers });
    return Number(((await shown.json()) as { amount_received: number }).amount_received);
  }

  /** Under a key of its own until it is answered: what takes effect is known. */
  private async post(path: string, form: Record<string, string>) {
    const key = newKey();
    for (;;) {
      const headers = { authorization: `Bearer ${account.key}`, "idempotency-key": key };
      const request = { method: "POST", headers, body: new URLSearchParams(form) };
      const answer = await fetch(`${house.sandboxUrl}${path}`, request).catch(() => null);
      if (answer) return { ok: answer.ok, body: (await answer.json()) as Record<string, unknown> };
    }
  }

  /** A code runs out by the provider's clock; a card's payer is called off by ours. */
  private passTime(): Promise<null> {
    return this.deed("expire", 0, async () => {
      await advanceClock(house.sandboxUrl, 61);
      await database.query(
        `update payments set expires_at = now() - interval '1 s'
         where provider_reference = $1 and method_type = 'CARD' and status = 'REQUIRES_ACTION'`,
        [this.intent],
      );
      await this.poll();
      return true;
    });
  }

  /** What the clock would do in its own time: the payer is asked for now. */
  async poll(): Promise<void> {
    await database.query(
      `update payer_polls set due_at = now() where payment_id = (select id from payments where provider_reference = $1)`,
      [this.intent],
    );
  }

  /** What the clock would do in its own time: what is unfinished is looked at now, unless somebody does. */
  private async recover(): Promise<void> {
    await database.query("update unfinished_operations set due_at = now() where lease_token is null");
  }

  /** Everything is told, and has settled: nothing that was promised is broken. */
  async end(): Promise<void> {
    postman.drop(0);
    await until(
      async () => {
        await postman.carry(() => ({ order: 0, copies: 1 }));
        await this.poll();
        await this.recover();
        return check(await this.recorder.history([this.paymentId]));
      },
      (violations) => violations.length === 0,
      30_000,
    );
  }
}

test("random histories of one payment, with repeats, races, lost answers, webhooks in any order, payers and the provider's own deeds: every promise holds", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (drawn) => {
      const life = new Life();
      await life.create(drawn);
      for (const one of drawn.steps) await life.step(one);
      await life.end();
    }),
    { numRuns: HISTORIES, seed: SEED, endOnFailure: true },
  );
}, 400_000);
