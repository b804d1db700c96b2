import { Column, Entity, PrimaryColumn } from "typeorm";

/** What an attempt came to; null while nobody has asked. */
export type AttemptOutcome = "HAPPENED" | "NOT_HAPPENED" | "UNKNOWN";

/** One conversation with one provider about one operation; written before the first call. */
@Entity("attempts")
export class Attempt {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ name: "operation_id", type: "uuid" })
  operationId!: string;

  /** 1, 2, … within the operation. */
  @PrimaryColumn({ type: "integer" })
  number!: number;

  @Column({ name: "payment_id", type: "uuid" })
  paymentId!: string;

  @Column({ name: "provider_account_id", type: "uuid" })
  providerAccountId!: string;

  @Column({ type: "text" })
  provider!: string;

  /** Sent to the provider both as its idempotency key and as our searchable reference. */
  @Column({ type: "text" })
  reference!: string;

  /** Encrypted: the request as it is sent, the same on every resend. */
  @Column({ type: "bytea", nullable: true })
  request!: Buffer | null;

  /** No call of this attempt has left us after this instant, whatever happened to the process that made it. */
  @Column({ name: "last_send_before", type: "timestamptz" })
  lastSendBefore!: Date;

  /** How often recovery has sent the request again. */
  @Column({ type: "integer" })
  resends!: number;

  @Column({ name: "provider_reference", type: "text", nullable: true })
  providerReference!: string | null;

  @Column({ type: "text", nullable: true })
  outcome!: AttemptOutcome | null;

  /** How we know. */
  @Column({ type: "text", nullable: true })
  evidence!: string | null;

  @Column({ type: "text", nullable: true })
  detail!: string | null;

  @Column({ name: "started_at", type: "timestamptz" })
  startedAt!: Date;

  @Column({ name: "finished_at", type: "timestamptz", nullable: true })
  finishedAt!: Date | null;
}
