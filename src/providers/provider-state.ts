/** A payment's state in the provider's books, in our words. `expired`: its time ran out, and it can no longer be paid. */
export type ProviderPaymentState =
  "pending" | "requires_action" | "authorized" | "captured" | "canceled" | "expired" | "failed";

/** A refund's state in the provider's books. */
export type ProviderRefundState = "pending" | "succeeded" | "failed";
