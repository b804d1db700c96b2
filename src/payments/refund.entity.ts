import { Column, Entity, PrimaryColumn } from "typeorm";
import { bigintColumn } from "../db/columns";
import type { Failure } from "../providers/provider";

/** How far a refund is. */
export type RefundStatus = "PROCESSING" | "SUCCEEDED" | "FAILED" | "IN_DOUBT";

/** Money of one payment that is given back. `recordOutcome` is the only writer of its state. */
@Entity("refunds")
export class Refund {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ name: "payment_id", type: "uuid" })
  paymentId!: string;

  /** Null for one that was made at the provider. */
  @Column({ name: "operation_id", type: "uuid", nullable: true })
  operationId!: string | null;

  @Column({ name: "idempotency_key", type: "text", nullable: true })
  idempotencyKey!: string | null;

  @Column({ type: "text" })
  status!: RefundStatus;

  /** Minor units. */
  @Column({ type: "bigint", transformer: bigintColumn })
  amount!: bigint;

  @Column({ type: "text" })
  currency!: string;

  @Column({ type: "text", nullable: true })
  reason!: string | null;

  @Column({ type: "jsonb", nullable: true })
  failure!: Failure | null;

  @Column({ name: "provider_reference", type: "text", nullable: true })
  providerReference!: string | null;

  /** The provider's id of the charge too many that it gives back; null where it is of the payment's own charge. */
  @Column({ name: "surplus_charge", type: "text", nullable: true })
  surplusCharge!: string | null;

  @Column({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;

  @Column({ name: "updated_at", type: "timestamptz" })
  updatedAt!: Date;
}
