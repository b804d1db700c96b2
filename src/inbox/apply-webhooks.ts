import type { App } from "../app";
import { inTransaction, readOnly, type Reader } from "../db/transaction";
import { makeDue } from "../payments/make-due";
import { recordShown } from "../payments/record-shown";
import { ProviderAccount } from "../providers/provider-account.entity";
import type { Lookup, Provider } from "../providers/provider";
import type { WebhookSubject } from "../providers/webhook";
import { newUuid } from "../shared/ids";
import { findTold } from "./find-told";
import { findCreate, type KnownPayment } from "./find-create";
import { noteApplied, takeDueEvents, type Applied, type DueEvent } from "./take-due";

type Subject = Exclude<WebhookSubject, { kind: "none" }>;

/**
 * Applies stored events that are due, side by side: asks the provider about their subjects, and records what it shows.
 * @param room how many at most
 * @returns the steps, each of which settles by itself and never rejects
 */
export async function applyWebhooks(app: App, room: number): Promise<Promise<void>[]> {
  const due = await takeDueEvents(app.db, room, app.config.lease);
  return due.map((one) => applyOne(app, one));
}

async function applyOne(app: App, due: DueEvent): Promise<void> {
  try {
    await noteApplied(app.db, due, await apply(app, due));
  } catch (error) {
    app.log.error({ err: error, event: due.id }, "what a provider told could not be applied");
    const reason = error instanceof Error ? error.message : String(error);
    // Where this fails too, the lease runs out by itself.
    await noteApplied(app.db, due, { state: "WAITING", reason }).catch(() => undefined);
  }
}

/** Others change the payment while the provider is asked: then it is asked again, so often at once. */
const ASK_AT_MOST = 5;

async function apply(app: App, due: DueEvent): Promise<Applied> {
  const { merchantId, accountId, subject } = due;
  if (subject.kind === "none") return { state: "IGNORED", reason: "nothing that we follow" };
  const reference = subject.kind === "payment" ? subject.reference : subject.payment;
  const { paymentId, account } = await readOnly(app.db, merchantId, (read) => look(read, accountId, subject));
  if (account === null) return { state: "APPLIED", paymentId };
  const provider = app.providers.of(account);
  let ours: string | null = null;
  for (let asked = 0; asked < ASK_AT_MOST; asked += 1) {
    const sought = { accountId, reference, ours };
    const known = await readOnly(app.db, merchantId, (read) => findCreate(read, sought));
    if (known) {
      const told = await ask(provider, subject, reference, app.config.providerTimeout);
      if ("state" in told) return told;
      if (await record(app, merchantId, known, told)) return { state: "APPLIED", paymentId: known.paymentId };
    } else {
      const shown = await provider.retrieve(reference, app.config.providerTimeout);
      if (shown.kind !== "found") return unseen(shown, reference);
      if (shown.value.ours === null) return { state: "IGNORED", reason: `${reference} is not ours` };
      if (ours !== null) return { state: "UNMATCHED", reason: `no attempt of ours is ${ours}` };
      ours = shown.value.ours;
    }
  }
  return { state: "WAITING", reason: "the payment changed while the provider was asked" };
}

/** The payment that stands there already; else the account that is to be asked. */
async function look(
  read: Reader,
  accountId: string,
  subject: Subject,
): Promise<{ paymentId: string; account: null } | { paymentId: null; account: ProviderAccount }> {
  const paymentId = await findTold(read, { accountId, subject });
  if (paymentId !== null) return { paymentId, account: null };
  const { merchantId, manager } = read;
  const account = await manager.findOneByOrFail(ProviderAccount, { merchantId, id: accountId });
  return { paymentId, account };
}

type Told = Pick<Parameters<typeof recordShown>[1], "snapshot" | "refunds" | "dispute">;

/** Whatever the event was about, the payment is asked for first: its refunds and disputes are of what was captured. */
async function ask(
  provider: Provider,
  subject: Subject,
  reference: string,
  timeoutMs: number,
): Promise<Told | Applied> {
  const payment = await provider.retrieve(reference, timeoutMs);
  if (payment.kind !== "found") return unseen(payment, reference);
  const told: Told = { snapshot: payment.value, refunds: [], dispute: null };
  if (subject.kind === "refund") {
    const refunds = await provider.findRefunds(reference, timeoutMs);
    if (refunds.kind === "unknown") return unseen(refunds, reference);
    const all = refunds.kind === "found" ? refunds.value : [];
    told.refunds = all.filter((one) => subject.reference === null || one.reference === subject.reference);
    if (told.refunds.length === 0) return unseen({ kind: "absent" }, subject.reference ?? reference);
  }
  if (subject.kind === "dispute") {
    const dispute = await provider.retrieveDispute(subject.reference, timeoutMs);
    if (dispute.kind !== "found") return unseen(dispute, subject.reference);
    told.dispute = dispute.value;
  }
  return told;
}

function unseen(seen: Exclude<Lookup<unknown>, { kind: "found" }>, reference: string): Applied {
  return seen.kind === "absent"
    ? { state: "UNMATCHED", reason: `the provider has no ${reference}` }
    : { state: "WAITING", reason: `${seen.cause}: ${seen.detail}` };
}

/** Records what was shown, and lets recovery look at what of the payment is unfinished. @returns see `recordShown` */
async function record(app: App, merchantId: string, known: KnownPayment, told: Told): Promise<boolean> {
  const { paymentId, operationId, attempt, version } = known;
  // A lease of nobody: a webhook gives back nothing that somebody else holds.
  const create = {
    paymentId,
    operationId,
    attempt,
    leaseToken: newUuid(),
    actor: "provider_webhook" as const,
  };
  const recorded = await app.turns.take(paymentId, () =>
    inTransaction(app.db, merchantId, (tx) => recordShown(tx, { create, version, ...told })),
  );
  if (!recorded) return false;
  await makeDue(app.db, merchantId, paymentId);
  app.waiting.wake(operationId);
  return true;
}
