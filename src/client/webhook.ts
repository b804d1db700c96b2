/** What the gateway tells a partner's receiver. */
export interface WebhookMessage {
  /** The event's id, the same on every delivery: the effect key for `once`. */
  id: string;
  /** When this delivery was signed. */
  sentAt: Date;
  /** Such as `payment.captured`. The list may grow: ignore what you do not know. */
  type: string;
  /** When the event happened: RFC 3339. */
  timestamp: string;
  /** With GraphQL's field names. */
  data: { event: unknown; payment: unknown; refund: unknown };
}

/** The delivery is not to be believed: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/** A request's headers: of fetch, or of Node. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How a delivery is checked. */
export interface WebhookCheck {
  /** How old or how far ahead it may be, in seconds; 300 when absent. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the machine's clock when absent. */
  now?: number;
}

/**
 * Checks a delivery as Standard Webhooks 1.0 has it (`v1`: HMAC-SHA256 of `id.timestamp.body`) and reads it.
 * @param body the request's body as it came: bytes or text, not parsed and printed again
 * @param secret the endpoint's `whsec_…`; several while one takes the place of another
 * @throws WebhookError where a header is missing, the signature is of none of the secrets, the delivery is too old or too
 *   far ahead, or the body is none of ours
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: WebhookCheck = {},
): Promise<WebhookMessage> {
  const id = required(headers, "webhook-id");
  const sentAt = checkTime(required(headers, "webhook-timestamp"), now, toleranceSeconds);
  const signatures = required(headers, "webhook-signature")
    .split(" ")
    .flatMap((part) => (part.startsWith("v1,") ? bytesOf(part.slice(3)) : []));
  const text = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${sentAt.getTime() / 1_000}.`);
  const signed = new Uint8Array([...head, ...text]);
  if (!(await isSigned(signed, signatures, [secret].flat())))
    throw new WebhookError("the signature is not ours");
  return { ...readBody(text), id, sentAt };
}

function required(headers: WebhookHeaders, name: string): string {
  const isFetch = typeof (headers as { get?: unknown }).get === "function";
  const found = isFetch
    ? (headers as { get(name: string): string | null }).get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = Array.isArray(found) ? found[0] : found;
  if (typeof value !== "string" || value === "") throw new WebhookError(`the header ${name} is missing`);
  return value;
}

function checkTime(text: string, now: number, toleranceSeconds: number): Date {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new WebhookError("webhook-timestamp is not a number of seconds");
  const seconds = Number(text);
  if (Math.abs(now / 1_000 - seconds) > toleranceSeconds)
    throw new WebhookError(`webhook-timestamp is more than ${toleranceSeconds} s away from now`);
  return new Date(seconds * 1_000);
}

/** Compared by `verify`, which takes the same time for every wrong signature. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const [bytes] = /^whsec_/.test(secret) ? bytesOf(secret.slice("whsec_".length)) : [];
    if (!bytes?.length) throw new TypeError("a secret is whsec_ and base64");
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["verify"]);
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  return false;
}

/** What base64 stands for; nothing where it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))];
  } catch {
    return [];
  }
}

function readBody(bytes: Uint8Array): Omit<WebhookMessage, "id" | "sentAt"> {
  try {
    const { type, timestamp, data } = JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
    if (typeof type === "string" && typeof data === "object" && data !== null)
      return { type, timestamp, data };
  } catch {
    // Told below.
  }
  throw new WebhookError("the body is not a JSON object with type, timestamp and data");
}
