import type { Tx } from "../db/transaction";
import { claimKey, type Claim } from "../idempotency/claim-key";
import { Operation } from "../idempotency/operation.entity";
import { ProviderAccount } from "../providers/provider-account.entity";
import { assert } from "../shared/assert";
import type { Money } from "../shared/money";
import { Refusal } from "../shared/refusal";
import { insertAttempt, referenceOf, type Claimed } from "./claim-payment";
import type { Decision } from "./conflict";
import { lockPaymentIfAny, writePayment } from "./outcome-rows";
import { planResolution, type Plan } from "./plan-resolution";
import type { Payment } from "./payment.entity";
import type { Actor } from "./payment-event.entity";
import { availableActions, capturable, refundable } from "./payment-state";
import { serializeRequest, type ProviderRequest } from "./provider-request";
import { recordEvent } from "./record-event";
import { Refund } from "./refund.entity";
import { inProgress, invalidState } from "./refuse-state";

/** All that T1 of a capture, a cancel, a refund or a decision about a conflict needs to know beforehand. */
export interface WantedChange {
  claim: Claim;
  money: Money | "rest";
  /** Of a capture: whether what is left uncaptured is released. */
  final: boolean;
  reason: string | null;
  /** Of a decision about a conflict. */
  decision: Decision | null;
  seal(request: string): Buffer;
  /** From T1 on, no call of the attempt leaves us later than this (milliseconds). */
  sendWithin: number;
  actor: Actor;
}

/**
 * T1 of a change: claims the key, locks the payment, holds the change against the payment's state and bounds, reserves
 * the amount and writes the attempt; or finds the key held.
 * @throws Refusal NOT_FOUND, INVALID_STATE, CONFLICT or BAD_USER_INPUT; nothing stays written
 */
export async function claimChange(
  tx: Tx,
  wanted: WantedChange,
): Promise<(Claimed & { request: ProviderRequest }) | "held"> {
  const { claim, decision } = wanted;
  if (!(await claimKey(tx, claim))) return "held";
  const locked = await lockPaymentIfAny(tx, claim.paymentId);
  if (!locked) throw new Refusal("NOT_FOUND", "There is no such payment.", {});
  const plan = decision
    ? await planResolution(tx, locked, { claim, decision })
    : planChange(tx.merchantId, locked.payment, wanted);
  const { payment, request } = plan;
  const account = await tx.manager.findOneByOrFail(ProviderAccount, {
    merchantId: tx.merchantId,
    id: payment.providerAccountId,
  });
  await insertAttempt(tx, { ...wanted, sealedRequest: wanted.seal(serializeRequest(request)) }, account);
  await reserve(tx, plan, wanted, locked.now);
  return { account, leasedAt: tx.beganAt, request };
}

function planChange(merchantId: string, payment: Payment, wanted: WantedChange): Plan {
  const amount = allowedAmount(payment, wanted);
  return {
    payment,
    request: requestOf(merchantId, payment, wanted, amount),
    amount: wanted.claim.kind === "CANCEL_PAYMENT" ? null : amount,
    surplusCharge: null,
  };
}

/** The amount of the change in minor units; what it may be is decided here, under the payment's lock. */
function allowedAmount(payment: Payment, { claim, money }: WantedChange): bigint {
  if (money !== "rest" && money.currency !== payment.currency) {
    const fields = [{ path: "input.amount.currency", message: `must be the payment's: ${payment.currency}` }];
    throw new Refusal("BAD_USER_INPUT", "The amount breaks a rule.", { fields });
  }
  if (claim.kind === "REFUND_PAYMENT") return within(payment, money, refundable(payment), "refunded");
  if (payment.changing !== null) throw inProgress(payment);
  if (claim.kind === "CAPTURE_PAYMENT") return within(payment, money, capturable(payment), "captured");
  if (!availableActions(payment).includes("CANCEL")) throw cannot(payment, "be canceled");
  return capturable(payment);
}

function within(payment: Payment, money: Money | "rest", left: bigint, done: string): bigint {
  const amount = money === "rest" ? left : money.minor;
  if (left === 0n) throw cannot(payment, `be ${done}`);
  if (amount > left) throw cannot(payment, `have more than what is left ${done}`, left);
  return amount;
}

function cannot(payment: Payment, what: string, available?: bigint): Refusal<"INVALID_STATE"> {
  return invalidState(payment, `A payment that is ${payment.status} cannot ${what} as it stands.`, available);
}

function requestOf(
  merchantId: string,
  payment: Payment,
  { claim, final }: WantedChange,
  amount: bigint,
): ProviderRequest {
  assert(payment.providerReference, "a payment that can be changed is known to its provider");
  const about = { reference: referenceOf(merchantId, claim, 1), payment: payment.providerReference };
  const money: Money = { minor: amount, currency: payment.currency };
  if (claim.kind === "REFUND_PAYMENT") return { ...about, amount: money };
  if (claim.kind === "CANCEL_PAYMENT") return { ...about, partlyCaptured: payment.captured > 0n };
  return { ...about, amount: money, final };
}

/** Reserves the money on the payment's own row, and writes the refund that is to be. */
async function reserve(
  tx: Tx,
  { payment, amount, surplusCharge }: Plan,
  { claim, reason, actor }: WantedChange,
  now: Date,
): Promise<void> {
  const { merchantId } = tx;
  const { operationId, kind } = claim;
  const refundId = amount === null ? null : claim.refundId;
  payment.version += 1;
  if (kind !== "REFUND_PAYMENT") payment.changing = operationId;
  if (kind === "CAPTURE_PAYMENT") payment.capturing = amount ?? 0n;
  if (refundId !== null) {
    assert(amount, "a refund has an amount");
    payment.refunding += amount;
    const refund = {
      merchantId,
      id: refundId,
      paymentId: payment.id,
      operationId,
      status: "PROCESSING" as const,
    };
    const { idempotencyKey } = claim;
    const { currency } = payment;
    await tx.manager.insert(Refund, { ...refund, idempotencyKey, amount, currency, reason, surplusCharge });
    await recordEvent(tx, payment, { type: "refund.created", operationId, actor, amount, refundId });
  }
  await tx.manager.update(Operation, { merchantId, id: operationId }, { amount, reason, refundId });
  await writePayment(tx, payment, now);
}
