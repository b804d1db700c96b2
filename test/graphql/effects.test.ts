import { relayEvents } from "../../src/outbox/relay";
import { decodeId } from "../../src/shared/ids";
import { card, CREATE, send, type Created, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { statementsOf } from "../support/statements";

const PAYMENTS = 12;
const CONSUMERS = ["mail", "partners", "stock"];

let house: House;
/** (event, consumer) of all effects, newest first, as the database orders them. */
let all: { event: string; consumer: string; state: string }[];
beforeAll(async () => {
  house = await openHouse({}, { worker: false });
  const { app, credentials } = house;
  for (const name of CONSUMERS)
    app.consumers.push({ kind: "outside", name, deliver: () => Promise.resolve() });
  for (const keys of [credentials.keys, credentials.other.keys])
    await Promise.all(
      Array.from({ length: PAYMENTS }, (_, i) =>
        send<Created>(house.url, keys.payments, CREATE, { key: `e-${i}`, input: card("10") }),
      ),
    );
  while ((await relayEvents(app.db, app.consumers, 7)) > 0);
  // Some are done, one has been given up.
  await app.db.query(
    "update effects set state = 'DONE', done_at = now(), attempts = 1 where consumer = 'mail'",
  );
  await app.db.query(
    `update effects set state = 'PARKED', attempts = 30, last_error = 'no answer'
     where (merchant_id, event_id, consumer) in (
       select distinct on (merchant_id) merchant_id, event_id, consumer from effects
       where consumer = 'stock' order by merchant_id, event_id)`,
  );
  all = await app.db.query(
    `select event_id as event, consumer, state from effects where merchant_id = $1
     order by created_at desc, event_id desc, consumer desc`,
    [decodeId("mer", credentials.merchant)],
  );
}, 60_000);
afterAll(() => house.close());

interface Listed {
  effects: {
    nodes: {
      consumer: string;
      state: string;
      attempts: number;
      lastError: string | null;
      event: { id: string };
    }[];
    edges: { cursor: string }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null };
  };
}
const LIST = `query ($first: Int, $after: String, $state: [EffectState!], $consumer: String) {
  effects(first: $first, after: $after, state: $state, consumer: $consumer) {
    nodes { consumer state attempts lastError doneAt event { id type payment { id } } }
    edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;
const ask = (variables: Record<string, unknown> = {}, as = house.credentials.keys.operator) =>
  send<Listed>(house.url, as, LIST, variables);
async function list(variables: Record<string, unknown> = {}): Promise<Listed["effects"]> {
  const reply = await ask(variables);
  if (!reply.data) throw new Error(JSON.stringify(reply.errors));
  return reply.data.effects;
}
/** Page by page to the end. */
async function walk(variables: Record<string, unknown>): Promise<Listed["effects"]["nodes"]> {
  const nodes: Listed["effects"]["nodes"] = [];
  for (let after: string | null = null; ;) {
    const page: Listed["effects"] = await list({ ...variables, after });
    nodes.push(...page.nodes);
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    if (!page.pageInfo.hasNextPage) return nodes;
    after = page.pageInfo.endCursor;
  }
}
const keyOf = ({ event, consumer }: { event: { id: string }; consumer: string }) => `${event.id} ${consumer}`;
const faultOf = (reply: Reply<unknown>) => reply.errors?.[0]?.extensions;

test("a walk of one row at a time meets each of the merchant's effects once, newest first", async () => {
  expect(all).toHaveLength(PAYMENTS * 2 * CONSUMERS.length);
  const walked = await walk({ first: 1 });
  expect(walked).toHaveLength(all.length);
  expect(new Set(walked.map(keyOf)).size).toBe(all.length);
  expect(walked.map(({ consumer, state }) => [consumer, state])).toEqual(
    all.map(({ consumer, state }) => [consumer, state]),
  );
  // In pages of another size the order is the same.
  expect((await walk({ first: 7 })).map(keyOf)).toEqual(walked.map(keyOf));
}, 60_000);

test("by state and by consumer", async () => {
  const parked = await list({ state: ["PARKED"] });
  expect(parked.nodes).toMatchObject([
    { consumer: "stock", state: "PARKED", attempts: 30, lastError: "no answer" },
  ]);
  const counts = async (variables: Record<string, unknown>) =>
    (await walk({ first: 10, ...variables })).length;
  expect(await counts({ state: ["DONE"] })).toBe(PAYMENTS * 2);
  expect(await counts({ state: ["PENDING", "PARKED"] })).toBe(PAYMENTS * 4);
  expect(await counts({ consumer: "stock" })).toBe(PAYMENTS * 2);
  expect(await counts({ consumer: "stock", state: ["PENDING"] })).toBe(PAYMENTS * 2 - 1);
  expect(await counts({ consumer: "nobody" })).toBe(0);
  expect(await counts({ state: [] })).toBe(0);
});

test("a cursor of another filter, another list or another merchant is refused", async () => {
  const { pageInfo } = await list({ first: 2, consumer: "stock" });
  const after = pageInfo.endCursor;
  const { admin } = house.credentials.other.keys;
  for (const refused of [
    await ask({ after }),
    await ask({ after, consumer: "mail" }),
    await ask({ after, consumer: "stock", state: ["PENDING"] }),
    await ask({ after, consumer: "stock" }, admin),
    await ask({ after: "no cursor" }),
    await send(house.url, admin, `query ($after: String) { operations(after: $after) { nodes { id } } }`, {
      after,
    }),
  ])
    expect(faultOf(refused)).toMatchObject({ code: "BAD_USER_INPUT", fields: [{ path: "after" }] });
  expect((await list({ first: 2, consumer: "stock", after })).nodes).toHaveLength(2);
});

test("ADMIN and OPERATOR may, PAYMENTS and VIEWER may not, and each sees its own merchant's alone", async () => {
  const { keys, other } = house.credentials;
  for (const key of [keys.payments, keys.viewer]) expect(faultOf(await ask({}, key))?.code).toBe("FORBIDDEN");
  const mine = await ask({ first: 100 }, keys.admin);
  const theirs = await ask({ first: 100 }, other.keys.operator);
  const [a, b] = [mine, theirs].map((reply) => reply.data?.effects.nodes.map(keyOf) ?? []);
  expect([a?.length, b?.length]).toEqual([all.length, all.length]);
  expect(a?.filter((one) => b?.includes(one))).toEqual([]);
});

test("a page with its events and their payments takes a handful of statements, whatever its size", async () => {
  const selects = async (first: number) =>
    (await statementsOf(house.app.db, () => list({ first }))).filter(({ text }) => /^\s*select/i.test(text))
      .length;
  const [few, many] = [await selects(2), await selects(60)];
  expect(many).toBeLessThan(few + 3);
  expect(many).toBeLessThan(12);
});

test("both walks are answered from an index in its order", async () => {
  for (const [variables, index] of [
    [{ first: 5 }, "effects_newest"],
    [{ first: 5, state: ["PARKED"] }, "effects_open"],
  ] as const) {
    const seen = await statementsOf(house.app.db, () => list(variables));
    const one = seen.find(({ text }) => /from effects\s+where/.test(text));
    const runner = house.app.db.createQueryRunner();
    await runner.query("begin");
    await runner.query("set local enable_seqscan = off");
    await runner.query("set local enable_bitmapscan = off");
    const plan = (await runner.query(`explain ${one?.text}`, one?.values)) as Record<string, string>[];
    await runner.query("rollback");
    await runner.release();
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain(index);
    expect(text).not.toContain("Sort");
  }
});
