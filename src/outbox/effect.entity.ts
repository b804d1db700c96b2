import { Column, Entity, PrimaryColumn } from "typeorm";

/** How far an effect is: due or under way; done; given up, for an operator. */
export type EffectState = "PENDING" | "DONE" | "PARKED";

/** One consumer's handling of one event. */
@Entity("effects")
export class Effect {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ name: "event_id", type: "uuid" })
  eventId!: string;

  @PrimaryColumn({ type: "text" })
  consumer!: string;

  @Column({ name: "payment_id", type: "uuid" })
  paymentId!: string;

  @Column({ type: "text" })
  state!: EffectState;

  @Column({ type: "integer" })
  attempts!: number;

  @Column({ name: "last_error", type: "text", nullable: true })
  lastError!: string | null;

  @Column({ name: "done_at", type: "timestamptz", nullable: true })
  doneAt!: Date | null;
}
