import type { App } from "../app";
import type { Claim } from "../idempotency/claim-key";
import { canonicalIntent, fingerprint, type Intent } from "../idempotency/intent";
import type { OperationKind } from "../idempotency/operation.entity";
import { newUuid } from "../shared/ids";
import { intentContext } from "./sealed";

/** What a key is to be claimed for. */
export interface Intended {
  kind: OperationKind;
  merchantId: string;
  idempotencyKey: string;
  intent: Intent;
  paymentId: string;
}

/** Makes the claim of a key, with everything new about it: a retry of T1 claims the very same. */
export function newClaim(app: App, { kind, merchantId, idempotencyKey, intent, paymentId }: Intended): Claim {
  const operationId = newUuid();
  const canonical = canonicalIntent(intent);
  return {
    operationId,
    paymentId,
    refundId: kind === "REFUND_PAYMENT" || kind === "RESOLVE_CONFLICT" ? newUuid() : null,
    kind,
    sessionOrder: "",
    idempotencyKey,
    fingerprint: fingerprint(canonical),
    intent: app.cipher.seal(canonical, intentContext(merchantId, operationId)),
    leaseToken: newUuid(),
    lease: app.config.lease,
    replayWindow: app.config.replayWindow,
  };
}
