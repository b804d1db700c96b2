import { createHash } from "node:crypto";
import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import { Refusal } from "../shared/refusal";
import type { ApiKeyRole } from "./access.entity";

/** Who calls, and for which merchant. */
export interface Caller {
  kind: "API_KEY";
  merchantId: string;
  role: ApiKeyRole;
  apiKeyId: string;
}

/** Who may do what (semantics section 9). */
const MAY = {
  createPayment: ["ADMIN", "PAYMENTS"],
  capturePayment: ["ADMIN", "PAYMENTS"],
  cancelPayment: ["ADMIN", "PAYMENTS"],
  refundPayment: ["ADMIN", "PAYMENTS"],
  readPayments: ["ADMIN", "PAYMENTS", "VIEWER", "OPERATOR"],
  readEffects: ["ADMIN", "OPERATOR"],
  resolveConflict: ["ADMIN", "OPERATOR"],
  manageKeys: ["ADMIN"],
} as const satisfies Record<string, readonly ApiKeyRole[]>;

/** What a caller may be allowed to do. */
export type Action = keyof typeof MAY;

/** @throws Refusal FORBIDDEN where the caller's role does not allow the action */
export function requirePermission(caller: Caller, action: Action): void {
  if ((MAY[action] as readonly ApiKeyRole[]).includes(caller.role)) return;
  throw new Refusal("FORBIDDEN", `A key with the role ${caller.role} may not do this.`, {});
}

/** One message for absent, unknown and revoked keys alike. */
const REFUSED = "Send a valid API key, as `Authorization: Bearer uvz_…`.";

/**
 * Finds who calls by the secret in the header `Authorization: Bearer …`. Looked up on every request, so that a revoked
 * key ends at once, in every process. The index holds hashes: nothing of the secret is compared in clear.
 * @throws Refusal UNAUTHENTICATED where there is no such key; UNAVAILABLE where the database is away
 */
export async function authenticate(db: DataSource, authorization: string | undefined): Promise<Caller> {
  const secret = /^Bearer (uvz_[0-9A-Za-z]{38})$/i.exec(authorization ?? "")?.[1];
  if (secret === undefined) throw new Refusal("UNAUTHENTICATED", REFUSED, {});
  const [key] = await acrossMerchants<{ merchant_id: string; id: string; role: ApiKeyRole }>(
    db,
    `select merchant_id, id, role from api_keys where secret_hash = $1 and revoked_at is null`,
    [hashSecret(secret)],
  );
  if (!key) throw new Refusal("UNAUTHENTICATED", REFUSED, {});
  return { kind: "API_KEY", merchantId: key.merchant_id, role: key.role, apiKeyId: key.id };
}

/** What is kept of a secret: 190 random bits need no salt and no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}
