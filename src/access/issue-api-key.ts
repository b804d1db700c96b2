import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { DataSource } from "typeorm";
import { acrossMerchants } from "../db/transaction";
import { newUuid } from "../shared/ids";
import type { ApiKeyRole } from "./access.entity";
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

/** Makes an API key and returns its secret, which is kept nowhere. */
export async function issueApiKey(
  db: DataSource,
  merchantId: string,
  { name, role }: { name: string; role: ApiKeyRole },
): Promise<string> {
  const secret = newSecret();
  await acrossMerchants(
    db,
    `insert into api_keys (merchant_id, id, name, role, prefix, secret_hash) values ($1, $2, $3, $4, $5, $6)`,
    [merchantId, newUuid(), name, role, secret.slice(0, PREFIX_LENGTH), hashSecret(secret)],
  );
  return secret;
}
