import type { NextAction } from "../providers/payer-action";
import type { Failure } from "../providers/provider";
import type { Payment } from "./payment.entity";
import type { PaymentStatus } from "./payment-state";
import type { Refund, RefundStatus } from "./refund.entity";

/** What an operation ended with: frozen in its row, the same on every answer. */
export interface OperationResult {
  paymentStatus: PaymentStatus;
  refundStatus: RefundStatus | null;
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

/** What an operation ended with. */
export interface Ended {
  payment: Payment;
  refund: Refund | null;
  /** Why the operation did not happen. */
  failure: Failure | null;
}

/** Freezes the payment as it is at the end of one of its operations. */
export function resultOf({ payment, refund, failure }: Ended, recordedAt: Date): OperationResult {
  return {
    paymentStatus: payment.status,
    refundStatus: refund?.status ?? null,
    capturedAmount: payment.captured.toString(),
    refundedAmount: payment.refunded.toString(),
    currency: payment.currency,
    failure,
    nextAction: payment.nextAction,
    recordedAt: recordedAt.toISOString(),
  };
}
