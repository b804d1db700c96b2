import { card, CREATE, REFUND, send, type Changed, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { statementsOf } from "../support/statements";

const PAYMENTS = 50;

let house: House;
beforeAll(async () => {
  // The worker's own statements would be counted with them.
  house = await openHouse({}, { worker: false });
  await Promise.all(Array.from({ length: PAYMENTS }, (_, i) => live(`p-${i}`)));
}, 60_000);
afterAll(() => house.close());

const key = () => house.credentials.keys.payments;

/** A payment that was paid, and given back in two parts. */
async function live(name: string) {
  const made = await send<Created>(house.url, key(), CREATE, { key: name, input: card("10") });
  const paymentId = made.data?.createPayment?.payment.id;
  for (const amount of ["1", "2"]) {
    const input = { paymentId, amount: { amount, currency: "BRL" } };
    await send<Changed>(house.url, key(), REFUND, { key: `${name}-${amount}`, input });
  }
}

interface Lives {
  payments: {
    nodes: {
      id: string;
      operations: {
        nodes: { kind: string; refund: { id: string } | null; attempts: { number: number }[] }[];
      };
      refunds: { nodes: { id: string; status: string; amount: { amount: string } }[] };
      events: {
        nodes: {
          type: string;
          sequence: number;
          refund: { id: string } | null;
          operation: { kind: string } | null;
        }[];
        pageInfo: { endCursor: string; hasNextPage: boolean };
      };
      effects: { consumer: string }[];
    }[];
  };
}

const LIVES = `query ($first: Int) { payments(first: $first) { nodes {
  id status availableActions capturableAmount { amount } refundableAmount { amount } disputedAmount { amount }
  operations { nodes { kind state replayCount amount { amount } refund { id } attempts { number outcome } } }
  refunds { nodes { id status amount { amount } payment { id } } }
  events(first: 3) { nodes { type sequence amount { amount } refund { id } operation { kind } } pageInfo { endCursor hasNextPage } }
  effects { consumer }
} } }`;

test("a page of 50 payments with operations, refunds and events takes a handful of statements, as one of 5 does", async () => {
  const ask = (first: number) => send<Lives>(house.url, key(), LIVES, { first });
  const few = await statementsOf(house.app.db, () => ask(5));
  let reply: Awaited<ReturnType<typeof ask>> | undefined;
  const many = await statementsOf(house.app.db, async () => (reply = await ask(PAYMENTS)));
  expect(reply?.errors).toBeUndefined();
  const nodes = reply?.data?.payments.nodes ?? [];
  expect(nodes).toHaveLength(PAYMENTS);
  for (const { operations, refunds, events } of nodes) {
    expect(operations.nodes.map(({ kind }) => kind)).toEqual([
      "CREATE_PAYMENT",
      "REFUND_PAYMENT",
      "REFUND_PAYMENT",
    ]);
    expect(operations.nodes.map(({ refund }) => refund?.id)).toEqual([
      undefined,
      ...refunds.nodes.map(({ id }) => id),
    ]);
    expect(refunds.nodes.map(({ amount }) => amount.amount)).toEqual(["1.00", "2.00"]);
    expect(events.nodes.map(({ type }) => type)).toEqual([
      "payment.created",
      "payment.captured",
      "refund.created",
    ]);
    expect(events.nodes.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(events.pageInfo.hasNextPage).toBe(true);
  }
  const selects = (statements: typeof many) =>
    statements.filter(({ text }) => /^\s*(select|with)/i.test(text)).length;
  // A batch may be cut in two where some of its rows come a moment later; it never grows with the page.
  expect(selects(many)).toBeLessThan(selects(few) + 5);
  expect(selects(many)).toBeLessThan(20);
});

test("the next page of one payment's history goes on; a cursor of another payment's is refused for it alone", async () => {
  const first = await send<Lives>(house.url, key(), LIVES, { first: 2 });
  const [one, two] = first.data?.payments.nodes ?? [];
  const query = `query ($a: ID!, $b: ID!, $after: String) {
    a: payment(by: { id: $a }) { events(after: $after) { nodes { type sequence } } }
    b: payment(by: { id: $b }) { events(after: $after) { nodes { type } } }
  }`;
  const reply = await send<Record<string, Lives["payments"]["nodes"][0] | null>>(house.url, key(), query, {
    a: one?.id,
    b: two?.id,
    after: one?.events.pageInfo.endCursor,
  });
  expect(reply.data?.a?.events.nodes).toEqual([
    { type: "refund.succeeded", sequence: 4 },
    { type: "refund.created", sequence: 5 },
    { type: "refund.succeeded", sequence: 6 },
  ]);
  expect(reply.data?.b).toBeNull();
  expect(reply.errors).toHaveLength(1);
  expect(reply.errors?.[0]).toMatchObject({ path: ["b", "events"], extensions: { code: "BAD_USER_INPUT" } });
});

test("a refund and an event are found by their ids, by the merchant alone", async () => {
  const reply = await send<Lives>(house.url, key(), LIVES, { first: 1 });
  const id = reply.data?.payments.nodes[0]?.refunds.nodes[0]?.id;
  const query = `query ($id: ID!) { refund(id: $id) { id status } node(id: $id) { __typename id } }`;
  const mine = await send(house.url, house.credentials.keys.viewer, query, { id });
  expect(mine.data).toEqual({ refund: { id, status: "SUCCEEDED" }, node: { __typename: "Refund", id } });
  const foreign = await send(house.url, house.credentials.other.keys.viewer, query, { id });
  expect(foreign).toEqual({ data: { refund: null, node: null } });
});
