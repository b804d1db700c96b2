import type { MigrationInterface, QueryRunner } from "typeorm";

/** What follows on a payment: captures, cancels and refunds, and what of the money each has reserved. */
export class CaptureCancelRefund1764633600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(changes);
    await runner.query(refunds);
    await runner.query(walls);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table refunds;
      delete from operations where kind <> 'CREATE_PAYMENT';
      alter table operations drop constraint operations_kind_check, drop column amount, drop column refund_id;
      alter table operations add check (kind in ('CREATE_PAYMENT'));
      alter table payments drop column capturing, drop column refunding, drop column disputed, drop column changing;
      alter table payment_events drop column refund_id`);
  }
}

const changes = `
  alter table operations drop constraint operations_kind_check;
  alter table operations
    add check (kind in ('CREATE_PAYMENT', 'CAPTURE_PAYMENT', 'CANCEL_PAYMENT', 'REFUND_PAYMENT')),
    -- Minor units; null for a create, whose amount is the payment's, and for a cancel.
    add column amount bigint,
    add column refund_id uuid;

  -- Bounds are kept on the payment's own row, under its lock: minor units that are being captured, that are being
  -- refunded, and that are disputed; and which capture or cancel is under way.
  alter table payments
    add column capturing bigint not null default 0 check (capturing >= 0),
    add column refunding bigint not null default 0 check (refunding >= 0),
    add column disputed bigint not null default 0 check (disputed >= 0),
    add column changing uuid;

  alter table payment_events add column refund_id uuid;`;

const refunds = `
  create table refunds (
    merchant_id uuid not null references merchants,
    id uuid not null,
    payment_id uuid not null,
    -- Null for one that was made at the provider.
    operation_id uuid,
    idempotency_key text collate "C",
    status text not null check (status in ('PROCESSING', 'SUCCEEDED', 'FAILED', 'IN_DOUBT')),
    amount bigint not null check (amount > 0),
    currency text not null,
    reason text,
    failure jsonb,
    provider_reference text collate "C",
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  ) with (fillfactor = 70);
  create index refunds_payment on refunds (merchant_id, payment_id, created_at, id);
  create unique index refunds_provider on refunds (merchant_id, provider_reference) where provider_reference is not null;
  -- Last: see the primary keys of the first migration.
  alter table refunds add primary key (merchant_id, id);`;

const walls = `
  alter table refunds enable row level security;
  create policy tenant on refunds to umavez_tenant using (merchant_id = current_setting('umavez.merchant_id')::uuid);
  grant select, insert, update, delete on refunds to umavez_tenant;`;
