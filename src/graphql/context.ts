import DataLoader from "dataloader";
import type { App } from "../app";
import { authenticate, requirePermission, type Action, type Caller } from "../access/caller";
import { readOnly, type Reader } from "../db/transaction";
import { collisionsOf, countersOf, unfinishedOf } from "../idempotency/find-operations";
import type { KeyCollision, OperationCounter, UnfinishedOperation } from "../idempotency/operation.entity";
import type { Attempt } from "../payments/attempt.entity";
import { attemptsOf, paymentsOf } from "../payments/find-payments";
import type { Payment } from "../payments/payment.entity";

/** What the resolvers of one request share. */
export interface Context {
  app: App;
  /** Names the request: every error carries it. */
  requestId: string;
  /** Who calls. Asked once a request, and only where something needs it. */
  caller(): Promise<Caller>;
  /** Reads the caller's rows, where the caller may. */
  read<T>(action: Action, work: (read: Reader) => Promise<T>): Promise<T>;
  loaders: Loaders;
}

/** Batches what lists ask for row by row. Keys are ids of the caller's own rows. */
export interface Loaders {
  payment: DataLoader<string, Payment | undefined>;
  attempts: DataLoader<string, Attempt[]>;
  counter: DataLoader<string, OperationCounter | undefined>;
  collisions: DataLoader<string, KeyCollision[]>;
  unfinished: DataLoader<string, UnfinishedOperation | undefined>;
}

/** The context of a request that carries this Authorization header. */
export function createContext(app: App, authorization: string | undefined, requestId: string): Context {
  let asked: Promise<Caller> | undefined;
  const caller = () => (asked ??= recognize(app, authorization));
  const read = async <T>(action: Action, work: (read: Reader) => Promise<T>) => {
    const known = await caller();
    requirePermission(known, action);
    return readOnly(app.db, known.merchantId, work);
  };
  return { app, requestId, caller, read, loaders: createLoaders(read) };
}

async function recognize(app: App, authorization: string | undefined): Promise<Caller> {
  const caller = await authenticate(app.db, authorization);
  void app.underway.add(app.keyUse.note(caller));
  return caller;
}

function createLoaders(read: Context["read"]): Loaders {
  type Find<R> = (read: Reader, ids: string[]) => Promise<R[]>;
  const rowsOf = <R>(find: Find<R>, ids: readonly string[]) =>
    read("readPayments", (reader) => find(reader, [...ids]));
  const one = <R>(find: Find<R>, idOf: (row: R) => string) =>
    new DataLoader<string, R | undefined>(async (ids) => {
      const byId = new Map((await rowsOf(find, ids)).map((row) => [idOf(row), row]));
      return ids.map((id) => byId.get(id));
    });
  const many = <R extends { operationId: string }>(find: Find<R>) =>
    new DataLoader<string, R[]>(async (ids) => {
      const rows = await rowsOf(find, ids);
      return ids.map((id) => rows.filter((row) => row.operationId === id));
    });
  return {
    payment: one(paymentsOf, (row) => row.id),
    attempts: many(attemptsOf),
    counter: one(countersOf, (row) => row.operationId),
    collisions: many(collisionsOf),
    unfinished: one(unfinishedOf, (row) => row.operationId),
  };
}
