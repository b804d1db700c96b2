import type { Tx } from "../db/transaction";
import { isAlive, type Failure, type Snapshot } from "../providers/provider";
import { change, type Finding, type Rows } from "./outcome-rows";
import type { Payment } from "./payment.entity";
import {
  CAPTURED_STATES,
  ENDED_UNPAID,
  eventOf,
  holdsBounds,
  statusShown,
  type Amounts,
  type PaymentStatus,
} from "./payment-state";

/** True where the provider shows another payment than the one that was asked for: an operator decides. */
export function contradicts(
  payment: Payment,
  snapshot: Snapshot,
  { isLatest = false }: Pick<Finding, "isLatest">,
): boolean {
  const { amount, captured } = snapshot;
  return (
    isOther(payment, snapshot) ||
    amount.currency !== payment.currency ||
    captured.currency !== payment.currency ||
    amount.minor !== (payment.providerAmount ?? payment.amount) ||
    captured.minor > amount.minor ||
    (isLatest &&
      isRevoked(payment, amountsShown(payment, snapshot)) &&
      !holdsBounds({ ...payment, captured: captured.minor + payment.surplus }))
  );
}

/** A capture that the provider has taken back: less is captured than is known. */
export function isRevoked(
  { status, captured }: Pick<Payment, "status" | "captured">,
  shown: Amounts,
): boolean {
  return CAPTURED_STATES.includes(status) && shown.captured < captured;
}

/** True of a second one at the provider under our reference that moves no money. */
export function isDeadOther(payment: Payment, snapshot: Snapshot): boolean {
  return isOther(payment, snapshot) && !isAlive(snapshot);
}

function isOther({ providerReference }: Payment, { reference }: Snapshot): boolean {
  return providerReference !== null && providerReference !== reference;
}

/**
 * Applies what the provider shows of a payment through the transition table. What is known already, or older, changes
 * nothing; what is further on is applied as the steps on the way, an event each. Refunds are objects of their own:
 * what the payment shows of them is not taken.
 * @returns where the provider shows that it stands; undefined where it is still being worked on
 */
export async function adoptSnapshot(
  tx: Tx,
  rows: Rows,
  finding: Finding,
  snapshot: Snapshot,
): Promise<PaymentStatus | undefined> {
  const { payment } = rows;
  const amounts = amountsShown(payment, snapshot);
  const shown = statusShown(snapshot.state, amounts);
  if (shown === undefined) return shown;
  if (finding.isLatest && isRevoked(payment, amounts)) {
    await revoke(tx, rows, finding, { snapshot, shown });
    return shown;
  }
  const isBeforeEnd = !finding.isLatest && wasRevoked(payment);
  if (isBeforeEnd || isOlder(payment, amounts, shown)) return shown;
  for (const step of stepsTo(payment, shown)) {
    const type = eventOf(payment.status, step);
    if (type === undefined) break;
    const before = payment.captured;
    takeSnapshot(rows, snapshot, step);
    const moved = payment.captured - before;
    await change(tx, rows, finding, { type, amount: moved > 0n ? moved : undefined });
  }
  return shown;
}

/** All that was captured was taken back: what was asked for before may show it still. */
function wasRevoked({ status, capturedAt }: Payment): boolean {
  return ENDED_UNPAID.includes(status) && capturedAt !== null;
}

/** Lowers what was captured, on the provider's proof. What the capture's operation ended with stays as it was. */
async function revoke(
  tx: Tx,
  rows: Rows,
  finding: Finding,
  { snapshot, shown }: { snapshot: Snapshot; shown: PaymentStatus },
): Promise<void> {
  const { payment } = rows;
  const before = payment.captured;
  takeSnapshot(rows, snapshot, shown);
  const { authorized, captured } = amountsShown(payment, snapshot);
  Object.assign(payment, { authorized, captured });
  await change(tx, rows, finding, { type: "payment.capture_failed", amount: before - captured });
}

/** What the provider shows to be held and taken, with charges too many; refunds as we know them. */
export function amountsShown(
  { surplus, refunded }: Pick<Payment, "surplus" | "refunded">,
  { authorized, captured }: Pick<Snapshot, "authorized" | "captured">,
): Amounts {
  return { authorized: authorized.minor + surplus, captured: captured.minor + surplus, refunded };
}

/** Less money than is known to have moved, or the same: nothing new. */
function isOlder(
  payment: Payment,
  { authorized, captured }: { authorized: bigint; captured: bigint },
  shown: PaymentStatus,
): boolean {
  if (!CAPTURED_STATES.includes(payment.status)) return false;
  if (!CAPTURED_STATES.includes(shown) || captured < payment.captured) return true;
  return captured === payment.captured && authorized >= payment.authorized;
}

/** A payment whose money is held first and taken later was held, even if nobody told us of it. */
function stepsTo({ status, captureMode }: Payment, shown: PaymentStatus): PaymentStatus[] {
  const wasHeld = status === "AUTHORIZED" || CAPTURED_STATES.includes(status);
  const tookTwoSteps = captureMode === "MANUAL" && !wasHeld && CAPTURED_STATES.includes(shown);
  return tookTwoSteps ? ["AUTHORIZED", shown] : [shown];
}

/** The payment stands where the provider shows it. */
export function takeSnapshot(
  { payment, now }: Pick<Rows, "payment" | "now">,
  snapshot: Snapshot,
  step: PaymentStatus,
): void {
  const isHeld = step === "AUTHORIZED" || CAPTURED_STATES.includes(step);
  payment.status = step;
  if (isHeld) {
    payment.expiresAt = null;
    const held = step === "AUTHORIZED" ? snapshot.amount.minor : snapshot.authorized.minor;
    payment.authorized = held + payment.surplus;
    payment.authorizedAt ??= now;
  }
  if (CAPTURED_STATES.includes(step)) {
    payment.captured = snapshot.captured.minor + payment.surplus;
    payment.capturedAt ??= now;
  }
  payment.providerReference = snapshot.reference;
  payment.card = snapshot.card ?? payment.card;
  payment.payerCode = snapshot.code ?? payment.payerCode;
  payment.nextAction = null;
  if (step === "REQUIRES_ACTION") {
    const expiresAt = snapshot.nextAction?.expiresAt ?? new Date(now.getTime() + ACT_WITHIN_MS).toISOString();
    payment.expiresAt = new Date(expiresAt);
    payment.nextAction = snapshot.nextAction && { ...snapshot.nextAction, expiresAt };
  }
  payment.failure = step === "FAILED" ? (snapshot.failure ?? UNEXPLAINED) : null;
}

/** What does not expire at its provider (3-D Secure) is called off by our clock after so long. */
const ACT_WITHIN_MS = 3_600_000;

const UNEXPLAINED: Failure = {
  kind: "DECLINED",
  code: "other",
  message: "The provider did not say why.",
  retryAdvice: "OTHER_METHOD",
};
