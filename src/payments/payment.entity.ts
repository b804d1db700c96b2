import { Column, Entity, PrimaryColumn } from "typeorm";
import { bigintColumn } from "../db/columns";
import type { NextAction, PayerCode, PaymentMethodType } from "../providers/payer-action";
import type { CardDetails, Failure } from "../providers/provider";
import type { PaymentStatus } from "./payment-state";

/** Whether the money is taken with the authorization, or later. */
export type CaptureMode = "AUTOMATIC" | "MANUAL";

/** A payment as it stands. `recordOutcome` is the only writer of its state. */
@Entity("payments")
export class Payment {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ type: "text" })
  status!: PaymentStatus;

  /** Grows by one with every change. */
  @Column({ type: "integer" })
  version!: number;

  /** How many events tell of it so far. */
  @Column({ name: "event_count", type: "integer" })
  eventCount!: number;

  /** ISO 4217; every amount of the payment is in it. */
  @Column({ type: "text" })
  currency!: string;

  /** Minor units, as asked for. */
  @Column({ type: "bigint", transformer: bigintColumn })
  amount!: bigint;

  /** Minor units that the provider has it for, where an operator knows that it is not what was asked for. */
  @Column({ name: "provider_amount", type: "bigint", nullable: true, transformer: bigintColumn })
  providerAmount!: bigint | null;

  /** Minor units that the provider holds or has taken. */
  @Column({ type: "bigint", transformer: bigintColumn })
  authorized!: bigint;

  /** Minor units taken. */
  @Column({ type: "bigint", transformer: bigintColumn })
  captured!: bigint;

  /** Minor units that a capture under way has reserved. */
  @Column({ type: "bigint", transformer: bigintColumn })
  capturing!: bigint;

  /** Minor units given back. */
  @Column({ type: "bigint", transformer: bigintColumn })
  refunded!: bigint;

  /** Minor units that refunds under way have reserved. */
  @Column({ type: "bigint", transformer: bigintColumn })
  refunding!: bigint;

  /** Minor units that the payer disputes or has got back by a dispute. */
  @Column({ type: "bigint", transformer: bigintColumn })
  disputed!: bigint;

  /** Minor units of what was taken that are of charges too many: given back, or on their way. */
  @Column({ type: "bigint", transformer: bigintColumn })
  surplus!: bigint;

  /** What still contradicts what was asked for: each charge too many, and an amount that is too large. */
  @Column({ type: "integer" })
  contradictions!: number;

  /** The capture, the cancel or the operator's decision under way: there is one at a time. */
  @Column({ type: "uuid", nullable: true })
  changing!: string | null;

  @Column({ name: "capture_mode", type: "text" })
  captureMode!: CaptureMode;

  @Column({ name: "method_type", type: "text" })
  methodType!: PaymentMethodType;

  @Column({ type: "jsonb", nullable: true })
  card!: CardDetails | null;

  /** What the payer pays by: a Pix code or a boleto, kept for ever. */
  @Column({ name: "payer_code", type: "jsonb", nullable: true })
  payerCode!: PayerCode | null;

  @Column({ name: "next_action", type: "jsonb", nullable: true })
  nextAction!: NextAction | null;

  @Column({ type: "jsonb", nullable: true })
  failure!: Failure | null;

  @Column({ name: "idempotency_key", type: "text" })
  idempotencyKey!: string;

  @Column({ name: "order_reference", type: "text", nullable: true })
  orderReference!: string | null;

  @Column({ name: "customer_reference", type: "text", nullable: true })
  customerReference!: string | null;

  @Column({ type: "text", nullable: true })
  description!: string | null;

  @Column({ type: "jsonb" })
  metadata!: Record<string, string>;

  /** Encrypted: who pays. */
  @Column({ type: "bytea", nullable: true })
  payer!: Buffer | null;

  @Column({ name: "return_url", type: "text", nullable: true })
  returnUrl!: string | null;

  @Column({ name: "provider_account_id", type: "uuid" })
  providerAccountId!: string;

  @Column({ type: "text" })
  provider!: string;

  /** The provider's id of the payment, once it is known. */
  @Column({ name: "provider_reference", type: "text", nullable: true })
  providerReference!: string | null;

  @Column({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;

  @Column({ name: "updated_at", type: "timestamptz" })
  updatedAt!: Date;

  @Column({ name: "authorized_at", type: "timestamptz", nullable: true })
  authorizedAt!: Date | null;

  @Column({ name: "captured_at", type: "timestamptz", nullable: true })
  capturedAt!: Date | null;

  /** When it runs out unpaid; null once it is paid, and where it does not. */
  @Column({ name: "expires_at", type: "timestamptz", nullable: true })
  expiresAt!: Date | null;
}
