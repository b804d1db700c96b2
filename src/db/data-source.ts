import type { ClientBase } from "pg";
import { DataSource, DataSourceOptions } from "typeorm";
import { entities } from "../entities";

/** How the gateway's pool behaves. */
export interface PoolOptions {
  /** Connections at most. */
  size: number;
  /** Told of errors of idle connections, which node-postgres would otherwise end the process with. */
  onError?: (error: Error) => void;
}

/** Milliseconds. Storage.md: a statement that takes longer than these is a fault, not work. */
const STATEMENT_TIMEOUT = 5_000;
const LOCK_TIMEOUT = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT = 10_000;
/** node-postgres waits for a connection for ever by default. */
const CONNECT_TIMEOUT = 5_000;
/** On our side: a database that has fallen silent does not hold a caller. */
const QUERY_TIMEOUT = 8_000;

/** A DataSource over one Postgres. Not connected yet: call `initialize()`. */
export function createDataSource(url: string, pool: PoolOptions): DataSource {
  const options: DataSourceOptions = {
    type: "postgres",
    url,
    entities,
    migrations: [],
    poolSize: pool.size,
    connectTimeoutMS: CONNECT_TIMEOUT,
    applicationName: "umavez",
    // TypeORM would run CREATE EXTENSION at every start.
    installExtensions: false,
    poolErrorHandler: (error: Error) => pool.onError?.(error),
    extra: {
      onConnect: prepareConnection,
      query_timeout: QUERY_TIMEOUT,
      keepAlive: true,
    },
  };
  return new DataSource(options);
}

/** Set after connect, not as start-up parameters: pgbouncer in transaction mode refuses those. */
async function prepareConnection(client: ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${STATEMENT_TIMEOUT}; set lock_timeout = ${LOCK_TIMEOUT};
     set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT}; set timezone = 'UTC'`,
  );
}
