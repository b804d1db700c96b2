import { requirePermission, type Caller } from "../access/caller";
import type { App } from "../app";
import { inTransaction, readOnly, type Reader } from "../db/transaction";
import type { Claim } from "../idempotency/claim-key";
import { Operation, type OperationKind } from "../idempotency/operation.entity";
import { assert } from "../shared/assert";
import { decodeId } from "../shared/ids";
import { Refusal } from "../shared/refusal";
import { advancePayment, callWithin, type Call } from "./advance-payment";
import {
  amountOfChange,
  intentOfChange,
  type CancelPaymentRequest,
  type CapturePaymentRequest,
  type ChangeRequest,
  type RefundPaymentRequest,
  type ResolveConflictRequest,
} from "./change-request";
import { claimChange, type WantedChange } from "./claim-change";
import { claimPayment, type Claimed } from "./claim-payment";
import type { Decision } from "./conflict";
import { intentOf, type CreatePaymentRequest } from "./create-payment-request";
import { lookAtConflict } from "./look-at-conflict";
import { newClaim } from "./new-claim";
import { Payment } from "./payment.entity";
import type { Actor } from "./payment-event.entity";
import { preparePayment } from "./prepare-payment";
import { type ProviderRequests } from "./provider-request";
import { Refund } from "./refund.entity";
import { repeatOperation } from "./repeat-operation";
import { requestContext } from "./sealed";

/** What a mutation answers with. */
export interface PaymentAnswer {
  /** As it stands now. */
  payment: Payment;
  operation: Operation;
  /** True when the key had been used before and nothing new was done. */
  replayed: boolean;
}

/** What a refund answers with. */
export interface RefundAnswer extends PaymentAnswer {
  refund: Refund;
}

/**
 * What can be done to payments. Each method is one intent, and takes effect once for each key.
 * @throws Refusal as semantics section 6 lists them; a decline is not one, it is the operation's failure
 */
export class PaymentService {
  constructor(private readonly app: App) {}

  /** Charges or authorizes a payment. */
  async createPayment(
    caller: Caller,
    idempotencyKey: string,
    request: CreatePaymentRequest,
  ): Promise<PaymentAnswer> {
    requirePermission(caller, "createPayment");
    const { merchantId } = caller;
    const intent = intentOf(request);
    const { wanted, toProvider } = preparePayment(this.app, caller, idempotencyKey, { request, intent });
    const claimed = await inTransaction(this.app.db, merchantId, (tx) => claimPayment(tx, wanted));
    if (claimed !== "held") return this.advance(wanted.claim, { ...claimed, request: toProvider });
    const holder = await repeatOperation(this.app, merchantId, wanted.claim, intent);
    return this.answer(merchantId, holder.id, true);
  }

  /** Takes money that is held, whole or in part. */
  capturePayment(caller: Caller, key: string, input: CapturePaymentRequest): Promise<PaymentAnswer> {
    requirePermission(caller, "capturePayment");
    return this.change(caller, key, { kind: "CAPTURE_PAYMENT", input });
  }

  /** Calls a payment off before its money is taken, or releases what is left of one that was captured in part. */
  cancelPayment(caller: Caller, key: string, input: CancelPaymentRequest): Promise<PaymentAnswer> {
    requirePermission(caller, "cancelPayment");
    return this.change(caller, key, { kind: "CANCEL_PAYMENT", input });
  }

  /** Gives money back, whole or in part. Refunds of one payment may run side by side within what is left. */
  async refundPayment(caller: Caller, key: string, input: RefundPaymentRequest): Promise<RefundAnswer> {
    requirePermission(caller, "refundPayment");
    const answer = await this.change(caller, key, { kind: "REFUND_PAYMENT", input });
    const { merchantId, refundId } = answer.operation;
    assert(refundId, "a refund's operation has a refund");
    const refund = await readOnly(this.app.db, merchantId, (read) =>
      read.manager.findOneByOrFail(Refund, { merchantId, id: refundId }),
    );
    return { ...answer, refund };
  }

  /**
   * Decides about a payment whose evidence contradicts itself: takes it as it was charged, or gives back what is extra.
   * The provider is asked first, and decides with.
   */
  resolveConflict(caller: Caller, key: string, input: ResolveConflictRequest): Promise<PaymentAnswer> {
    requirePermission(caller, "resolveConflict");
    return this.change(caller, key, { kind: "RESOLVE_CONFLICT", input });
  }

  /** A capture, a cancel, a refund or a decision: the same steps, with what is particular to each in T1 and at the provider. */
  private async change(
    { merchantId }: Caller,
    idempotencyKey: string,
    request: ChangeRequest,
  ): Promise<PaymentAnswer> {
    const { app } = this;
    const { kind, input } = request;
    const paymentId = decodeId("pay", input.paymentId);
    if (paymentId === null) throw new Refusal("NOT_FOUND", "There is no such payment.", {});
    const intent = intentOfChange(request);
    const claim = newClaim(app, { kind, merchantId, idempotencyKey, intent, paymentId });
    const wanted: WantedChange = {
      claim,
      money: amountOfChange(request),
      final: kind === "CAPTURE_PAYMENT" && (request.input.final ?? true),
      reason: kind === "CAPTURE_PAYMENT" ? null : (request.input.reason ?? null),
      decision: await this.decisionOf(request, claim, merchantId),
      seal: (text) => app.cipher.seal(text, requestContext(merchantId, claim.operationId)),
      sendWithin: callWithin(app),
      actor: actorOf(kind),
    };
    const claimed = await app.turns.take(paymentId, () =>
      inTransaction(app.db, merchantId, (tx) => claimChange(tx, wanted)),
    );
    if (claimed !== "held") return this.advance(claim, claimed);
    const holder = await repeatOperation(app, merchantId, claim, intent);
    return this.answer(merchantId, holder.id, true);
  }

  private async decisionOf(
    { kind, input }: ChangeRequest,
    claim: Claim,
    merchantId: string,
  ): Promise<Decision | null> {
    if (kind !== "RESOLVE_CONFLICT") return null;
    const { verdict, attemptReference = null } = input;
    return { verdict, attemptReference, shown: await lookAtConflict(this.app, merchantId, claim) };
  }

  /** Makes the call; the caller waits for it so long, and it goes on without the caller. */
  private async advance<K extends OperationKind>(
    { kind, paymentId, operationId, leaseToken }: Claim,
    { account, leasedAt, request }: Claimed & { request: ProviderRequests[K] },
  ): Promise<PaymentAnswer> {
    const { app } = this;
    await this.within(app.config.answerWithin, {
      kind,
      account,
      paymentId,
      operationId,
      attempt: 1,
      leaseToken,
      leasedAt,
      request,
      first: true,
      actor: actorOf(kind),
    });
    return this.answer(account.merchantId, operationId, false);
  }

  private async within(timeoutMs: number, call: Call): Promise<void> {
    const { app } = this;
    const made = app.underway.add(advancePayment(app, call));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => (timer = setTimeout(resolve, timeoutMs, "late")));
    try {
      if ((await Promise.race([made, late])) !== "late") return;
      made.catch((error: unknown) => app.log.error({ err: error, operation: call.operationId }, "T2 failed"));
    } finally {
      clearTimeout(timer);
    }
  }

  private answer(merchantId: string, operationId: string, replayed: boolean): Promise<PaymentAnswer> {
    return readOnly(this.app.db, merchantId, (read) => loadAnswer(read, operationId, replayed));
  }
}

/** Operators decide; everything else is a key's. */
function actorOf(kind: OperationKind): Actor {
  return kind === "RESOLVE_CONFLICT" ? "operator" : "api_key";
}

async function loadAnswer(read: Reader, operationId: string, replayed: boolean): Promise<PaymentAnswer> {
  const { merchantId, manager } = read;
  const operation = await manager.findOneByOrFail(Operation, { merchantId, id: operationId });
  const payment = await manager.findOneByOrFail(Payment, { merchantId, id: operation.paymentId });
  return { payment, operation, replayed };
}
