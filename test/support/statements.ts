import type { DataSource, Logger } from "typeorm";

/** A statement that the gateway sent to its database. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** Every statement that the gateway sends while `work` runs. */
export async function statementsOf(db: DataSource, work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const before = db.logger;
  const nothing = () => undefined;
  const recorder: Logger = {
    logQuery: (text, values) => void seen.push({ text, values: (values as unknown[] | undefined) ?? [] }),
    logQueryError: nothing,
    logQuerySlow: nothing,
    logSchemaBuild: nothing,
    logMigration: nothing,
    log: nothing,
  };
  db.logger = recorder;
  try {
    await work();
  } finally {
    db.logger = before;
  }
  return seen;
}
