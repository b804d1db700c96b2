import type { Deed, PaymentRead } from "./history";
import type { Point } from "./linearize";
import { followed, TAKEN, UNPAID, type Model } from "./model";

/** What was done at the provider takes effect when the gateway has learned of it, which is by the end. */
export function deedPoint(deed: Deed, name: string, payment: PaymentRead): Point<Model> {
  return {
    name: `${name}: ${deed.kind} ${deed.minor}`,
    from: deed.begun,
    to: Infinity,
    after: [],
    apply: (model) => learn(model, deed, payment),
  };
}

/** A new object where something may have changed, so that it is not taken for a look. */
function learn(model: Model, { kind, minor }: Deed, payment: PaymentRead): Model | null {
  const { status } = model;
  const { events } = payment;
  if (status === "NONE" || status === "PROCESSING") return null;
  const isOpen = status === "REQUIRES_ACTION";
  switch (kind) {
    case "pay":
    case "pay_late": {
      if (!isOpen && !UNPAID.includes(status)) return { ...model };
      const captured = payment.captureMode === "MANUAL" ? 0 : payment.minor;
      return followed({ ...model, authorized: payment.minor, captured });
    }
    case "fail":
      return { ...model, status: isOpen ? "FAILED" : status };
    case "expire": {
      // What is called off in the moment in which it is paid is no longer held.
      const isReleased = status === "AUTHORIZED" && events.some(({ type }) => type === "payment.expired");
      return isReleased
        ? { ...model, status: "EXPIRED", authorized: 0 }
        : { ...model, status: isOpen ? "EXPIRED" : status };
    }
    case "cancel":
      if (isOpen || status === "AUTHORIZED") return { ...model, status: "CANCELED", authorized: 0 };
      return TAKEN.includes(status) ? followed({ ...model, authorized: model.captured }) : { ...model };
    case "capture": {
      const captured = model.captured + minor;
      return captured > model.authorized ? null : followed({ ...model, captured, authorized: captured });
    }
    case "refund": {
      const refunded = model.refunded + minor;
      return refunded > model.captured ? null : followed({ ...model, refunded });
    }
    case "revoke":
      return revoked(model, minor);
  }
}

function revoked(model: Model, minor: number): Model | null {
  const [captured, authorized] = [model.captured - minor, model.authorized - minor];
  if (captured < model.refunded) return null;
  const after = { ...model, captured, authorized };
  return authorized === 0 ? { ...after, status: "FAILED" } : followed(after);
}

/** Refunds that went out and could not be paid: at some time their money is there again. */
export function comeBack({ refunds, events }: PaymentRead): Point<Model>[] {
  const isBack = ({ id, status }: PaymentRead["refunds"][number]) =>
    status === "FAILED" && events.some((one) => one.refundId === id && one.type === "refund.reversed");
  return refunds.filter(isBack).map(({ id, minor }) => ({
    name: `${id} comes back`,
    from: -Infinity,
    to: Infinity,
    after: [],
    apply: (model) =>
      model.refunded < minor ? null : followed({ ...model, refunded: model.refunded - minor }),
  }));
}
