import type { Tx } from "../db/transaction";
import { claimKey, type Claim } from "../idempotency/claim-key";
import { ProviderAccount } from "../providers/provider-account.entity";
import { assert } from "../shared/assert";
import { encodeId } from "../shared/ids";
import { formatAmount, type Money } from "../shared/money";
import { Refusal } from "../shared/refusal";
import { insertAttempt, referenceOf, type Claimed } from "./claim-payment";
import { Payment } from "./payment.entity";
import type { Actor } from "./payment-event.entity";
import { availableActions, capturable, refundable } from "./payment-state";
import { serializeRequest, type ProviderRequest } from "./provider-request";
import { recordEvent } from "./record-event";

/** All that T1 of a capture, a cancel or a refund needs to know beforehand. */
export interface WantedChange {
  claim: Claim;
  money: Money | "rest";
  /** Of a capture: whether what is left uncaptured is released. */
  final: boolean;
  reason: string | null;
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
  const { claim } = wanted;
  if (!(await claimKey(tx, claim))) return "held";
  const payment = await lockPayment(tx, claim.paymentId);
  const amount = allowedAmount(payment, wanted);
  const account = await tx.manager.findOneByOrFail(ProviderAccount, {
    merchantId: tx.merchantId,
    id: payment.providerAccountId,
  });
  const request = requestOf(tx.merchantId, payment, wanted, amount);
  await insertAttempt(tx, { ...wanted, sealedRequest: wanted.seal(serializeRequest(request)) }, account);
  await reserve(tx, payment, wanted, amount);
  return { account, leasedAt: tx.beganAt, request };
}

async function lockPayment(tx: Tx, id: string): Promise<Payment> {
  const { merchantId } = tx;
  const locked = await tx.sql(`select from payments where merchant_id = $1 and id = $2 for no key update`, [
    merchantId,
    id,
  ]);
  if (locked.length === 0) throw new Refusal("NOT_FOUND", "There is no such payment.", {});
  return tx.manager.findOneByOrFail(Payment, { merchantId, id });
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
  if (!availableActions(payment).includes("CANCEL")) throw invalid(payment, "be canceled");
  return capturable(payment);
}

function within(payment: Payment, money: Money | "rest", left: bigint, done: string): bigint {
  const amount = money === "rest" ? left : money.minor;
  if (left === 0n) throw invalid(payment, `be ${done}`);
  if (amount > left) throw invalid(payment, `have more than what is left ${done}`, left);
  return amount;
}

function invalid(payment: Payment, what: string, available?: bigint): Refusal<"INVALID_STATE"> {
  return new Refusal("INVALID_STATE", `A payment that is ${payment.status} cannot ${what} as it stands.`, {
    status: payment.status,
    availableActions: availableActions(payment),
    ...(available === undefined
      ? {}
      : { available: formatAmount({ minor: available, currency: payment.currency }) }),
  });
}

function inProgress(payment: Payment): Refusal<"CONFLICT"> {
  assert(payment.changing, "a change is under way");
  return new Refusal("CONFLICT", "Another capture or cancel of this payment is under way.", {
    reason: "OPERATION_IN_PROGRESS",
    operationId: encodeId("op", payment.changing),
    paymentId: encodeId("pay", payment.id),
    retryAfterMs: 1_000,
  });
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
  payment: Payment,
  { claim, reason, actor }: WantedChange,
  amount: bigint,
): Promise<void> {
  const { merchantId } = tx;
  const { operationId, refundId } = claim;
  payment.version += 1;
  if (refundId === null) payment.changing = operationId;
  if (claim.kind === "CAPTURE_PAYMENT") payment.capturing = amount;
  if (refundId !== null) {
    payment.refunding += amount;
    await tx.sql(
      `insert into refunds (merchant_id, id, payment_id, operation_id, idempotency_key, status, amount, currency, reason)
       values ($1, $2, $3, $4, $5, 'PROCESSING', $6, $7, $8)`,
      [
        merchantId,
        refundId,
        payment.id,
        operationId,
        claim.idempotencyKey,
        amount.toString(),
        payment.currency,
        reason,
      ],
    );
    await recordEvent(tx, payment, { type: "refund.created", operationId, actor, amount, refundId });
  }
  if (claim.kind !== "CANCEL_PAYMENT")
    await tx.sql(`update operations set amount = $3 where merchant_id = $1 and id = $2`, [
      merchantId,
      operationId,
      amount.toString(),
    ]);
  const { version, changing, capturing, refunding, eventCount } = payment;
  await tx.sql(
    `update payments set version = $3, changing = $4, capturing = $5, refunding = $6, event_count = $7, updated_at = now()
     where merchant_id = $1 and id = $2`,
    [merchantId, payment.id, version, changing, capturing.toString(), refunding.toString(), eventCount],
  );
}
