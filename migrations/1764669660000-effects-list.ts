import type { MigrationInterface, QueryRunner } from "typeorm";

/** The list of effects: its whole order, and what of it is not done, which is little among much. */
export class EffectsList1764669660000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index effects_newest;
      create index effects_newest on effects (merchant_id, created_at desc, event_id desc, consumer desc);
      create index effects_open on effects (merchant_id, created_at desc, event_id desc, consumer desc)
        where state <> 'DONE'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index effects_open, effects_newest;
      create index effects_newest on effects (merchant_id, created_at desc, event_id desc)`);
  }
}
