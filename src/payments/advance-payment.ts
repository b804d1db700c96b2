import type { App } from "../app";
import { inTransaction } from "../db/transaction";
import type { ProviderAccount } from "../providers/provider-account.entity";
import type { OperationKind } from "../idempotency/operation.entity";
import type { Outcome, RefundSnapshot } from "../providers/provider";
import { STEPS } from "./operation-steps";
import type { Finding } from "./outcome-rows";
import type { Actor } from "./payment-event.entity";
import type { ProviderRequests } from "./provider-request";
import { recordOutcome } from "./record-outcome";
import { scheduleStep } from "./schedule-step";

/** A call that may leave for the provider, under a lease that is ours. */
export interface Call<K extends OperationKind = OperationKind> {
  kind: K;
  account: ProviderAccount;
  paymentId: string;
  operationId: string;
  attempt: number;
  leaseToken: string;
  /** When the transaction that gave the lease began, by the monotonic clock. */
  leasedAt: number;
  request: ProviderRequests[K];
  /** True where no earlier call of this attempt can have left us. */
  first: boolean;
  actor: Actor;
}

/**
 * Makes the call and records what came of it. No transaction is open while the provider is asked, and nothing that
 * retries contains the call.
 * @returns what came of it; null where the lease was too old for the call to leave, which recovery then finds
 */
export async function advancePayment<K extends OperationKind>(
  app: App,
  call: Call<K>,
): Promise<Outcome | Outcome<RefundSnapshot> | null> {
  const { merchantId } = call.account;
  const provider = app.providers.of(call.account);
  if (app.clock.monotonic() - call.leasedAt > callWithin(app)) return null;
  const outcome = await STEPS[call.kind].send(provider, call.request, {
    first: call.first,
    timeoutMs: app.config.providerTimeout,
  });
  await record(app, merchantId, {
    paymentId: call.paymentId,
    operationId: call.operationId,
    attempt: call.attempt,
    leaseToken: call.leaseToken,
    actor: call.actor,
    outcome,
    callEnded: true,
    nextStepWithin: absenceWindow(app, call.account),
  });
  return outcome;
}

/** T2, and word to those who wait for it in this process. */
export async function record(app: App, merchantId: string, finding: Finding): Promise<void> {
  const nextStepIn = await app.turns.take(finding.paymentId, () =>
    inTransaction(app.db, merchantId, (tx) => recordOutcome(tx, finding)),
  );
  if (nextStepIn !== null) await scheduleStep(app.db, { merchantId, ...finding }, nextStepIn);
  app.waiting.wake(finding.operationId);
}

/** How long after the lease was given a call may still leave: so that it has ended when the lease does (milliseconds). */
export function callWithin(app: App): number {
  return app.config.lease - app.config.providerTimeout;
}

/** A lookup that finds nothing proves something this long after the last call has ended (milliseconds). */
export function absenceWindow(app: App, account: ProviderAccount): number {
  return app.providers.of(account).capabilities.absenceProvesNothingSeconds * 1_000;
}
