import { In } from "typeorm";
import { readFeedPage, type Page, type PageWanted } from "../db/page";
import type { Reader } from "../db/transaction";
import { Effect } from "./effect.entity";

/**
 * A page of the merchant's events in the order of their positions: what commits late comes later, and a walk that goes
 * on from its last cursor misses nothing.
 * @param wanted `types`: only these; all when absent
 * @returns ids of events
 */
export async function listFeed(
  read: Reader,
  wanted: PageWanted & { types?: string[] | null },
): Promise<Page<string>> {
  return readFeedPage(
    read,
    { name: ["events", ...[...(wanted.types ?? [])].sort()], types: wanted.types ?? null },
    wanted,
  );
}

/** The effects of these payments' events, oldest first. */
export async function effectsOf(read: Reader, paymentIds: string[]): Promise<Effect[]> {
  const { merchantId, manager } = read;
  const order = { eventId: "ASC", consumer: "ASC" } as const;
  return manager.find(Effect, { where: { merchantId, paymentId: In(paymentIds) }, order });
}
