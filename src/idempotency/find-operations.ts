import { In } from "typeorm";
import type { Reader } from "../db/transaction";
import {
  KeyCollision,
  Operation,
  OperationCounter,
  UnfinishedOperation,
  type OperationKind,
} from "./operation.entity";

/** Names one operation in one of these ways. */
export interface OperationBy {
  /** The uuid. */
  id?: string;
  key?: { kind: OperationKind; idempotencyKey: string; sessionOrderReference?: string | null };
}

/** The operation that is named, or null: for absent and foreign ones alike. */
export async function findOperation(read: Reader, by: OperationBy): Promise<Operation | null> {
  const { merchantId, manager } = read;
  if (by.id !== undefined) return manager.findOneBy(Operation, { merchantId, id: by.id });
  if (by.key === undefined) return null;
  const { kind, idempotencyKey, sessionOrderReference } = by.key;
  const sessionOrder = sessionOrderReference ?? "";
  return manager.findOneBy(Operation, { merchantId, kind, idempotencyKey, sessionOrder });
}

/** The operations with these ids, in no order. */
export async function operationsOf(read: Reader, ids: string[]): Promise<Operation[]> {
  return ids.length === 0 ? [] : read.manager.findBy(Operation, { merchantId: read.merchantId, id: In(ids) });
}

/** How often the keys of these operations were sent again; an operation that is absent here, never. */
export async function countersOf(read: Reader, operationIds: string[]): Promise<OperationCounter[]> {
  return read.manager.findBy(OperationCounter, {
    merchantId: read.merchantId,
    operationId: In(operationIds),
  });
}

/** What is still to be done of these operations; nothing where they have ended or are parked. */
export async function unfinishedOf(read: Reader, operationIds: string[]): Promise<UnfinishedOperation[]> {
  return read.manager.findBy(UnfinishedOperation, {
    merchantId: read.merchantId,
    operationId: In(operationIds),
  });
}

/** Collisions listed for one operation. */
const COLLISIONS_SHOWN = 20;

/** The last 20 collisions of each of these operations, newest first. */
export async function collisionsOf(read: Reader, operationIds: string[]): Promise<KeyCollision[]> {
  const rows = await read.sql<{ id: string }>(
    `select c.id from unnest($2::uuid[]) as o (id), lateral
       (select id from key_collisions where merchant_id = $1 and operation_id = o.id order by id desc limit ${COLLISIONS_SHOWN}) as c`,
    [read.merchantId, operationIds],
  );
  return read.manager.find(KeyCollision, {
    where: {
      merchantId: read.merchantId,
      operationId: In(operationIds),
      id: In(rows.map((row) => row.id)),
    },
    order: { id: "DESC" },
  });
}
