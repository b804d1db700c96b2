import { In } from "typeorm";
import { microsOf, type NestedList } from "../db/page";
import type { Reader } from "../db/transaction";
import { PaymentEvent } from "./payment-event.entity";
import { Refund } from "./refund.entity";

/** A payment's operations, in the order in which their keys were first used. */
export const OPERATIONS_OF_PAYMENT: NestedList = {
  name: "payment.operations",
  table: "operations",
  owner: "payment_id",
  position: microsOf("created_at"),
};

/** A payment's refunds, in the order in which they were made. */
export const REFUNDS_OF_PAYMENT: NestedList = {
  name: "payment.refunds",
  table: "refunds",
  owner: "payment_id",
  position: microsOf("created_at"),
};

/** A payment's history. */
export const EVENTS_OF_PAYMENT: NestedList = {
  name: "payment.events",
  table: "payment_events",
  owner: "payment_id",
  position: "sequence",
};

/** The refund with this id, or null: for absent and foreign ones alike. */
export async function findRefund(read: Reader, id: string | null): Promise<Refund | null> {
  return id === null ? null : read.manager.findOneBy(Refund, { merchantId: read.merchantId, id });
}

/** The event with this id, or null: for absent and foreign ones alike. */
export async function findEvent(read: Reader, id: string): Promise<PaymentEvent | null> {
  return read.manager.findOneBy(PaymentEvent, { merchantId: read.merchantId, id });
}

/** The refunds with these ids, in no order. */
export async function refundsOf(read: Reader, ids: string[]): Promise<Refund[]> {
  return ids.length === 0 ? [] : read.manager.findBy(Refund, { merchantId: read.merchantId, id: In(ids) });
}

/** The events with these ids, in no order. */
export async function eventsOf(read: Reader, ids: string[]): Promise<PaymentEvent[]> {
  return ids.length === 0
    ? []
    : read.manager.findBy(PaymentEvent, { merchantId: read.merchantId, id: In(ids) });
}
