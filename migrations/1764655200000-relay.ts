import type { MigrationInterface, QueryRunner } from "typeorm";

/** Where committed events get their position, and how far each consumer of them is. */
export class Relay1764655200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The order of insertion: of one payment's events that of their changes, as each is inserted under its row's lock.
      alter table outbox add column number bigint generated always as identity;

      -- One row for each merchant: its lock is what gives committed events their positions, one after the other.
      create table feeds (
        merchant_id uuid primary key references merchants,
        last_position bigint not null default 0
      );
      create table feed_entries (
        merchant_id uuid not null references merchants,
        position bigint not null,
        event_id uuid not null,
        primary key (merchant_id, position)
      );
      create unique index feed_entries_event on feed_entries (merchant_id, event_id);

      -- One consumer's handling of one event: (consumer, event) is its effect key.
      create table effects (
        merchant_id uuid not null references merchants,
        event_id uuid not null,
        consumer text not null,
        payment_id uuid not null,
        state text not null default 'PENDING' check (state in ('PENDING', 'DONE', 'PARKED')),
        attempts integer not null default 0,
        last_error text,
        due_at timestamptz not null default now(),
        created_at timestamptz not null default now(),
        done_at timestamptz,
        primary key (merchant_id, event_id, consumer)
      );
      create index effects_due on effects (due_at) where state = 'PENDING';
      create index effects_payment on effects (merchant_id, payment_id);
      create index effects_newest on effects (merchant_id, created_at desc, event_id desc);`);
    for (const table of ["feeds", "feed_entries", "effects"])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to umavez_tenant
          using (merchant_id = current_setting('umavez.merchant_id')::uuid);
        grant select, insert, update, delete on ${table} to umavez_tenant;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table effects, feed_entries, feeds; alter table outbox drop column number`);
  }
}
