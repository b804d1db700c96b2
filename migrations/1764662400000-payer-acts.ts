import type { MigrationInterface, QueryRunner } from "typeorm";

/** Payments that wait for their payer: what is paid by, and the polls that find out whether it was. */
export class PayerActs1764662400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A Pix code or a boleto: kept for ever, as a payer may come back to it.
      alter table payments add column payer_code jsonb;

      -- The payments that a payer may still pay. T2 only inserts here; the clock moves and deletes rows, one statement
      -- each, so that transactions about payments never meet in it.
      create table payer_polls (
        merchant_id uuid not null references merchants,
        payment_id uuid not null,
        -- The create, whose outcome a poll finds out.
        operation_id uuid not null,
        attempt integer not null,
        lease_token uuid,
        due_at timestamptz not null,
        polls integer not null default 0
      );
      create index payer_polls_due on payer_polls (due_at);
      -- A payer who comes back names the attempt alone.
      create index attempts_returned on attempts (reference);

      alter table payer_polls enable row level security;
      create policy tenant on payer_polls to umavez_tenant
        using (merchant_id = current_setting('umavez.merchant_id')::uuid);
      grant select, insert, update, delete on payer_polls to umavez_tenant`);
    // Last, for the reason that the first migration gives.
    await runner.query(`
      alter table payer_polls add primary key (merchant_id, payment_id);
      alter table attempts drop constraint attempts_pkey;
      alter table attempts add primary key (merchant_id, operation_id, number)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index attempts_returned;
      drop table payer_polls;
      alter table payments drop column payer_code`);
  }
}
