import type { MigrationInterface, QueryRunner } from "typeorm";

/** What providers tell us of themselves, and the disputes of payers. */
export class Inbox1764666000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Encrypted: what the provider signs its webhooks with.
      alter table provider_accounts add column webhook_secret bytea;
      -- The address of a webhook names the account alone.
      create unique index provider_accounts_address on provider_accounts (id);

      -- One row for each event of a provider's. Stored first, answered, then applied. The body is not kept: it is a
      -- hint of what to ask the provider for.
      create table inbox (
        merchant_id uuid not null references merchants,
        id uuid not null,
        provider_account_id uuid not null,
        event_id text collate "C" not null,
        type text not null,
        subject jsonb not null,
        state text not null check (state in ('RECEIVED', 'APPLIED', 'IGNORED', 'UNATTRIBUTED')),
        payment_id uuid,
        tries integer not null default 0,
        last_error text,
        due_at timestamptz not null default now(),
        lease_token uuid,
        received_at timestamptz not null default now(),
        applied_at timestamptz,
        foreign key (merchant_id, provider_account_id) references provider_accounts
      );
      create unique index inbox_event on inbox (merchant_id, provider_account_id, event_id);
      create index inbox_due on inbox (due_at) where state = 'RECEIVED';

      create table disputes (
        merchant_id uuid not null references merchants,
        id uuid not null,
        payment_id uuid not null,
        provider_reference text collate "C" not null,
        status text not null check (status in ('OPEN', 'WON', 'LOST')),
        amount bigint not null check (amount > 0),
        currency text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create unique index disputes_provider on disputes (merchant_id, provider_reference);
      create index disputes_payment on disputes (merchant_id, payment_id, created_at, id);
      -- Last: see the primary keys of the first migration.
      alter table inbox add primary key (merchant_id, id);
      alter table disputes add primary key (merchant_id, id)`);
    for (const table of ["inbox", "disputes"])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to umavez_tenant
          using (merchant_id = current_setting('umavez.merchant_id')::uuid);
        grant select, insert, update, delete on ${table} to umavez_tenant;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table inbox, disputes;
      drop index provider_accounts_address;
      alter table provider_accounts drop column webhook_secret`);
  }
}
