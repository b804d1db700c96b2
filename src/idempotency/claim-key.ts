import type { Reader, Tx } from "../db/transaction";
import { Operation, OperationKind } from "./operation.entity";

/** What a key is claimed for. */
export interface Claim {
  operationId: string;
  paymentId: string;
  /** Of a refund, and of a decision that may need one. */
  refundId: string | null;
  kind: OperationKind;
  /** The order of the client session that sent the key; '' for the merchant's own keys. */
  sessionOrder: string;
  idempotencyKey: string;
  fingerprint: string;
  /** Encrypted. */
  intent: Buffer;
  leaseToken: string;
  /** Milliseconds. */
  lease: number;
  /** Milliseconds. */
  replayWindow: number;
}

/**
 * The first statement of T1: the operation is inserted, unless its key has been used before. Never select first: at
 * SERIALIZABLE that aborts most of what runs side by side.
 * @returns true where the key is now ours; false where an operation holds it, which has been committed
 */
export async function claimKey(tx: Tx, claim: Claim): Promise<boolean> {
  const inserted = await tx.sql(
    `with claimed as (
       insert into operations (merchant_id, id, kind, session_order, idempotency_key, fingerprint, intent, payment_id, refund_id,
                               state, replayable_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $12, 'PROCESSING', now() + $11 * interval '1 ms')
       on conflict (merchant_id, kind, session_order, idempotency_key) do nothing
       returning id
     )
     insert into unfinished_operations (merchant_id, operation_id, lease_token, lease_expires_at, due_at)
     select $1, id, $9, now() + $10 * interval '1 ms', now() + $10 * interval '1 ms' from claimed
     returning operation_id`,
    [
      tx.merchantId,
      claim.operationId,
      claim.kind,
      claim.sessionOrder,
      claim.idempotencyKey,
      claim.fingerprint,
      claim.intent,
      claim.paymentId,
      claim.leaseToken,
      claim.lease,
      claim.replayWindow,
      claim.refundId,
    ],
  );
  return inserted.length === 1;
}

/** The operation that holds a key. Read after T1, not in it: a reader in T1 would conflict with the holder's T2. */
export async function holderOf(read: Reader, claim: Claim): Promise<Operation> {
  const { kind, sessionOrder, idempotencyKey } = claim;
  return read.manager.findOneByOrFail(Operation, {
    merchantId: read.merchantId,
    kind,
    sessionOrder,
    idempotencyKey,
  });
}
