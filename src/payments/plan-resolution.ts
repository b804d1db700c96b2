import type { Tx } from "../db/transaction";
import type { Claim } from "../idempotency/claim-key";
import { assert, unreachable } from "../shared/assert";
import { adoptConflict } from "./adopt-conflict";
import { referenceOf } from "./claim-payment";
import { contradictionsAfter, remedyOf, type Decision, type Remedy } from "./conflict";
import type { Payment } from "./payment.entity";
import type { ProviderRequest } from "./provider-request";
import { inProgress, invalidState } from "./refuse-state";

/** What T1 has decided under the payment's lock. */
export interface Plan {
  payment: Payment;
  request: ProviderRequest;
  /** Minor units that are taken or given back; null where none are. */
  amount: bigint | null;
  /** The charge too many that a refund is of; null where it is of the payment's own. */
  surplusCharge: string | null;
}

/**
 * Part of T1: holds a decision against the conflict as it stands, and takes what the provider shows as the payment's
 * amounts, so that what is given back is bounded by what was taken.
 * @throws Refusal INVALID_STATE, CONFLICT or BAD_USER_INPUT
 */
export async function planResolution(
  tx: Tx,
  { payment, now }: { payment: Payment; now: Date },
  { claim, decision }: { claim: Claim; decision: Decision },
): Promise<Plan> {
  if (payment.status !== "CONFLICTED")
    throw invalidState(payment, `A payment that is ${payment.status} has no conflict to resolve.`);
  if (payment.changing !== null) throw inProgress(payment);
  const { shown } = decision;
  if (shown?.version !== payment.version)
    throw invalidState(
      payment,
      "The payment changed while its provider was asked, or is not to be found there.",
    );
  const remedy = remedyOf(payment, decision, shown);
  const adopted = await adoptConflict(tx, payment, shown, now);
  adopted.contradictions = contradictionsAfter(payment, shown, remedy);
  const amount = remedy.does === "refund" ? remedy.amount.minor : null;
  const surplusCharge = remedy.does === "refund" && remedy.surplus ? remedy.charge.reference : null;
  if (amount !== null && surplusCharge !== null) {
    adopted.surplus += amount;
    adopted.captured += amount;
    adopted.authorized += amount;
  }
  const request = requestOf(referenceOf(tx.merchantId, claim, 1), adopted, remedy);
  return { payment: adopted, request, amount, surplusCharge };
}

function requestOf(reference: string, payment: Payment, remedy: Remedy): ProviderRequest {
  switch (remedy.does) {
    case "accept":
      assert(payment.providerReference, "what the provider showed is known to it");
      return { does: "accept", reference, payment: payment.providerReference };
    case "refund":
      return { does: "refund", reference, payment: remedy.charge.reference, amount: remedy.amount };
    case "cancel":
      return { does: "cancel", reference, payment: remedy.charge.reference, partlyCaptured: false };
    default:
      return unreachable(remedy);
  }
}
