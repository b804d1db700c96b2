import type { Attempt, Scope } from "./attempt.ts";
import type { GatewayError } from "./answer.ts";

/** The gateway refused, and nothing has started by this call. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** Such as BAD_USER_INPUT, FORBIDDEN, CONFLICT or INVALID_STATE. */
  readonly code: string;

  constructor(
    readonly scope: Scope,
    /** All that it said, with their extensions. */
    readonly errors: readonly GatewayError[],
    /** What the client returned or threw. */
    readonly reply: unknown,
  ) {
    super(errors[0]?.message ?? "The gateway refused.");
    this.code = errors[0]?.extensions.code ?? "";
  }
}

/**
 * Nothing was sent: the scope has an earlier intent of other content, which has succeeded, or of which nobody knows what
 * came. Send that one's content again, ask the gateway by `resolve`, or say by `forget` that this is another intent.
 */
export class EarlierIntentError extends Error {
  override readonly name = "EarlierIntentError";

  constructor(
    readonly scope: Scope,
    /** What is known of the earlier one; null where another tab has not yet written it. */
    readonly earlier: Attempt | null,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`umavez: ${scope.kind} of ${scope.about}: ${reason}`, options);
  }
}

/** Time ran out without a reply that could be shown. The key is kept: the same mutation again sends it again. */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
}
