import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { DataSource } from "typeorm";
import { inTransaction, type Tx } from "../db/transaction";
import { newUuid } from "../shared/ids";
import { ApiKey, type ApiKeyRole } from "./access.entity";
import { hashSecret } from "./caller";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECK_CHARACTERS = 6;
/** Shown to tell keys apart: `uvz_` and four characters, too few to guess the rest by. */
const PREFIX_LENGTH = 8;

/** A new secret: `uvz_`, 32 random base-62 characters, and 6 of their CRC-32, so that scanners find leaked ones. */
export function newSecret(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]).join("");
  let sum = crc32(random);
  let check = "";
  for (let i = 0; i < CHECK_CHARACTERS; i += 1) {
    check = BASE62[sum % BASE62.length] + check;
    sum = Math.floor(sum / BASE62.length);
  }
  return `uvz_${random}${check}`;
}

/** An API key with its secret, which is kept nowhere: this is the only time that anybody sees it. */
export interface IssuedKey {
  apiKey: ApiKey;
  secret: string;
}

/** Makes an API key of a merchant that exists. */
export async function issueApiKey(
  db: DataSource,
  merchantId: string,
  { name, role }: { name: string; role: ApiKeyRole },
): Promise<IssuedKey> {
  const secret = newSecret();
  const kept = {
    id: newUuid(),
    name,
    role,
    prefix: secret.slice(0, PREFIX_LENGTH),
    secretHash: hashSecret(secret),
  };
  return { apiKey: await inTransaction(db, merchantId, (tx) => insertKey(tx, kept)), secret };
}

/** The id is made outside: a transaction whose commit was not seen to succeed runs again, and finds what is there. */
async function insertKey(
  tx: Tx,
  { id, name, role, prefix, secretHash }: Pick<ApiKey, "id" | "name" | "role" | "prefix" | "secretHash">,
): Promise<ApiKey> {
  await tx.sql(
    `insert into api_keys (merchant_id, id, name, role, prefix, secret_hash) values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, id) do nothing`,
    [tx.merchantId, id, name, role, prefix, secretHash],
  );
  return tx.manager.findOneByOrFail(ApiKey, { merchantId: tx.merchantId, id });
}
