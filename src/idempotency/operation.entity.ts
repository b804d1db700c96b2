import { Column, Entity, PrimaryColumn } from "typeorm";
import { bigintColumn } from "../db/columns";

/** What an operation intends: part of the scope of its key. */
export type OperationKind =
  "CREATE_PAYMENT" | "CAPTURE_PAYMENT" | "CANCEL_PAYMENT" | "REFUND_PAYMENT" | "RESOLVE_CONFLICT";

/** Recorded or being sent; accepted and pending at the provider; unknown; waiting for an operator; ended. */
export type OperationState =
  "PROCESSING" | "AWAITING_PROVIDER" | "IN_DOUBT" | "PARKED" | "SUCCEEDED" | "FAILED";

/** True where the operation needs nothing more from us or the provider. */
export function hasEnded(state: OperationState): boolean {
  return state === "SUCCEEDED" || state === "FAILED";
}

/** One intent to move money, named by (merchant, kind, key). */
@Entity("operations")
export class Operation {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ type: "text" })
  kind!: OperationKind;

  @Column({ name: "session_order", type: "text" })
  sessionOrder!: string;

  @Column({ name: "idempotency_key", type: "text" })
  idempotencyKey!: string;

  /** `v1:` and the SHA-256 of the canonical intent, in hexadecimal. */
  @Column({ type: "text" })
  fingerprint!: string;

  /** Encrypted: the canonical intent, to name the fields in which a misuse differs. */
  @Column({ type: "bytea", nullable: true })
  intent!: Buffer | null;

  @Column({ name: "payment_id", type: "uuid" })
  paymentId!: string;

  /** Of a refund, and of a conflict that is resolved by one. */
  @Column({ name: "refund_id", type: "uuid", nullable: true })
  refundId!: string | null;

  /** Minor units in the payment's currency: what a capture takes or a refund gives back; null for the others. */
  @Column({ type: "bigint", nullable: true, transformer: bigintColumn })
  amount!: bigint | null;

  /** Why, in the caller's words; erased with the content. */
  @Column({ type: "text", nullable: true })
  reason!: string | null;

  @Column({ type: "text" })
  state!: OperationState;

  /** What the operation ended with: frozen. Its shape belongs to whoever ends the operation. */
  @Column({ type: "jsonb", nullable: true })
  result!: object | null;

  @Column({ name: "last_error", type: "text", nullable: true })
  lastError!: string | null;

  @Column({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;

  @Column({ name: "completed_at", type: "timestamptz", nullable: true })
  completedAt!: Date | null;

  /** Until when a replay finds the stored result. The key itself never frees. */
  @Column({ name: "replayable_until", type: "timestamptz" })
  replayableUntil!: Date;
}

/** What is still to be done: there is one for each operation that is neither ended nor parked. */
@Entity("unfinished_operations")
export class UnfinishedOperation {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ name: "operation_id", type: "uuid" })
  operationId!: string;

  /** Who holds the lease holds this. */
  @Column({ name: "lease_token", type: "uuid", nullable: true })
  leaseToken!: string | null;

  @Column({ name: "lease_expires_at", type: "timestamptz", nullable: true })
  leaseExpiresAt!: Date | null;

  /** When the worker takes it next: the lease's end, then the recovery schedule. */
  @Column({ name: "due_at", type: "timestamptz" })
  dueAt!: Date;

  /** Steps of recovery taken so far. */
  @Column({ name: "recovery_steps", type: "integer" })
  recoverySteps!: number;

  /** When a repeat last made the next step due at once. */
  @Column({ name: "pulled_at", type: "timestamptz", nullable: true })
  pulledAt!: Date | null;
}

/** How often a key was sent again. Outside T1 and T2, so that a hundred repeats do not abort each other on one row. */
@Entity("operation_counters")
export class OperationCounter {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ name: "operation_id", type: "uuid" })
  operationId!: string;

  @Column({ type: "bigint", transformer: bigintColumn })
  replays!: bigint;

  @Column({ type: "bigint", transformer: bigintColumn })
  collisions!: bigint;
}

/** One refused use of a key with other content. */
@Entity("key_collisions")
export class KeyCollision {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ name: "operation_id", type: "uuid" })
  operationId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ type: "timestamptz" })
  at!: Date;

  /** Dotted input paths; null once the content was erased. */
  @Column({ name: "changed_fields", type: "text", array: true, nullable: true })
  changedFields!: string[] | null;

  @Column({ type: "text" })
  actor!: string;
}
