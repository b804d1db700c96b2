import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Keeps secrets at rest: AES-256-GCM, bound to where they are kept. */
export interface Cipher {
  /** @param context names the column and the row; the same is needed to open */
  seal(plain: string, context: string): Buffer;
  /** @throws Error where the key, the context or the bytes are others */
  open(sealed: Buffer, context: string): string;
}

const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12; // NIST SP 800-38D, 8.2
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;

/**
 * Layout: format, key id, nonce, tag, ciphertext. The key id tells which key opens it, once there are several.
 * @param keyBase64 32 bytes in base64
 */
export function createCipher(keyBase64: string): Cipher {
  const key = Buffer.from(keyBase64, "base64");
  if (key.length !== 32) throw new Error("ENCRYPTION_KEY: must be 32 bytes in base64");
  const header = Buffer.concat([
    Buffer.from([FORMAT]),
    createHash("sha256").update(key).digest().subarray(0, KEY_ID_BYTES),
  ]);
  return {
    seal: (plain, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context, "utf8"));
      const data = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([header, nonce, cipher.getAuthTag(), data]);
    },
    open: (sealed, context) => {
      if (!sealed.subarray(0, HEADER_BYTES).equals(header))
        throw new Error("ENCRYPTION_KEY: this was encrypted with another key");
      const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
      const tag = sealed.subarray(HEADER_BYTES + NONCE_BYTES, HEADER_BYTES + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context, "utf8")).setAuthTag(tag);
      const data = sealed.subarray(HEADER_BYTES + NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
    },
  };
}
