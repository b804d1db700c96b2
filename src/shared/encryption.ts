import { createCipheriv, createDecipheriv, createHash, randomBytes, type DecipherGCM } from "node:crypto";

/** Keeps secrets at rest: AES-256-GCM, bound to where they are kept. */
export interface Cipher {
  /**
   * Encrypts a text; twice the same text gives other bytes each time.
   * @param context names the column and the row; the same is needed to open
   */
  seal(plain: string, context: string): Buffer;
  /**
   * The text that was sealed.
   * @throws Error where the key, the context or the bytes are others; it tells which, as far as can be known
   */
  open(sealed: Buffer, context: string): string;
}

/** The layout below. Another layout gets another number, and this one stays readable. */
const FORMAT = 1;
/** Of the key's SHA-256: enough to tell a deployment's keys apart, and of no use for guessing 256 random bits. */
const KEY_ID_BYTES = 4;
const KEY_BYTES = 32; // AES-256
const NONCE_BYTES = 12; // NIST SP 800-38D, 8.2
const TAG_BYTES = 16; // the longest that GCM has
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const DATA_AT = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * Layout: format, key id, nonce, tag, ciphertext. The key id tells which key opens it, once there are several.
 * @param keyBase64 32 bytes in base64
 * @throws Error where they are not 32 bytes
 */
export function createCipher(keyBase64: string): Cipher {
  const key = Buffer.from(keyBase64, "base64");
  if (key.length !== KEY_BYTES) throw new Error(`ENCRYPTION_KEY: must be ${KEY_BYTES} bytes in base64`);
  const keyId = createHash("sha256").update(key).digest().subarray(0, KEY_ID_BYTES);
  const header = Buffer.concat([Buffer.from([FORMAT]), keyId]);
  return {
    seal: (plain, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(header, context));
      const data = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([header, nonce, cipher.getAuthTag(), data]);
    },
    open: (sealed, context) => {
      checkHeader(sealed, header);
      const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(header, context));
      decipher.setAuthTag(sealed.subarray(HEADER_BYTES + NONCE_BYTES, DATA_AT));
      const data = decipher.update(sealed.subarray(DATA_AT));
      return Buffer.concat([data, finished(decipher)]).toString("utf8");
    },
  };
}

/** What is authenticated besides the text: the layout, the key's id and the place. */
function boundTo(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, "utf8")]);
}

function checkHeader(sealed: Buffer, header: Buffer): void {
  if (sealed.length < DATA_AT || sealed[0] !== FORMAT)
    throw new Error("sealed data: these bytes are not in a known layout");
  if (!sealed.subarray(0, HEADER_BYTES).equals(header))
    throw new Error("ENCRYPTION_KEY: this was encrypted with another key");
}

function finished(decipher: DecipherGCM): Buffer {
  try {
    return decipher.final();
  } catch {
    throw new Error("sealed data: the bytes were changed, or were sealed for another place");
  }
}
