import type { DataSource } from "typeorm";
import { inTransaction, type Reader, type Tx } from "../db/transaction";
import { Refusal } from "../shared/refusal";
import { ApiKey, type ApiKeyRole } from "./access.entity";
import { requirePermission, type Caller } from "./caller";
import { issueApiKey, type IssuedKey } from "./issue-api-key";

/**
 * Makes an API key of the caller's merchant.
 * @throws Refusal FORBIDDEN where the caller may not manage keys
 */
export async function createApiKey(
  db: DataSource,
  caller: Caller,
  wanted: { name: string; role: ApiKeyRole },
): Promise<IssuedKey> {
  requirePermission(caller, "manageKeys");
  return issueApiKey(db, caller.merchantId, wanted);
}

/**
 * Ends a key of the caller's merchant: from the next request on it is refused, in every process.
 * @param id null stands for what is no id of a key
 * @throws Refusal FORBIDDEN where the caller may not manage keys; NOT_FOUND where the merchant has no such key
 */
export async function revokeApiKey(db: DataSource, caller: Caller, id: string | null): Promise<ApiKey> {
  requirePermission(caller, "manageKeys");
  const revoked = id === null ? null : await endApiKey(db, caller.merchantId, id);
  if (revoked === null) throw new Refusal("NOT_FOUND", "There is no such API key.", {});
  return revoked;
}

/** Ends a merchant's key; null where there is none. A key that has ended keeps the time at which it did. */
export async function endApiKey(db: DataSource, merchantId: string, id: string): Promise<ApiKey | null> {
  return inTransaction(db, merchantId, (tx) => setRevoked(tx, id));
}

async function setRevoked(tx: Tx, id: string): Promise<ApiKey | null> {
  await tx.sql(
    `update api_keys set revoked_at = coalesce(revoked_at, now()) where merchant_id = $1 and id = $2`,
    [tx.merchantId, id],
  );
  return findApiKey(tx, id);
}

/** All keys of the merchant, newest first, those that have ended too. */
export async function listApiKeys({ merchantId, manager }: Reader): Promise<ApiKey[]> {
  return manager.find(ApiKey, { where: { merchantId }, order: { createdAt: "DESC", id: "DESC" } });
}

/** The merchant's key with this id; null where there is none. */
export async function findApiKey({ merchantId, manager }: Reader, id: string | null): Promise<ApiKey | null> {
  return id === null ? null : manager.findOneBy(ApiKey, { merchantId, id });
}
