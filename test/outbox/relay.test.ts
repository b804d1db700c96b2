import type { Told } from "../../src/outbox/consumer";
import { applyEffects } from "../../src/outbox/apply-effects";
import { relayEvents } from "../../src/outbox/relay";
import { startWorker } from "../../src/worker/loop";
import { card, CREATE, REFUND, send, until, type Changed, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
beforeEach(async () => (house = await openHouse({}, { worker: false })));
afterEach(() => house.close());

const key = () => house.credentials.keys.payments;
const create = (name: string) => send<Created>(house.url, key(), CREATE, { key: name, input: card("10") });
const idOf = (reply: Awaited<ReturnType<typeof create>>) => reply.data?.createPayment?.payment.id;

interface FeedPage {
  events: {
    nodes: { id: string; type: string; sequence: number; payment: { id: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

const feed = (after: string | null, types: string[] | null = null) =>
  send<FeedPage>(
    house.url,
    key(),
    `query ($after: String, $types: [String!]) { events(first: 20, after: $after, types: $types) {
       nodes { id type sequence payment { id } } pageInfo { hasNextPage endCursor } } }`,
    { after, types },
  );

/** Goes on from a cursor until there is no more for now. */
async function walk(from: string | null = null) {
  const nodes: FeedPage["events"]["nodes"] = [];
  let after = from;
  for (let more = true; more;) {
    const page = (await feed(after)).data?.events;
    nodes.push(...(page?.nodes ?? []));
    after = page?.pageInfo.endCursor ?? after;
    more = page?.pageInfo.hasNextPage ?? false;
  }
  return { nodes, after };
}

function groupByPayment(events: FeedPage["events"]["nodes"]) {
  const groups = new Map<string, FeedPage["events"]["nodes"]>();
  for (const event of events) groups.set(event.payment.id, [...(groups.get(event.payment.id) ?? []), event]);
  return groups;
}

const relay = () => relayEvents(house.app.db, house.app.consumers, 7);

test("whoever goes on from its cursor while payments are made, by several relays, misses no event and sees none twice", async () => {
  const seen: FeedPage["events"]["nodes"] = [];
  let after: string | null = null;
  let making = true;
  const made = (async () => {
    for (let round = 0; round < 5; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, i) => create(`feed-${round}-${i}`)));
    making = false;
  })();
  const follow = async () => {
    const step = await walk(after);
    seen.push(...step.nodes);
    after = step.after;
  };
  while (making) await Promise.all([relay(), relay(), relay(), follow()]);
  await made;
  while ((await relay()) > 0);
  await follow();

  expect(seen).toHaveLength(200);
  expect(new Set(seen.map((event) => event.id)).size).toBe(200);
  const byPayment = groupByPayment(seen);
  expect(byPayment.size).toBe(100);
  for (const events of byPayment.values())
    expect(events.map((event) => event.type)).toEqual(["payment.created", "payment.captured"]);
  const captured = (await feed(null, ["payment.captured"])).data?.events.nodes ?? [];
  expect(captured).toHaveLength(20);
  for (const event of captured) expect(event.type).toBe("payment.captured");
}, 60_000);

test("another merchant's feed is another, and its cursor is refused", async () => {
  await create("mine");
  await relay();
  const { nodes, after } = await walk();
  expect(nodes).toHaveLength(2);
  const other = house.credentials.other.keys.viewer;
  const query = `query ($after: String) { events(after: $after) { nodes { id } } }`;
  expect(await send(house.url, other, query, {})).toEqual({ data: { events: { nodes: [] } } });
  const refused = await send(house.url, other, query, { after });
  expect(refused.errors?.[0]?.extensions).toMatchObject({
    code: "BAD_USER_INPUT",
    fields: [{ path: "after" }],
  });
});

interface Effects {
  payment: { effects: { consumer: string; state: string; attempts: number; event: { type: string } }[] };
}

const effectsOf = async (id?: string) => {
  const query = `query ($id: ID!) { payment(by: { id: $id }) { effects { consumer state attempts event { type } } } }`;
  return (await send<Effects>(house.url, key(), query, { id })).data?.payment.effects ?? [];
};

test("an effect in this database commits with its key: once, whatever fails and whoever works beside", async () => {
  await house.app.db.query(`create table stock (event_id uuid); grant insert on stock to umavez_tenant`);
  let failures = 3;
  house.app.consumers.push({
    kind: "database",
    name: "stock",
    async apply(tx, { eventId, type }: Told) {
      if (type !== "payment.captured") return;
      await tx.sql(`insert into stock values ($1)`, [eventId]);
      // After its effect: what was done must go with the transaction.
      if ((failures -= 1) >= 0) throw new Error("the shelf is locked");
    },
  });
  const ids = await Promise.all(Array.from({ length: 10 }, async (_, i) => idOf(await create(`stock-${i}`))));
  while ((await relay()) > 0);
  const all = () => Promise.all(ids.map(effectsOf));
  const work = async () => {
    await Promise.all(Array.from({ length: 4 }, () => applyEffects(house.app, 5)));
    return all();
  };
  const done = await until(work, (each) => each.flat().every((effect) => effect.state === "DONE"), 20_000);
  expect(done.flat()).toHaveLength(20);
  expect(done.flat().filter((effect) => effect.attempts > 1)).toHaveLength(3);
  const [stock] = await house.app.db.query<{ n: string; distinct: string }[]>(
    `select count(*) as n, count(distinct event_id) as distinct from stock`,
  );
  expect(stock).toEqual({ n: "10", distinct: "10" });
}, 40_000);

test("an effect elsewhere carries the same key on every try, and is shown with its payment", async () => {
  const told: { effectKey: string; type: string }[] = [];
  house.app.consumers.push({
    kind: "outside",
    name: "receipt",
    async deliver({ type }, effectKey) {
      told.push({ effectKey, type });
      if (told.filter((one) => one.effectKey === effectKey).length < 2) throw new Error("the line is busy");
    },
  });
  const id = idOf(await create("receipt"));
  const worker = startWorker(house.app);
  await send<Changed>(house.url, key(), REFUND, { key: "receipt", input: { paymentId: id } });
  const done = await until(
    () => effectsOf(id),
    (effects) => effects.length === 4 && effects.every((effect) => effect.state === "DONE"),
    20_000,
  );
  await worker.stop();
  expect(done.map((effect) => effect.event.type)).toEqual([
    "payment.created",
    "payment.captured",
    "refund.created",
    "refund.succeeded",
  ]);
  expect(done.map((effect) => effect.attempts)).toEqual([2, 2, 2, 2]);
  expect(new Set(told.map((one) => one.effectKey)).size).toBe(4);
  for (const { effectKey } of told) expect(effectKey).toMatch(/^receipt:evt_[0-9a-z]{26}$/);
}, 40_000);
