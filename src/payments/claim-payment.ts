import type { Tx } from "../db/transaction";
import { claimKey, type Claim } from "../idempotency/claim-key";
import { chooseAccount } from "../providers/choose-provider";
import { ProviderAccount } from "../providers/provider-account.entity";
import { attemptReference } from "../providers/reference";
import type { Money } from "../shared/money";
import { methodOf, type CreatePaymentRequest } from "./create-payment-request";
import { enterFence } from "./order-fence";
import { Payment } from "./payment.entity";
import type { Actor } from "./payment-event.entity";
import { recordEvent } from "./record-event";

/** All that T1 writes, made before it: nothing in T1 is computed twice when it is retried. */
export interface NewPayment {
  claim: Claim;
  request: CreatePaymentRequest;
  money: Money;
  /** Encrypted: who pays; null where nobody was named. */
  payer: Buffer | null;
  /** Encrypted: the request as it is sent to the provider. */
  sealedRequest: Buffer;
  /** From T1 on, no call of the attempt leaves us later than this (milliseconds). */
  sendWithin: number;
  actor: Actor;
}

/** T1 found the key new: what goes on under a lease from then on. */
export interface Claimed {
  account: ProviderAccount;
  leasedAt: number;
}

/** The reference under which attempt n of a key talks to its provider: derived, so that a restored backup finds it again. */
export function referenceOf(merchantId: string, claim: Claim, attempt: number): string {
  const scope = [claim.kind, claim.sessionOrder];
  return attemptReference({ merchantId, scope, key: claim.idempotencyKey, attempt });
}

/**
 * T1: claims the key and writes the payment, its first attempt and its event; or finds the key held.
 * @throws Refusal BAD_USER_INPUT where no account of the merchant takes such a payment, CONFLICT where its order has a
 *   live one; nothing stays written
 */
export async function claimPayment(tx: Tx, wanted: NewPayment): Promise<Claimed | "held"> {
  if (!(await claimKey(tx, wanted.claim))) return "held";
  const accounts = await tx.manager.findBy(ProviderAccount, { merchantId: tx.merchantId, enabled: true });
  const account = chooseAccount(accounts, {
    methodType: methodOf(wanted.request),
    captureMode: wanted.request.captureMode ?? "AUTOMATIC",
    money: wanted.money,
    accountId: wanted.request.method.card?.providerAccountId ?? null,
  });
  const payment = await insertPayment(tx, wanted, account);
  await enterFence(tx, payment, wanted.request.order?.allowAnotherPayment ?? false);
  await insertAttempt(tx, wanted, account);
  await recordEvent(
    tx,
    { ...payment, eventCount: 0 },
    {
      type: "payment.created",
      operationId: wanted.claim.operationId,
      actor: wanted.actor,
    },
  );
  return { account, leasedAt: tx.beganAt };
}

async function insertPayment(tx: Tx, { claim, request, money, payer }: NewPayment, account: ProviderAccount) {
  const payment = tx.manager.create(Payment, {
    merchantId: tx.merchantId,
    id: claim.paymentId,
    status: "PROCESSING",
    currency: money.currency,
    amount: money.minor,
    captureMode: request.captureMode ?? "AUTOMATIC",
    methodType: methodOf(request),
    idempotencyKey: claim.idempotencyKey,
    orderReference: request.order?.reference ?? null,
    customerReference: request.customerReference ?? null,
    description: request.description ?? null,
    metadata: request.metadata ?? {},
    payer,
    returnUrl: request.returnUrl ?? null,
    providerAccountId: account.id,
    provider: account.provider,
    // The event of its making, which T1 writes next.
    eventCount: 1,
  });
  await tx.manager.insert(Payment, payment);
  return payment;
}

/** Writes the first attempt of an operation, before anything is sent. */
export async function insertAttempt(
  tx: Tx,
  { claim, sealedRequest, sendWithin }: Pick<NewPayment, "claim" | "sealedRequest" | "sendWithin">,
  account: ProviderAccount,
): Promise<void> {
  await tx.sql(
    `insert into attempts (merchant_id, operation_id, number, payment_id, provider_account_id, provider, reference, request,
                           last_send_before)
     values ($1, $2, 1, $3, $4, $5, $6, $7, now() + $8 * interval '1 ms')`,
    [
      tx.merchantId,
      claim.operationId,
      claim.paymentId,
      account.id,
      account.provider,
      referenceOf(tx.merchantId, claim, 1),
      sealedRequest,
      sendWithin,
    ],
  );
}
