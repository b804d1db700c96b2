import type { App } from "../app";
import { inTransaction, readOnly, type Reader, type Tx } from "../db/transaction";
import { Operation } from "../idempotency/operation.entity";
import { ProviderAccount } from "../providers/provider-account.entity";
import type { Failure, Outcome } from "../providers/provider";
import { assert } from "../shared/assert";
import { absenceWindow, advancePayment, callWithin, record } from "./advance-payment";
import { Attempt } from "./attempt.entity";
import type { Finding } from "./outcome-rows";
import { STEPS, type Seen } from "./operation-steps";
import { Payment } from "./payment.entity";
import { parseRequest, type ProviderRequest } from "./provider-request";
import { requestContext } from "./sealed";
import { takeDue, type Due } from "./take-due";
import { wakeWaiting } from "./wake-waiting";

/**
 * Takes operations that are due and does one step of recovery on each, side by side.
 * @param room how many at most
 * @returns the steps, each of which settles by itself and never rejects
 */
export async function recoverPayments(app: App, room: number): Promise<Promise<void>[]> {
  const due = await takeDue(app.db, room, app.config.lease);
  return due.map((one) =>
    recoverPayment(app, one).catch((error: unknown) => {
      // The lease runs out by itself, and the operation is taken again.
      app.log.error({ err: error, operation: one.operationId }, "a step of recovery failed");
    }),
  );
}

/** What a step starts from, read before the provider is asked. */
interface Case extends Due {
  payment: Payment;
  operation: Operation;
  attempt: Attempt;
  account: ProviderAccount;
  /** The database's clock. */
  now: Date;
}

/**
 * One step of recovery: **look before repeating**. The provider is asked what it has under our reference; only when it
 * has nothing, and the time in which that proves nothing is over, is the same request sent again under the same
 * reference, and a create only within SEND_WITHIN. Never a fresh reference, never another provider.
 */
export async function recoverPayment(app: App, due: Due): Promise<void> {
  const found = await readOnly(app.db, due.merchantId, (read) => loadCase(read, due));
  const seen = await look(app, found);
  await noteAnswer(app, found.account, seen.kind !== "unknown");
  if (seen.kind === "found") return conclude(app, found, seen);
  const { attempt, now } = found;
  const absenceCountsFrom = attempt.lastSendBefore.getTime() + absenceWindow(app, found.account);
  const settled = now.getTime() >= absenceCountsFrom;
  const worthResending = attempt.resends === 0 || seen.kind === "unknown";
  if (settled && worthResending && mayResend(app, found)) return resend(app, found);
  if (settled && seen.kind === "absent") return conclude(app, found, { outcome: NEVER_ARRIVED });
  const detail =
    seen.kind === "unknown" ? seen.detail : "not found at the provider, which proves nothing yet";
  const cause = seen.kind === "unknown" ? seen.cause : "not_found";
  await record(app, due.merchantId, {
    ...ours(found),
    outcome: { kind: "unknown", cause, seen: null, detail },
    nextStepWithin: settled ? undefined : absenceCountsFrom - now.getTime(),
  });
}

async function loadCase(read: Reader, due: Due): Promise<Case> {
  const { merchantId, manager } = read;
  const operation = await manager.findOneByOrFail(Operation, { merchantId, id: due.operationId });
  const payment = await manager.findOneByOrFail(Payment, { merchantId, id: operation.paymentId });
  const attempt = await manager.findOne(Attempt, {
    where: { merchantId, operationId: due.operationId },
    order: { number: "DESC" },
  });
  assert(attempt, "an operation that is due has an attempt");
  const account = await manager.findOneByOrFail(ProviderAccount, {
    merchantId,
    id: attempt.providerAccountId,
  });
  const [clock] = await read.sql<{ now: Date }>("select now() as now");
  assert(clock, "the database has a clock");
  return { ...due, operation, payment, attempt, account, now: clock.now };
}

/** Asks the provider what it has of the attempt. */
async function look(app: App, found: Case): Promise<Seen> {
  const { operation, payment, attempt, account } = found;
  const request = keptRequest(app, found);
  const sought = { payment, attempt, request, timeoutMs: app.config.providerTimeout };
  // The request is of the operation's own kind: it was kept with it.
  const steps = STEPS[operation.kind] as (typeof STEPS)["CREATE_PAYMENT"];
  return steps.look(app.providers.of(account), sought as Parameters<typeof steps.look>[1]);
}

/** The very request that was sent first. It is kept for as long as its operation is unfinished. */
function keptRequest(app: App, { merchantId, operationId, operation, attempt }: Case): ProviderRequest {
  assert(attempt.request, "the request of what is unfinished is kept");
  return parseRequest(
    operation.kind,
    app.cipher.open(attempt.request, requestContext(merchantId, operationId)),
  );
}

/** Absence is proven: the request never arrived, or was never taken. */
const NEVER_ARRIVED: Outcome = {
  kind: "not_happened",
  failure: {
    kind: "PROVIDER_UNAVAILABLE",
    code: "provider_unavailable",
    message: "The provider could not be reached in time; nothing was done.",
    retryAdvice: "LATER",
  } satisfies Failure,
  elsewhere: false,
  evidence: "absence",
  reference: null,
};

/** The provider still knows our key, and the caller of a create may still expect the charge. */
function mayResend(app: App, { attempt, account, operation, now }: Case): boolean {
  const retention = app.providers.of(account).capabilities.keyRetentionSeconds * 1_000;
  const age = now.getTime() - attempt.startedAt.getTime();
  return (
    operation.state !== "AWAITING_PROVIDER" &&
    age < retention &&
    (operation.kind !== "CREATE_PAYMENT" ||
      now.getTime() - operation.createdAt.getTime() < app.config.sendWithin)
  );
}

/** Sends the same request again under the same reference, and notes beforehand that it may have left us. */
async function resend(app: App, found: Case): Promise<void> {
  const { attempt, merchantId, operationId } = found;
  const allowed = await inTransaction(app.db, merchantId, (tx) => noteResend(tx, found, callWithin(app)));
  if (!allowed) return;
  const outcome = await advancePayment(app, {
    kind: found.operation.kind,
    account: found.account,
    paymentId: found.payment.id,
    operationId,
    attempt: attempt.number,
    leaseToken: found.leaseToken,
    leasedAt: found.leasedAt,
    request: keptRequest(app, found),
    first: false,
    actor: "recovery",
  });
  if (outcome) await noteAnswer(app, found.account, outcome.kind !== "unknown");
}

/** @returns false where the lease is no longer ours */
async function noteResend(
  tx: Tx,
  { operationId, attempt, leaseToken }: Case,
  within: number,
): Promise<boolean> {
  const noted = await tx.sql(
    `update attempts as a set resends = resends + 1, last_send_before = now() + $5 * interval '1 ms'
     from unfinished_operations as u
     where u.merchant_id = $1 and u.operation_id = $2 and u.lease_token = $4
       and a.merchant_id = u.merchant_id and a.operation_id = u.operation_id and a.number = $3
     returning a.number`,
    [tx.merchantId, operationId, attempt.number, leaseToken, within],
  );
  return noted.length === 1;
}

/**
 * Absence is concluded only where nobody has changed the payment since we asked. Refunds stand for themselves: others
 * of the same payment change it all the time.
 */
async function conclude(
  app: App,
  found: Case,
  { outcome, confirmed }: Pick<Finding, "outcome" | "confirmed">,
): Promise<void> {
  const fromAbsence = outcome.kind === "not_happened" && found.operation.kind !== "REFUND_PAYMENT";
  await record(app, found.merchantId, {
    ...ours(found),
    outcome,
    confirmed,
    askedAtVersion: found.payment.version,
    onlyAtVersion: fromAbsence ? found.payment.version : undefined,
  });
}

function ours({ payment, operationId, attempt, leaseToken }: Case) {
  return {
    paymentId: payment.id,
    operationId,
    attempt: attempt.number,
    leaseToken,
    actor: "recovery" as const,
  };
}

async function noteAnswer(app: App, account: ProviderAccount, answered: boolean): Promise<void> {
  if (app.providers.noteAnswer(account, answered)) await wakeWaiting(app.db, account);
}
