import DataLoader from "dataloader";
import type { App } from "../app";
import { authenticate, requirePermission, type Action, type Caller } from "../access/caller";
import { readOnly, type Reader } from "../db/transaction";
import { readNestedPages, withRows, type NestedList, type Page, type PageWanted } from "../db/page";
import { collisionsOf, countersOf, operationsOf, unfinishedOf } from "../idempotency/find-operations";
import type {
  KeyCollision,
  Operation,
  OperationCounter,
  UnfinishedOperation,
} from "../idempotency/operation.entity";
import {
  EVENTS_OF_PAYMENT,
  eventsOf,
  OPERATIONS_OF_PAYMENT,
  REFUNDS_OF_PAYMENT,
  refundsOf,
} from "../payments/find-life";
import type { Effect } from "../outbox/effect.entity";
import { effectsOf } from "../outbox/find-feed";
import type { PaymentEvent } from "../payments/payment-event.entity";
import type { Refund } from "../payments/refund.entity";
import type { Attempt } from "../payments/attempt.entity";
import { attemptsOf, paymentsOf } from "../payments/find-payments";
import type { Payment } from "../payments/payment.entity";
import type { Refusal } from "../shared/refusal";

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
  operation: DataLoader<string, Operation | undefined>;
  refund: DataLoader<string, Refund | undefined>;
  event: DataLoader<string, PaymentEvent | undefined>;
  /** By payment. */
  effects: DataLoader<string, Effect[]>;
  /** The same page of each payment's list. */
  operationsOf: NestedLoader<Operation>;
  refundsOf: NestedLoader<Refund>;
  eventsOf: NestedLoader<PaymentEvent>;
  attempts: DataLoader<string, Attempt[]>;
  counter: DataLoader<string, OperationCounter | undefined>;
  collisions: DataLoader<string, KeyCollision[]>;
  unfinished: DataLoader<string, UnfinishedOperation | undefined>;
}

/** Loads one page of a list for each of many payments. */
export type NestedLoader<T> = (wanted: PageWanted) => DataLoader<string, Page<T>>;

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
  const many = <R>(find: Find<R>, ownerOf: (row: R) => string) =>
    new DataLoader<string, R[]>(async (ids) => {
      const rows = await rowsOf(find, ids);
      return ids.map((id) => rows.filter((row) => ownerOf(row) === id));
    });
  const nested = <R extends { id: string }>(list: NestedList, find: Find<R>): NestedLoader<R> => {
    const made = new Map<string, DataLoader<string, Page<R>>>();
    return (wanted) => {
      const name = JSON.stringify([wanted.first, wanted.after ?? null]);
      const load = (owners: readonly string[]) =>
        read("readPayments", (reader) => loadNested(reader, { list, find }, owners, wanted));
      const loader = made.get(name) ?? new DataLoader<string, Page<R>>(load);
      made.set(name, loader);
      return loader;
    };
  };
  return {
    operation: one(operationsOf, (row) => row.id),
    refund: one(refundsOf, (row) => row.id),
    event: one(eventsOf, (row) => row.id),
    effects: many(effectsOf, (row) => row.paymentId),
    operationsOf: nested(OPERATIONS_OF_PAYMENT, operationsOf),
    refundsOf: nested(REFUNDS_OF_PAYMENT, refundsOf),
    eventsOf: nested(EVENTS_OF_PAYMENT, eventsOf),
    payment: one(paymentsOf, (row) => row.id),
    attempts: many(attemptsOf, (row) => row.operationId),
    counter: one(countersOf, (row) => row.operationId),
    collisions: many(collisionsOf, (row) => row.operationId),
    unfinished: one(unfinishedOf, (row) => row.operationId),
  };
}

/** One statement for the places of all owners, and one for the rows. */
async function loadNested<R extends { id: string }>(
  read: Reader,
  { list, find }: { list: NestedList; find: (read: Reader, ids: string[]) => Promise<R[]> },
  owners: readonly string[],
  wanted: PageWanted,
): Promise<(Page<R> | Error)[]> {
  const pages = await readNestedPages(read, list, owners, wanted);
  const ids = [...pages.values()].flatMap((page) =>
    "edges" in page ? page.edges.map((edge) => edge.node) : [],
  );
  const rows = await find(read, ids);
  return owners.map((owner) => {
    const page = pages.get(owner) as Page<string> | Refusal;
    return "edges" in page ? withRows(page, rows) : page;
  });
}
