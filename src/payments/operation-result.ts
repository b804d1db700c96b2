import type { Failure, NextAction } from "../providers/provider";
import type { Payment } from "./payment.entity";
import type { PaymentStatus } from "./payment-state";

/** What an operation ended with: frozen in its row, the same on every answer. */
export interface OperationResult {
  paymentStatus: PaymentStatus;
  refundStatus: null;
  /** Minor units, in a string as JSON has no integers of that size. */
  capturedAmount: string;
  /** Minor units. */
  refundedAmount: string;
  currency: string;
  failure: Failure | null;
  nextAction: NextAction | null;
  /** RFC 3339, UTC. */
  recordedAt: string;
}

/** Freezes the payment as it is at the end of one of its operations. */
export function resultOf(payment: Payment, recordedAt: Date): OperationResult {
  return {
    paymentStatus: payment.status,
    refundStatus: null,
    capturedAmount: payment.captured.toString(),
    refundedAmount: payment.refunded.toString(),
    currency: payment.currency,
    failure: payment.failure,
    nextAction: payment.nextAction,
    recordedAt: recordedAt.toISOString(),
  };
}
