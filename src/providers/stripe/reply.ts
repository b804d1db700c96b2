/**
 * Everything that a call to Stripe can come to, as plain data: what `readOutcome` and the lookups judge. Bodies are
 * unknown on purpose: what the SDK's types promise is what a healthy Stripe sends.
 */
export type Reply = ObjectReply | ErrorReply | NetworkReply | UnreadableReply | NotSentReply;

/** A JSON object with a status that is a success. */
export interface ObjectReply {
  kind: "object";
  body: unknown;
  /** True where Stripe says that it repeated the stored reply of an earlier request under the same key. */
  replayed: boolean;
}

/** A JSON object with an `error` in it. */
export interface ErrorReply {
  kind: "error";
  status: number;
  /** The `error` object as it came. */
  error: unknown;
  replayed: boolean;
}

/** No whole reply came. */
export interface NetworkReply {
  kind: "network";
  fault: NetworkFaultKind;
  /** Node's error code, or a few words. */
  detail: string;
}

/**
 * - `no_connection`: the one try of this call ended before a connection existed, so that not a byte can have left
 * - `timeout`: our deadline passed, at whatever stage
 * - `lost`: everything else, after which the request may or may not have arrived
 */
export type NetworkFaultKind = "no_connection" | "timeout" | "lost";

/** A whole reply came, but not one of Stripe's API: HTML, half a JSON, a status without its error. */
export interface UnreadableReply {
  kind: "unreadable";
  status: number;
  detail: string;
}

/** Stripe's count of the currency has no such amount, so there was nothing to send. */
export interface NotSentReply {
  kind: "not_sent";
  detail: string;
}
