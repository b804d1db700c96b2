import type { Tx } from "../db/transaction";
import { Operation, OperationKind } from "./operation.entity";

/** What a key is claimed for. */
export interface Claim {
  operationId: string;
  paymentId: string;
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
 * @returns null where the key is now ours; else the operation that holds it
 */
export async function claimKey(tx: Tx, claim: Claim): Promise<Operation | null> {
  const inserted = await tx.sql(
    `insert into operations (merchant_id, id, kind, session_order, idempotency_key, fingerprint, intent, payment_id, state,
                             lease_token, lease_expires_at, due_at, replayable_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'PROCESSING', $9, now() + $10 * interval '1 ms', now() + $10 * interval '1 ms',
             now() + $11 * interval '1 ms')
     on conflict (merchant_id, kind, session_order, idempotency_key) do nothing
     returning id`,
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
    ],
  );
  if (inserted.length === 1) return null;
  return tx.manager.findOneByOrFail(Operation, {
    merchantId: tx.merchantId,
    kind: claim.kind,
    sessionOrder: claim.sessionOrder,
    idempotencyKey: claim.idempotencyKey,
  });
}
