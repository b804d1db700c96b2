import { requirePermission, type Caller } from "../access/caller";
import type { App } from "../app";
import { inTransaction, readOnly, type Reader } from "../db/transaction";
import { holderOf, type Claim } from "../idempotency/claim-key";
import { recordCollision } from "../idempotency/count-repeats";
import { changedFields, type Intent } from "../idempotency/intent";
import { Operation } from "../idempotency/operation.entity";
import { pullForward } from "../idempotency/pull-forward";
import { encodeId } from "../shared/ids";
import { Refusal } from "../shared/refusal";
import { advancePayment, type Call } from "./advance-payment";
import { claimPayment } from "./claim-payment";
import { intentOf, type CreatePaymentRequest } from "./create-payment-request";
import { Payment } from "./payment.entity";
import { preparePayment } from "./prepare-payment";
import { intentContext } from "./sealed";

/** What a mutation answers with. */
export interface PaymentAnswer {
  /** As it stands now. */
  payment: Payment;
  operation: Operation;
  /** True when the key had been used before and nothing new was done. */
  replayed: boolean;
}

/** What can be done to payments. Each method is one intent, and takes effect once for each key. */
export class PaymentService {
  constructor(private readonly app: App) {}

  /**
   * Charges or authorizes a payment, once for each key.
   * @throws Refusal as semantics section 6 lists them; a decline is not one, it is the payment's failure
   */
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
    if (claimed === "held") return this.repeat(merchantId, wanted.claim, intent);
    const { account, leasedAt } = claimed;
    const { paymentId, operationId, leaseToken } = wanted.claim;
    await this.within(this.app.config.answerWithin, {
      account,
      paymentId,
      operationId,
      attempt: 1,
      leaseToken,
      leasedAt,
      request: toProvider,
      first: true,
      actor: wanted.actor,
    });
    return this.answer(merchantId, operationId, false);
  }

  /** Makes the call; the caller waits for it so long, and it goes on without the caller. */
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

  /** The key has been used before: with this content, or with another. */
  private async repeat(merchantId: string, claim: Claim, intent: Intent): Promise<PaymentAnswer> {
    const holder = await readOnly(this.app.db, merchantId, (read) => holderOf(read, claim));
    if (holder.fingerprint === claim.fingerprint) return this.replay(holder);
    throw await this.collision(holder, intent);
  }

  /** The same key with the same content: nothing new is done, and nobody is asked a second time. */
  private async replay(holder: Operation): Promise<PaymentAnswer> {
    const repeated = { merchantId: holder.merchantId, operationId: holder.id };
    const counted = this.app.repeats.countReplay(repeated);
    if (holder.state === "PROCESSING")
      await this.app.waiting.untilAnswered(repeated, this.app.config.replayWait);
    if (holder.state === "IN_DOUBT") await pullForward(this.app.db, repeated);
    await counted;
    return this.answer(holder.merchantId, holder.id, true);
  }

  /** The same key with other content: refused, counted and listed. */
  private async collision(holder: Operation, intent: Intent): Promise<Refusal<"CONFLICT">> {
    const { merchantId, id } = holder;
    const changed = holder.intent
      ? changedFields(
          JSON.parse(this.app.cipher.open(holder.intent, intentContext(merchantId, id))) as Intent,
          intent,
        )
      : null;
    await recordCollision(this.app.db, { merchantId, operationId: id }, changed, "api_key");
    const where = changed ? ` It differs in ${changed.join(", ")}.` : "";
    return new Refusal("CONFLICT", `This idempotency key was used before with other content.${where}`, {
      reason: "IDEMPOTENCY_KEY_REUSED",
      changedFields: changed,
      operationId: encodeId("op", id),
      paymentId: encodeId("pay", holder.paymentId),
      firstUsedAt: holder.createdAt.toISOString(),
    });
  }

  private answer(merchantId: string, operationId: string, replayed: boolean): Promise<PaymentAnswer> {
    return readOnly(this.app.db, merchantId, (read) => loadAnswer(read, operationId, replayed));
  }
}

async function loadAnswer(read: Reader, operationId: string, replayed: boolean): Promise<PaymentAnswer> {
  const { merchantId, manager } = read;
  const operation = await manager.findOneByOrFail(Operation, { merchantId, id: operationId });
  const payment = await manager.findOneByOrFail(Payment, { merchantId, id: operation.paymentId });
  return { payment, operation, replayed };
}
