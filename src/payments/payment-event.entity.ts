import { Column, Entity, PrimaryColumn } from "typeorm";
import { bigintColumn } from "../db/columns";
import type { PaymentEventType, PaymentStatus } from "./payment-state";

/** Who or what caused a change. */
export type Actor = "api_key" | "recovery" | "clock" | "payer" | "provider_webhook" | "operator";

/** One line of a payment's immutable history, written with the change it tells of. */
@Entity("payment_events")
export class PaymentEvent {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ name: "payment_id", type: "uuid" })
  paymentId!: string;

  /** 1, 2, 3, … without a gap within one payment. */
  @Column({ type: "integer" })
  sequence!: number;

  @Column({ type: "text" })
  type!: PaymentEventType;

  /** The payment's status after this event. */
  @Column({ type: "text" })
  status!: PaymentStatus;

  /** Minor units in the payment's currency. */
  @Column({ type: "bigint", nullable: true, transformer: bigintColumn })
  amount!: bigint | null;

  @Column({ name: "refund_id", type: "uuid", nullable: true })
  refundId!: string | null;

  @Column({ name: "operation_id", type: "uuid", nullable: true })
  operationId!: string | null;

  @Column({ type: "text" })
  actor!: Actor;

  @Column({ name: "occurred_at", type: "timestamptz" })
  occurredAt!: Date;
}
