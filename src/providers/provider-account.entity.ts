import { Column, Entity, PrimaryColumn } from "typeorm";

/** The providers that there is a connector for. */
export type ProviderName = "sandbox" | "stripe";

/** A merchant's account at a provider. */
@Entity("provider_accounts")
export class ProviderAccount {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ type: "text" })
  provider!: ProviderName;

  @Column({ type: "text" })
  name!: string;

  /** Lower is asked first. */
  @Column({ type: "integer" })
  priority!: number;

  @Column({ type: "boolean" })
  enabled!: boolean;

  /** Encrypted: the provider's secret key. */
  @Column({ type: "bytea" })
  secret!: Buffer;

  /** Encrypted: what the provider signs its webhooks with; null until an endpoint is registered there. */
  @Column({ name: "webhook_secret", type: "bytea", nullable: true })
  webhookSecret!: Buffer | null;

  @Column({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;
}
