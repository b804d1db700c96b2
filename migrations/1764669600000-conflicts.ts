import type { MigrationInterface, QueryRunner } from "typeorm";

/** What an operator decides about evidence that contradicts itself. */
export class Conflicts1764669600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table operations drop constraint operations_kind_check;
      alter table operations
        add check (kind in ('CREATE_PAYMENT', 'CAPTURE_PAYMENT', 'CANCEL_PAYMENT', 'REFUND_PAYMENT', 'RESOLVE_CONFLICT')),
        -- Why, in the caller's words.
        add column reason text;

      alter table payments
        -- What the provider has it for, in minor units, where an operator knows that it is not what was asked for.
        add column provider_amount bigint,
        -- Minor units of what was taken that are of charges too many: given back, or on their way.
        add column surplus bigint not null default 0 check (surplus >= 0),
        -- What still contradicts what was asked for: each charge too many, and an amount that is too large.
        add column contradictions integer not null default 0 check (contradictions >= 0);

      -- The provider's id of the charge too many that it gives back; null where it is of the payment's own charge.
      alter table refunds add column surplus_charge text collate "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from operations where kind = 'RESOLVE_CONFLICT';
      alter table operations drop constraint operations_kind_check;
      alter table operations
        add check (kind in ('CREATE_PAYMENT', 'CAPTURE_PAYMENT', 'CANCEL_PAYMENT', 'REFUND_PAYMENT')),
        drop column reason;
      alter table payments drop column provider_amount, drop column surplus, drop column contradictions;
      alter table refunds drop column surplus_charge`);
  }
}
