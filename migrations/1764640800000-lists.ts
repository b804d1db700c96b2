import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * What lists and searches look things up by. None of these columns is changed by T2, so that its updates stay HOT
 * (docs/decisions/0003-no-foreign-keys-in-the-payment-path.md).
 */
export class Lists1764640800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index operations_newest on operations (merchant_id, created_at desc, id desc);
      -- The merchant's own keys are found by operations_key.
      create index operations_session_key on operations (merchant_id, idempotency_key) where session_order <> '';
      create index payments_customer on payments (merchant_id, customer_reference, created_at desc, id desc)
        where customer_reference is not null;
      create index payment_events_parked on payment_events (merchant_id, operation_id) where type = 'operation.parked';
      create index operation_counters_collided on operation_counters (merchant_id, operation_id) where collisions > 0`);
    // Last again, for the reason that the first migration gives: operations_newest, too, could serve a lookup by id.
    await runner.query(`
      alter table operations drop constraint operations_pkey;
      alter table operations add primary key (merchant_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index operations_newest, operations_session_key, payments_customer, payment_events_parked,
                 operation_counters_collided`);
  }
}
