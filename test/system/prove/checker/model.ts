/** A payment as the rules have it (semantics sections 3 and 5), written anew: not the gateway's own code. Minor units. */
export interface Model {
  status: string;
  authorized: number;
  captured: number;
  refunded: number;
  /** Reserved for what runs. */
  capturing: number;
  refunding: number;
  /** The name of the capture or cancel that runs. */
  changing: string | null;
}

export const BEFORE: Model = {
  status: "NONE",
  authorized: 0,
  captured: 0,
  refunded: 0,
  capturing: 0,
  refunding: 0,
  changing: null,
};

export const UNPAID = ["FAILED", "CANCELED", "EXPIRED"];
export const TAKEN = ["PARTIALLY_CAPTURED", "CAPTURED", "PARTIALLY_REFUNDED", "REFUNDED"];

/** The status follows the amounts. */
export function byAmounts({ authorized, captured, refunded }: Model): string {
  if (captured === 0) return "AUTHORIZED";
  if (authorized > captured) return "PARTIALLY_CAPTURED";
  if (refunded === 0) return "CAPTURED";
  return refunded === captured ? "REFUNDED" : "PARTIALLY_REFUNDED";
}

/** The same, with the status that follows. */
export const followed = (model: Model): Model => ({ ...model, status: byAmounts(model) });

export function capturable({ status, authorized, captured, capturing }: Model): number {
  const isHeld = status === "AUTHORIZED" || status === "PARTIALLY_CAPTURED";
  return isHeld ? Math.max(0, authorized - captured - capturing) : 0;
}

export function refundable({ status, captured, refunded, refunding }: Model): number {
  return TAKEN.includes(status) ? Math.max(0, captured - refunded - refunding) : 0;
}
