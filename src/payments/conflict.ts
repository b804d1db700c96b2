import { isAlive, isUnsettled, type RefundSnapshot, type Snapshot } from "../providers/provider";
import { formatAmount, type Money } from "../shared/money";
import { Refusal } from "../shared/refusal";
import type { Payment } from "./payment.entity";
import { invalidState } from "./refuse-state";

/** What an operator decides about evidence that contradicts itself. */
export type ConflictVerdict = "ACCEPT_AS_CHARGED" | "REVERSE_EXTRA";

/** What the provider showed of a payment, and what was known of it before the provider was asked. */
export interface ShownConflict {
  /** The payment's version. */
  version: number;
  /** The references of its create's attempts. */
  attempts: string[];
  /** The charge that is the payment. */
  kept: Snapshot;
  /** Those beside it that hold money, have taken some, or may still. */
  extra: Snapshot[];
  /** What was given back of the one that is kept. */
  refunds: RefundSnapshot[];
}

/** What an operator wants, and what the provider showed before; null where the payment was not CONFLICTED. */
export interface Decision {
  verdict: ConflictVerdict;
  /** The attempt whose charge is the extra one. */
  attemptReference: string | null;
  shown: ShownConflict | null;
}

/** What is done about a conflict. */
export type Remedy =
  | { does: "accept" }
  /** `surplus`: the whole of a charge too many, and not a part of the payment's own. */
  | { does: "refund"; charge: Snapshot; amount: Money; surplus: boolean }
  | { does: "cancel"; charge: Snapshot };

/** Which of a payment's charges is the payment: its own, unless that holds no money and another does. */
export function keptOf(payment: Pick<Payment, "providerReference">, charges: Snapshot[]): Snapshot | null {
  const isOwn = ({ reference }: Snapshot) => reference === payment.providerReference;
  const alive = charges.filter(isAlive);
  const paid = alive.filter(({ state }) => state === "captured" || state === "authorized");
  return paid.find(isOwn) ?? paid[0] ?? alive.find(isOwn) ?? alive[0] ?? charges.find(isOwn) ?? null;
}

/**
 * What the verdict means for what the provider showed.
 * @throws Refusal INVALID_STATE where it means nothing, with what would; BAD_USER_INPUT for an attempt of another payment
 */
export function remedyOf(
  payment: Payment,
  { verdict, attemptReference }: Decision,
  shown: ShownConflict,
): Remedy {
  if (attemptReference !== null && !shown.attempts.includes(attemptReference))
    throw new Refusal("BAD_USER_INPUT", "The attempt is none of this payment's.", {
      fields: [
        { path: "input.attemptReference", message: "must be the reference of an attempt of the create" },
      ],
    });
  const { kept, extra } = shown;
  requireCurrency(payment, kept);
  if (verdict === "ACCEPT_AS_CHARGED") return accept(payment, shown);
  return extra.length === 0
    ? reverseDifference(payment, kept)
    : reverseCharge(payment, attemptReference, extra);
}

/** How many things still contradict what was asked for once the remedy has taken effect. */
export function contradictionsAfter(
  payment: Payment,
  { kept, extra }: ShownConflict,
  remedy: Remedy,
): number {
  return remedy.does === "accept" ? 0 : extra.length + (kept.amount.minor === payment.amount ? 0 : 1) - 1;
}

function accept(payment: Payment, { kept, extra }: ShownConflict): Remedy {
  if (extra.length > 0)
    throw invalidState(
      payment,
      `The provider has ${extra.length + 1} charges for this payment: give the extra one back by REVERSE_EXTRA.`,
    );
  if (isUnsettled(kept.state))
    throw invalidState(
      payment,
      `Nothing has been charged yet: at the provider the payment is ${kept.state}.`,
    );
  return { does: "accept" };
}

/** Another amount than asked: what is above it is given back. What is only held is released by a capture of less. */
function reverseDifference(payment: Payment, kept: Snapshot): Remedy {
  const minor = kept.captured.minor - kept.refunded.minor - payment.amount;
  if (minor > 0n)
    return { does: "refund", charge: kept, amount: { minor, currency: payment.currency }, surplus: false };
  const [charged, asked] = [kept.captured, { minor: payment.amount, currency: payment.currency }];
  throw invalidState(
    payment,
    `There is no extra to give back: ${formatAmount(charged)} was charged, ${formatAmount(kept.refunded)} of it given back, and ${formatAmount(asked)} asked for. ACCEPT_AS_CHARGED takes it as it is.`,
  );
}

/** A charge too many: the whole of it is given back, or called off where it is only held. */
function reverseCharge(payment: Payment, attemptReference: string | null, extra: Snapshot[]): Remedy {
  const charge = extra.find(({ ours }) => attemptReference === null || ours === attemptReference);
  if (!charge) throw invalidState(payment, "The attempt has no charge beside the one that is the payment.");
  if (charge.captured.minor === 0n) return { does: "cancel", charge };
  requireCurrency(payment, charge);
  const minor = charge.captured.minor - charge.refunded.minor;
  return { does: "refund", charge, amount: { minor, currency: payment.currency }, surplus: true };
}

function requireCurrency(payment: Payment, { amount, reference }: Snapshot): void {
  if (amount.currency !== payment.currency)
    throw invalidState(
      payment,
      `${reference} is in ${amount.currency}, which cannot be counted in ${payment.currency}: give it back at the provider.`,
    );
}
