import type { MigrationInterface, QueryRunner } from "typeorm";

/** The second fence, by the order's reference; and what erasing the content of old keys is found by. */
export class OrderFences1764651600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- An order with a live payment has a row here: the payment that holds the fence, and how many others live beside it.
      create table order_fences (
        merchant_id uuid not null references merchants,
        order_reference text collate "C" not null,
        payment_id uuid not null,
        others integer not null default 0 check (others >= 0),
        primary key (merchant_id, order_reference)
      );
      alter table order_fences enable row level security;
      create policy tenant on order_fences to umavez_tenant
        using (merchant_id = current_setting('umavez.merchant_id')::uuid);
      grant select, insert, update, delete on order_fences to umavez_tenant;

      -- Neither column is changed by T2.
      create index operations_erasable on operations (replayable_until) where intent is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index operations_erasable; drop table order_fences`);
  }
}
