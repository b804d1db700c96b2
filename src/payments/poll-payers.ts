import type { App } from "../app";
import { readOnly, type Reader } from "../db/transaction";
import { ProviderAccount } from "../providers/provider-account.entity";
import type { Snapshot } from "../providers/provider";
import { attemptReference } from "../providers/reference";
import { assert } from "../shared/assert";
import { newUuid } from "../shared/ids";
import { record } from "./advance-payment";
import { endPoll, takeDuePolls, type DuePoll } from "./payer-polls";
import type { Actor } from "./payment-event.entity";
import { Payment } from "./payment.entity";
import { ENDED_UNPAID, eventOf, statusShown, type PaymentStatus } from "./payment-state";
import { payerPollAfter } from "./recovery-schedule";

/**
 * Asks for payments whose payers may have acted, side by side: what was paid in time, what ran out, and what was paid
 * late.
 * @param room how many at most
 * @returns the polls, each of which settles by itself and never rejects
 */
export async function pollPayers(app: App, room: number): Promise<Promise<void>[]> {
  const due = await takeDuePolls(app.db, room, app.config.lease);
  return due.map((poll) =>
    pollPayer(app, poll).catch((error: unknown) => {
      // The lease runs out by itself, and the payment is asked for again.
      app.log.error({ err: error, operation: poll.operationId }, "a poll of a payment failed");
    }),
  );
}

/** The create of a payment that waits for its payer. */
export type Waits = Pick<DuePoll, "merchantId" | "paymentId" | "operationId" | "attempt">;

/** A payment as it was before its provider was asked. */
interface Case extends Waits {
  payment: Payment;
  account: ProviderAccount;
  /** The database's clock. */
  now: Date;
}

async function pollPayer(app: App, poll: DuePoll): Promise<void> {
  const found = await readOnly(app.db, poll.merchantId, (read) => loadCase(read, poll));
  const seen = await askForPayment(app, found, "clock");
  if (seen?.state === "requires_action" && hasRunOut(found)) await callOff(app, found, poll.polls);
  const { payment, now } = await readOnly(app.db, poll.merchantId, (read) => loadCase(read, poll));
  const open = payment.status === "REQUIRES_ACTION";
  const isWatched = open || ENDED_UNPAID.includes(payment.status);
  const waiting = { open, expiresAt: payment.expiresAt, createdAt: payment.createdAt };
  await endPoll(app.db, poll, isWatched ? payerPollAfter(poll.polls, waiting, now) : null);
}

async function loadCase(read: Reader, waits: Waits): Promise<Case> {
  const { merchantId, manager } = read;
  const payment = await manager.findOneByOrFail(Payment, { merchantId, id: waits.paymentId });
  const id = payment.providerAccountId;
  const account = await manager.findOneByOrFail(ProviderAccount, { merchantId, id });
  const [clock] = await read.sql<{ now: Date }>("select now() as now");
  assert(clock, "the database has a clock");
  return { ...waits, payment, account, now: clock.now };
}

/**
 * Asks the provider where a payment stands and records what is new. Money is recorded whatever else has happened; that
 * it can no longer be paid, only where nothing has changed since.
 */
async function askForPayment(app: App, found: Case, actor: Actor): Promise<Snapshot | null> {
  const { payment, account } = found;
  if (payment.providerReference === null) return null;
  const seen = await app.providers
    .of(account)
    .retrieve(payment.providerReference, app.config.providerTimeout);
  if (seen.kind !== "found") return null;
  await recordShown(app, found, seen.value, actor);
  return seen.value;
}

async function recordShown(app: App, found: Case, snapshot: Snapshot, actor: Actor): Promise<void> {
  const { payment } = found;
  const shown = statusOf(snapshot);
  if (shown === undefined || eventOf(payment.status, shown) === undefined) return;
  await record(app, found.merchantId, {
    paymentId: payment.id,
    operationId: found.operationId,
    attempt: found.attempt,
    // Nobody's: nothing is recorded here that only a lease's holder may record.
    leaseToken: newUuid(),
    actor,
    outcome: { kind: "happened", snapshot, evidence: "retrieved" },
    askedAtVersion: payment.version,
    onlyAtVersion: ENDED_UNPAID.includes(shown) ? payment.version : undefined,
  });
}

function statusOf({ state, authorized, captured, refunded }: Snapshot): PaymentStatus | undefined {
  const amounts = { authorized: authorized.minor, captured: captured.minor, refunded: refunded.minor };
  return statusShown(state, amounts);
}

/** What does not run out at its provider is called off by the clock; the others are left to the provider. */
function hasRunOut({ payment, now }: Case): boolean {
  const { methodType, expiresAt, changing, status } = payment;
  const isOurs = methodType === "CARD" && status === "REQUIRES_ACTION" && changing === null;
  return isOurs && expiresAt !== null && expiresAt <= now;
}

/** An unknown cancel changes nothing: the next poll shows what came of it. */
async function callOff(app: App, found: Case, polls: number): Promise<void> {
  const { payment, account, merchantId } = found;
  assert(payment.providerReference, "what its provider shows is known to it");
  const reference = attemptReference({ merchantId, scope: ["EXPIRY"], key: payment.id, attempt: polls });
  const outcome = await app.providers
    .of(account)
    .cancel(
      { reference, payment: payment.providerReference, partlyCaptured: false, abandoned: true },
      { first: true, timeoutMs: app.config.providerTimeout },
    );
  if (outcome.kind === "happened") await recordShown(app, found, outcome.snapshot, "clock");
}

/** A payer has come back from a page of the provider's: what they did there is found out at once. */
export async function completeReturn(app: App, waits: Waits): Promise<Payment> {
  const found = await readOnly(app.db, waits.merchantId, (read) => loadCase(read, waits));
  if (found.payment.status !== "REQUIRES_ACTION") return found.payment;
  await askForPayment(app, found, "payer");
  const { payment } = await readOnly(app.db, waits.merchantId, (read) => loadCase(read, waits));
  return payment;
}
