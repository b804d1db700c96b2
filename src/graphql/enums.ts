import { registerEnumType } from "type-graphql";

/** Registers a closed list of words as an enum, each word with its description, and returns it. */
function enumeration<W extends string>(
  name: string,
  description: string,
  words: Record<W, string>,
): { [K in W]: K } {
  const values = Object.fromEntries(Object.keys(words).map((word) => [word, word])) as { [K in W]: K };
  const valuesConfig = Object.fromEntries(
    Object.entries<string>(words).map(([word, text]) => [word, { description: text }]),
  ) as { [K in W]: { description: string } };
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}

/** See its description. */
export const PaymentStatusEnum = enumeration(
  "PaymentStatus",
  "Where a payment stands. The list may grow: keep a default branch.",
  {
    PROCESSING: "Accepted; the provider is being asked.",
    REQUIRES_ACTION: "The payer must act: 3-D Secure, scan a Pix code, pay a boleto.",
    AUTHORIZED: "The money is held, and nothing of it is taken yet.",
    PARTIALLY_CAPTURED: "Part of the money is taken, and more can be.",
    CAPTURED: "The money is taken.",
    PARTIALLY_REFUNDED: "Part of what was taken was given back.",
    REFUNDED: "All that was taken was given back.",
    FAILED: "It definitely did not happen; see failure.",
    CANCELED: "It was called off at the provider, and can no longer be paid.",
    EXPIRED: "Its time ran out at the provider, and it can no longer be paid.",
    IN_DOUBT:
      "The provider was asked and its answer is not known yet. It is found out by itself: send the same key again, never a new one.",
    CONFLICTED: "The evidence contradicts itself (another amount, a second charge): an operator decides.",
  },
);

/** See its description. */
export const PaymentActionEnum = enumeration("PaymentAction", "What may be done with a payment.", {
  CAPTURE: "Take what is held, whole or in part.",
  CANCEL: "Call it off, or release what is left of it.",
  REFUND: "Give back what was taken, whole or in part.",
});

/** See its description. */
export const EffectStateEnum = enumeration("EffectState", "How far an effect is.", {
  PENDING: "Due, or under way.",
  DONE: "It took effect.",
  PARKED: "Its tries have run out: waits for an operator.",
});

/** See its description. */
export const RefundStatusEnum = enumeration("RefundStatus", "How far a refund is.", {
  PROCESSING: "Accepted; the provider is being asked, or works on it.",
  SUCCEEDED: "The money went back.",
  FAILED: "It did not go back, or came back; what was reserved for it is free again.",
  IN_DOUBT: "The provider was asked and its answer is not known yet. It is found out by itself.",
});

/** See its description. */
export const CaptureModeEnum = enumeration("CaptureMode", "When the money is taken.", {
  AUTOMATIC: "At once, with the authorization.",
  MANUAL: "Later, by a capture.",
});

/** See its description. */
export const PaymentMethodTypeEnum = enumeration("PaymentMethodType", "How a payment is paid.", {
  CARD: "By a card, as a token of the provider's vault.",
  PIX: "By Pix.",
  BOLETO: "By boleto.",
});

/** See its description. */
export const NextActionKindEnum = enumeration("NextActionKind", "What the payer has to do.", {
  REDIRECT: "Open a page of the provider's.",
  DISPLAY_PIX: "Scan or copy a Pix code.",
  DISPLAY_BOLETO: "Pay a boleto.",
});

/** See its description. */
export const FailureKindEnum = enumeration("FailureKind", "Why a payment did not happen.", {
  DECLINED: "The payer's bank said no.",
  REJECTED_BY_RISK: "The provider took it for fraud.",
  INVALID: "The provider could not take the request as it was.",
  PROVIDER_UNAVAILABLE: "The provider could not be reached in time; nothing was charged.",
  AUTHENTICATION_FAILED: "The payer did not prove who they are.",
});

/** See its description. */
export const RetryAdviceEnum = enumeration(
  "RetryAdvice",
  "Whether a new attempt makes sense. It needs a new key.",
  {
    NEVER: "Another attempt would fail too.",
    OTHER_METHOD: "A new attempt is fine, with a new key and another payment method.",
    LATER: "A new attempt is fine later, with a new key.",
  },
);

/** See its description. */
export const PaymentOrderFieldEnum = enumeration(
  "PaymentOrderField",
  "By what a list of payments is ordered.",
  {
    CREATED_AT: "When it was accepted: never changes.",
    UPDATED_AT:
      "When it last changed. A payment that changes during a walk moves; all that match are read, so that a filter by time is of use.",
  },
);

/** See its description. */
export const OrderDirectionEnum = enumeration("OrderDirection", "From which end a list is read.", {
  ASC: "Oldest first.",
  DESC: "Newest first.",
});

/** See its description. */
export const OperationKindEnum = enumeration(
  "OperationKind",
  "What an operation intends: part of the scope of its key.",
  {
    CREATE_PAYMENT: "Make a payment.",
    CAPTURE_PAYMENT: "Take money that is held.",
    CANCEL_PAYMENT: "Call a payment off, or release what is left of it.",
    REFUND_PAYMENT: "Give money back.",
    RESOLVE_CONFLICT: "Decide about evidence that contradicts itself.",
  },
);

/** See its description. */
export const ConflictVerdictEnum = enumeration(
  "ConflictVerdict",
  "What an operator decides about a payment whose evidence contradicts itself.",
  {
    ACCEPT_AS_CHARGED:
      "What was charged is the payment's: its amounts and its status follow what the provider shows.",
    REVERSE_EXTRA:
      "Gives the extra charge or amount back: the difference above what was asked for, or the whole of a charge too many.",
  },
);

/** See its description. */
export const OperationStateEnum = enumeration("OperationState", "How far an operation is.", {
  PROCESSING: "Recorded, or being sent to the provider under a lease.",
  AWAITING_PROVIDER: "Accepted by the provider, which reports the end later. Polled, never repeated.",
  IN_DOUBT: "Sent, answer unknown: recovery asks the provider.",
  PARKED: "Recovery has run out of safe steps: waits for an operator.",
  SUCCEEDED: "It took effect.",
  FAILED: "It definitely did not happen.",
});

/** See its description. */
export const AttemptOutcomeEnum = enumeration(
  "AttemptOutcome",
  "What a conversation with a provider came to. There is no fourth.",
  {
    HAPPENED: "The provider has it, with our amount and currency.",
    NOT_HAPPENED: "The provider definitely refused it, or never had it.",
    UNKNOWN: "Nobody knows yet.",
  },
);

/** See its description. */
export const ApiKeyRoleEnum = enumeration("ApiKeyRole", "What the holder of an API key may do.", {
  ADMIN: "Everything of its merchant.",
  PAYMENTS: "Create, capture, cancel, refund, read.",
  VIEWER: "Read only: partner dashboards.",
  OPERATOR: "Read, reprocess, resolve.",
});

/** See its description. */
export const CredentialKindEnum = enumeration("CredentialKind", "What kind of credential was sent.", {
  API_KEY: "An API key of the merchant's servers or people.",
  CLIENT_SESSION: "A browser's session for one order.",
});
