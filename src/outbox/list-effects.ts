import { In } from "typeorm";
import { filterName, readPlacePage, type Page, type PageWanted } from "../db/page";
import type { Reader } from "../db/transaction";
import { Where } from "../db/where";
import { Effect, type EffectState } from "./effect.entity";

/** Which effects: those to which everything that is given applies. */
export interface EffectFilter {
  /** Any of these; all when absent. */
  state?: EffectState[] | null;
  consumer?: string | null;
}

/**
 * A page of the merchant's effects, newest first: by when they became due for the first time, then by event and consumer.
 * @throws Refusal BAD_USER_INPUT for a cursor of another list, merchant or filter
 */
export async function listEffects(
  read: Reader,
  { state, consumer, ...wanted }: PageWanted & EffectFilter,
): Promise<Page<Effect>> {
  const { merchantId, manager } = read;
  const where = new Where(merchantId)
    .and(state, (states) => `state = any(${states})`)
    .and(consumer, (name) => `consumer = ${name}`);
  const list = {
    name: ["effects", filterName({ state, consumer })],
    table: "effects",
    where,
    time: "created_at",
    id: "event_id",
    part: "consumer",
    newestFirst: true,
  };
  const page = await readPlacePage(read, list, wanted);
  const eventId = In(page.edges.map(({ node }) => node.id));
  const rows = new Map(
    (await manager.findBy(Effect, { merchantId, eventId })).map((row) => [
      `${row.eventId} ${row.consumer}`,
      row,
    ]),
  );
  return {
    ...page,
    edges: page.edges.map(({ node, cursor }) => ({
      node: rows.get(`${node.id} ${node.part}`) as Effect,
      cursor,
    })),
  };
}
