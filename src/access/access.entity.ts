import { Column, Entity, PrimaryColumn } from "typeorm";

/** What the holder of a key may do (semantics section 9). */
export type ApiKeyRole = "ADMIN" | "PAYMENTS" | "VIEWER" | "OPERATOR";

/** A tenant: owns keys, payments and provider accounts. */
@Entity("merchants")
export class Merchant {
  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ type: "text" })
  name!: string;

  @Column({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;
}

/** A credential of a merchant's servers or people. Only its hash is kept. */
@Entity("api_keys")
export class ApiKey {
  @PrimaryColumn({ name: "merchant_id", type: "uuid" })
  merchantId!: string;

  @PrimaryColumn({ type: "uuid" })
  id!: string;

  @Column({ type: "text" })
  name!: string;

  @Column({ type: "text" })
  role!: ApiKeyRole;

  /** The first characters, to tell keys apart. */
  @Column({ type: "text" })
  prefix!: string;

  /** SHA-256 of the secret. */
  @Column({ name: "secret_hash", type: "bytea" })
  secretHash!: Buffer;

  @Column({ name: "created_at", type: "timestamptz" })
  createdAt!: Date;

  @Column({ name: "last_used_at", type: "timestamptz", nullable: true })
  lastUsedAt!: Date | null;

  @Column({ name: "revoked_at", type: "timestamptz", nullable: true })
  revokedAt!: Date | null;
}
