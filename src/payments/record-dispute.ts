import type { Tx } from "../db/transaction";
import type { DisputeSnapshot } from "../providers/provider";
import { newUuid } from "../shared/ids";
import { change, lockPayment, writePayment } from "./outcome-rows";
import type { Actor } from "./payment-event.entity";

type DisputeStatus = "OPEN" | "WON" | "LOST";

/** What was found out about a dispute of one payment. */
export interface DisputeFinding {
  paymentId: string;
  shown: DisputeSnapshot;
  actor: Actor;
}

/** The steps from what is known to what is shown. A dispute that has ended is not open again: that is older. */
const STEPS: Record<DisputeStatus | "NONE", Record<"open" | "won" | "lost", DisputeStatus[]>> = {
  NONE: { open: ["OPEN"], won: ["OPEN", "WON"], lost: ["OPEN", "LOST"] },
  OPEN: { open: [], won: ["WON"], lost: ["LOST"] },
  WON: { open: [], won: [], lost: ["LOST"] },
  LOST: { open: [], won: ["WON"], lost: [] },
};

const EVENTS = { OPEN: "dispute.opened", WON: "dispute.won", LOST: "dispute.lost" } as const;

/**
 * What the payer disputes is not there to be refunded; what was lost never is again, what was won is free. The same
 * dispute, told of in any order and number, moves the payment once.
 */
export async function recordDispute(tx: Tx, { paymentId, shown, actor }: DisputeFinding): Promise<void> {
  if (shown.state === "inquiry") return;
  const { payment, now } = await lockPayment(tx, paymentId);
  const [known] = await tx.sql<{ status: DisputeStatus; amount: string }>(
    `select status, amount from disputes where merchant_id = $1 and provider_reference = $2`,
    [tx.merchantId, shown.reference],
  );
  const amount = known ? BigInt(known.amount) : shown.amount.minor;
  let status: DisputeStatus | "NONE" = known?.status ?? "NONE";
  for (const step of STEPS[status][shown.state]) {
    if (step === "WON") payment.disputed -= amount;
    else if (status !== "OPEN") payment.disputed += amount;
    status = step;
    await change(tx, { payment, operation: null, refund: null }, { actor }, { type: EVENTS[step], amount });
  }
  if (status === "NONE" || status === known?.status) return;
  await tx.sql(
    `insert into disputes (merchant_id, id, payment_id, provider_reference, status, amount, currency)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id, provider_reference) do update set status = excluded.status, updated_at = now()`,
    [tx.merchantId, newUuid(), paymentId, shown.reference, status, amount.toString(), shown.amount.currency],
  );
  await writePayment(tx, payment, now);
}
