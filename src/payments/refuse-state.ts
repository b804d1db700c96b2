import { encodeId } from "../shared/ids";
import { formatAmount } from "../shared/money";
import { Refusal } from "../shared/refusal";
import { assert } from "../shared/assert";
import type { Payment } from "./payment.entity";
import { availableActions } from "./payment-state";

/**
 * The payment's state does not allow it.
 * @param message a whole sentence
 * @param available minor units that are left, where an amount was above them
 */
export function invalidState(
  payment: Payment,
  message: string,
  available?: bigint,
): Refusal<"INVALID_STATE"> {
  return new Refusal("INVALID_STATE", message, {
    status: payment.status,
    availableActions: availableActions(payment),
    ...(available === undefined
      ? {}
      : { available: formatAmount({ minor: available, currency: payment.currency }) }),
  });
}

/** Only one capture, cancel or operator's decision of a payment runs at a time. */
export function inProgress(payment: Payment): Refusal<"CONFLICT"> {
  assert(payment.changing, "a change is under way");
  return new Refusal("CONFLICT", "Another change of this payment is under way.", {
    reason: "OPERATION_IN_PROGRESS",
    operationId: encodeId("op", payment.changing),
    paymentId: encodeId("pay", payment.id),
    retryAfterMs: 1_000,
  });
}
