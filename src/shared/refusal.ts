/** What a field of the input did wrong. The value itself is never repeated. */
export interface FieldFault {
  /** Dotted input path, such as `input.amount.amount`. */
  path: string;
  message: string;
}

/** Why a call conflicts with what exists. */
export type ConflictReason = "IDEMPOTENCY_KEY_REUSED" | "ORDER_HAS_LIVE_PAYMENT" | "OPERATION_IN_PROGRESS";

/** What each code says beside its message, by code: the closed list of semantics section 6. */
export interface RefusalDetails {
  BAD_USER_INPUT: { fields: FieldFault[] };
  UNAUTHENTICATED: object;
  FORBIDDEN: object;
  NOT_FOUND: object;
  CONFLICT: {
    reason: ConflictReason;
    operationId: string;
    paymentId: string;
    changedFields?: string[] | null;
    firstUsedAt?: string;
    retryAfterMs?: number;
  };
  INVALID_STATE: { status: string; availableActions: string[]; available?: string };
  RATE_LIMITED: { retryAfterMs: number };
  UNAVAILABLE: { retryAfterMs: number };
}

/** The codes of refusals. */
export type RefusalCode = keyof RefusalDetails;

const RETRYABLE: Record<RefusalCode, boolean> = {
  BAD_USER_INPUT: false,
  UNAUTHENTICATED: false,
  FORBIDDEN: false,
  NOT_FOUND: false,
  CONFLICT: false,
  INVALID_STATE: false,
  RATE_LIMITED: true,
  UNAVAILABLE: true,
};

/**
 * The caller's call is refused. Except for `UNAVAILABLE`, a refusal means that this call started nothing.
 * What a provider answers is never a refusal (it is an `Outcome`), and what we did wrong is an assertion.
 */
export class Refusal<C extends RefusalCode = RefusalCode> extends Error {
  /** True where the same call may succeed later, with the same key. */
  readonly retryable: boolean;

  constructor(
    readonly code: C,
    message: string,
    readonly details: RefusalDetails[C],
  ) {
    super(message);
    this.name = "Refusal";
    const reason = (details as { reason?: ConflictReason }).reason;
    this.retryable = RETRYABLE[code] || reason === "OPERATION_IN_PROGRESS";
  }
}
