import type { Scope } from "./attempt.ts";
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
 * Nothing was sent: what became of an earlier request of this scope is not known. Send its content again, or ask the
 * gateway by `resolve`.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";

  constructor(
    readonly scope: Scope,
    /** The key whose outcome is not known. */
    readonly key: string | null,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`umavez: ${scope.kind} of ${scope.about}: ${reason}`, options);
  }
}
