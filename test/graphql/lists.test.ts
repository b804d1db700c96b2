import { Client } from "pg";
import { decodeId } from "../../src/shared/ids";
import { card, CREATE, send, until, type Created, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { statementsOf } from "../support/statements";

let house: House;
let key: string;
let database: Client;
let merchant: string;

beforeAll(async () => {
  house = await openHouse();
  key = house.credentials.keys.viewer;
  merchant = decodeId("mer", house.credentials.merchant) as string;
  database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
  await create("seed", card("1"));
  // 499 more, many of them within one millisecond and some at one and the same instant, as old as the year.
  await database.query(`
    insert into payments (merchant_id, id, status, currency, amount, capture_mode, method_type, idempotency_key,
                          provider_account_id, provider, created_at, updated_at)
    select merchant_id, gen_random_uuid(), status, currency, amount, capture_mode, method_type, 'old-' || i,
           provider_account_id, provider, timestamptz '2026-01-01 00:00:00Z' + (i / 3) * interval '1 us', now()
    from payments, generate_series(1, 499) as i`);
});
afterAll(async () => {
  await database.end();
  await house.close();
});

const create = (idempotencyKey: string, input: Record<string, unknown>) =>
  send<Created>(house.url, house.credentials.keys.payments, CREATE, { key: idempotencyKey, input });

interface Listed {
  payments: {
    nodes: { id: string; updatedAt: string; idempotencyKey: string }[];
    edges: { cursor: string; node: { id: string } }[];
    pageInfo: {
      hasNextPage: boolean;
      hasPreviousPage: boolean;
      startCursor: string | null;
      endCursor: string | null;
    };
  };
}
const LIST = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: PaymentFilter, $orderBy: PaymentOrder) {
  payments(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
    nodes { id updatedAt idempotencyKey } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

async function list(variables: Record<string, unknown>, secret = key): Promise<Listed["payments"]> {
  const reply = await send<Listed>(house.url, secret, LIST, variables);
  if (!reply.data) throw new Error(JSON.stringify(reply.errors));
  return reply.data.payments;
}
const keysOf = async (filter: Record<string, unknown>) =>
  (await list({ first: 100, filter })).nodes.map((node) => node.idempotencyKey).sort();
const faultOf = (reply: Reply<unknown>) => {
  const { code, fields } = reply.errors?.[0]?.extensions ?? {};
  return [code, (fields as { path: string }[] | undefined)?.map((field) => field.path)];
};

type Way = "forward" | "backward";

/** Walks the whole list page by page, doing something between two pages. The ids, newest first. */
async function walk(
  way: Way,
  size: number,
  rest: Record<string, unknown> = {},
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  let place: string | null = null;
  for (let page = 0; page < 200; page += 1) {
    const wanted = way === "forward" ? { first: size, after: place } : { last: size, before: place };
    const found: Listed["payments"] = await list({ ...wanted, ...rest });
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = found.pageInfo;
    const met = found.nodes.map((node) => node.id);
    ids.splice(way === "forward" ? ids.length : 0, 0, ...met);
    const isFirst = page === 0;
    expect(way === "forward" ? hasPreviousPage : hasNextPage).toBe(!isFirst);
    if (!(way === "forward" ? hasNextPage : hasPreviousPage)) return ids;
    place = way === "forward" ? endCursor : startCursor;
    await between();
  }
  throw new Error("the walk does not end");
}

describe("PAGE-01: both directions", () => {
  test.each<[Way, number]>([
    ["forward", 37],
    ["backward", 37],
    ["forward", 100],
    ["backward", 100],
  ])("500 rows are walked %s, %i at a time, while others insert: each exactly once", async (way, size) => {
    const { rows } = await database.query<{ n: string }>("select count(*) as n from payments");
    const before = await walk("forward", 100);
    expect(before).toHaveLength(Number(rows[0]?.n));
    expect(new Set(before).size).toBe(before.length);
    let added = 0;
    const during = await walk(way, size, {}, () => create(`${way}-${size}-${(added += 1)}`, card("1")));
    expect(added).toBeGreaterThan(3);
    expect(during.filter((id) => before.includes(id))).toEqual(before);
    expect(new Set(during).size).toBe(during.length);
  });

  test("oldest first is newest first, turned", async () => {
    const oldestFirst = { orderBy: { field: "CREATED_AT", direction: "ASC" } };
    const newest = await walk("forward", 100);
    expect((await walk("forward", 100, oldestFirst)).reverse()).toEqual(newest);
    expect((await walk("backward", 100, oldestFirst)).reverse()).toEqual(newest);
  });

  test("between two places there is what lies between them, from either end", async () => {
    const { edges } = await list({ first: 10 });
    const [after, before] = [edges[2]?.cursor, edges[7]?.cursor];
    const between = edges.slice(3, 7).map((edge) => edge.node.id);
    const idsOf = async (wanted: object) =>
      (await list({ after, before, ...wanted })).nodes.map(({ id }) => id);
    expect(await idsOf({ first: 10 })).toEqual(between);
    expect(await idsOf({ last: 10 })).toEqual(between);
    expect(await idsOf({ last: 2 })).toEqual(between.slice(2));
  });

  test("20 where nothing is said; an empty page has no cursors", async () => {
    expect((await list({})).nodes).toHaveLength(20);
    const empty = await list({ last: 5, filter: { status: [] } });
    expect(empty).toEqual({
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test("PAGE-04: by the last change, when that is asked for", async () => {
    await database.query(
      "update payments set updated_at = now() + random() * interval '1 s' where idempotency_key like 'old-1%'",
    );
    const orderBy = { field: "UPDATED_AT", direction: "DESC" };
    const times = (await list({ first: 100, orderBy })).nodes.map((node) => node.updatedAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(await walk("backward", 100, { orderBy })).toEqual(await walk("forward", 100, { orderBy }));
  });
});

describe("a cursor is good for its list alone", () => {
  let after: string;
  const filter = { status: ["CAPTURED"] };
  beforeAll(async () => {
    after = (await list({ first: 1, filter })).pageInfo.endCursor as string;
  });

  test("the same filter, written in another way, is the same list", async () => {
    const same = { currency: null, ...filter };
    expect((await list({ first: 1, after, filter: same })).nodes).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ["no filter", {}],
    ["another filter", { filter: { status: ["CAPTURED", "FAILED"] } }],
    ["another order", { filter, orderBy: { field: "CREATED_AT", direction: "ASC" } }],
  ])("%s: refused", async (_, rest) => {
    expect(faultOf(await send(house.url, key, LIST, { first: 1, after, ...rest }))).toEqual([
      "BAD_USER_INPUT",
      ["after"],
    ]);
    expect(faultOf(await send(house.url, key, LIST, { last: 1, before: after, ...rest }))).toEqual([
      "BAD_USER_INPUT",
      ["before"],
    ]);
  });

  test("another merchant's, and another list's: refused", async () => {
    const theirs = house.credentials.other.keys.viewer;
    expect(faultOf(await send(house.url, theirs, LIST, { first: 1, after, filter }))).toEqual([
      "BAD_USER_INPUT",
      ["after"],
    ]);
    const other = `query ($after: String) { operations(after: $after) { nodes { id } } }`;
    expect(faultOf(await send(house.url, key, other, { after }))).toEqual(["BAD_USER_INPUT", ["after"]]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["first beside last", { first: 1, last: 1 }, ["last"]],
    ["last: 0", { last: 0 }, ["last"]],
    ["last: 101", { last: 101 }, ["last"]],
    ["a cursor that is none", { last: 1, before: "x" }, ["before"]],
  ])("%s: refused", async (_, variables, paths) => {
    expect(faultOf(await send(house.url, key, LIST, variables))).toEqual(["BAD_USER_INPUT", paths]);
  });
});

describe("totalCount", () => {
  const asking = (fields: string) => `{ payments(first: 1, filter: { status: [CAPTURED] }) { ${fields} } }`;
  const counting = async (fields: string) =>
    (await statementsOf(house.app.db, () => send(house.url, key, asking(fields)))).filter(({ text }) =>
      /count\(/i.test(text),
    );

  test("is counted only where it is selected", async () => {
    expect(await counting("nodes { id } pageInfo { hasNextPage }")).toHaveLength(0);
    expect(await counting("nodes { id } totalCount")).toHaveLength(1);
  });

  test("counts what the filter matches, on all pages", async () => {
    const { rows } = await database.query<{ n: string }>(
      "select count(*) as n from payments where merchant_id = $1 and status = 'CAPTURED'",
      [merchant],
    );
    const counted = await send(house.url, key, asking("totalCount"));
    expect(counted.data).toEqual({ payments: { totalCount: Number(rows[0]?.n) } });
  });

  test("is null where counting takes too long, and the page is there", async () => {
    // Each row that is read takes a fifth of a second: a page is there at once, a count of all is not.
    await database.query(`create function slowly() returns boolean language plpgsql as
      $$ begin perform pg_sleep(0.2); return true; end $$; create policy slow on payments as restrictive to umavez_tenant using (slowly())`);
    const reply = await send<{ payments: { nodes: unknown[]; totalCount: null } }>(
      house.url,
      key,
      asking("nodes { id } totalCount"),
    );
    await database.query("drop policy slow on payments; drop function slowly");
    expect(reply.errors).toBeUndefined();
    expect(reply.data?.payments.totalCount).toBeNull();
    expect(reply.data?.payments.nodes).toHaveLength(1);
  });
});

describe("filters of payments", () => {
  let made: Created["createPayment"];
  beforeAll(async () => {
    const order = { order: { reference: "filter-order" } };
    const reply = await create("filter-a", card("10.50", { ...order, customerReference: "filter-customer" }));
    made = reply.data?.createPayment ?? null;
    await create("filter-b", card("20.00", { customerReference: "filter-customer", captureMode: "MANUAL" }));
    await create("filter-c", { ...card("10.50"), amount: { amount: "10.50", currency: "USD" } });
    await create("filter-d", card("30", {}, "pm_card_visa_chargeDeclined"));
  });
  const since = { createdAt: { from: "2026-01-02T00:00:00Z" } };

  test.each<[string, Record<string, unknown>, string[]]>([
    ["status", { status: ["AUTHORIZED", "FAILED"] }, ["filter-b", "filter-d"]],
    ["currency", { currency: ["USD"] }, ["filter-c"]],
    ["method", { methodType: ["PIX"] }, []],
    ["provider", { provider: ["stripe"] }, []],
    ["order", { orderReference: "filter-order" }, ["filter-a"]],
    ["customer", { customerReference: "filter-customer" }, ["filter-a", "filter-b"]],
    ["two together", { customerReference: "filter-customer", status: ["AUTHORIZED"] }, ["filter-b"]],
    ["amount", { amount: { currency: "BRL", min: "10.5", max: "20" } }, ["filter-a", "filter-b"]],
    ["amount from", { amount: { currency: "BRL", min: "20.01" } }, ["filter-d"]],
    ["key", { search: "filter-c" }, ["filter-c"]],
    ["order, searched", { search: "filter-order" }, ["filter-a"]],
    ["customer, searched", { search: "filter-customer" }, ["filter-a", "filter-b"]],
    ["part of a key", { search: "filter" }, []],
    ["an id of nothing", { search: "pay_01m8qkkg8pehxa7413cvxt5zd2" }, []],
  ])("%s", async (_, filter, keys) => {
    expect(await keysOf(filter)).toEqual(keys);
  });

  test("id and provider's reference, searched; of other merchants nothing", async () => {
    const search = [made?.payment.id, made?.payment.providerReference];
    for (const text of search) {
      expect(await keysOf({ search: text })).toEqual(["filter-a"]);
      const theirs = await list({ filter: { search: text } }, house.credentials.other.keys.viewer);
      expect(theirs.nodes).toEqual([]);
    }
  });

  test("a range of time has its beginning, and not its end", async () => {
    const [at] = (
      await database.query<{ at: Date }>(
        "update payments set created_at = '2026-03-01 00:00:00Z' where idempotency_key = 'filter-a' returning created_at as at",
      )
    ).rows;
    const instant = at?.at.toISOString();
    const later = "2026-03-02T00:00:00Z";
    expect(await keysOf({ createdAt: { from: instant, to: later } })).toEqual(["filter-a"]);
    expect(await keysOf({ createdAt: { from: "2026-02-01T00:00:00Z", to: instant } })).toEqual([]);
    expect(await keysOf({ ...since, search: "filter-a" })).toEqual(["filter-a"]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a currency that is none", { currency: ["BRL", "XXL"] }, "filter.currency"],
    ["an amount with too many decimals", { amount: { currency: "JPY", min: "1.5" } }, "filter.amount.min"],
    ["NUL in a text", { provider: ["a\u0000"] }, "filter.provider"],
    ["NUL in a search", { search: "a\u0000" }, "filter.search"],
    ["an order's reference that is too long", { orderReference: "x".repeat(101) }, "filter.orderReference"],
    ["a time that is none", { createdAt: { from: "yesterday" } }, "filter.createdAt.from"],
  ])("%s: refused at its path", async (_, filter, path) => {
    expect(faultOf(await send(house.url, key, LIST, { filter }))).toEqual(["BAD_USER_INPUT", [path]]);
  });
});

describe("operations", () => {
  const OPERATIONS = `query ($first: Int, $after: String, $filter: OperationFilter) { operations(first: $first, after: $after, filter: $filter) {
    nodes { idempotencyKey state } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;
  interface Operations {
    operations: {
      nodes: { idempotencyKey: string; state: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  }
  const operations = async (variables: Record<string, unknown>) => {
    const reply = await send<Operations>(house.url, key, OPERATIONS, variables);
    if (!reply.data) throw new Error(JSON.stringify(reply.errors));
    return reply.data.operations;
  };
  const found = async (filter: Record<string, unknown>) =>
    (await operations({ filter, first: 100 })).nodes.map((node) => node.idempotencyKey);

  beforeAll(async () => {
    await create("op-conflicted", card("1", {}, "pm_sandbox_wrongAmount"));
    await until(
      () => found({ state: ["PARKED"] }),
      (keys) => keys.length === 1,
      20_000,
    );
    await create("op-failed", card("1", {}, "pm_card_visa_chargeDeclined"));
    await create("op-doubt", card("1", {}, "pm_sandbox_error500AfterCharge"));
    await create("op-collided", card("1"));
    await create("op-collided", card("2"));
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["state", { state: ["PARKED"] }, ["op-conflicted"]],
    ["collided", { collided: true }, ["op-collided"]],
    ["collided, and of a state", { collided: true, state: ["FAILED"] }, []],
    ["stuck: what is parked, not what is in doubt for a second", { stuck: true }, ["op-conflicted"]],
  ])("%s", async (_, filter, keys) => {
    expect(await found(filter)).toEqual(keys);
  });

  test("what is not ended and older than the lease is stuck, too; what has ended is not, however old", async () => {
    const old = (name: string, age: string) =>
      database.query("update operations set created_at = now() - $2::interval where idempotency_key = $1", [
        name,
        age,
      ]);
    await old("op-doubt", "40 s");
    expect(await found({ stuck: true })).toEqual(["op-conflicted"]);
    await old("op-doubt", "50 s");
    await old("op-failed", "1 d");
    const states = (await operations({ filter: { stuck: true } })).nodes.map((node) => node.idempotencyKey);
    // Recovery may have found out meanwhile.
    expect([["op-conflicted", "op-doubt"], ["op-conflicted"]]).toContainEqual(states.sort());
    const others = await found({ stuck: false });
    expect(others).toContain("op-failed");
    expect(others).not.toContain("op-conflicted");
  });

  test("each is met once, by kind and time, newest first", async () => {
    const filter = { kind: ["CREATE_PAYMENT"], createdAt: { from: "2026-01-01T00:00:00Z" }, collided: false };
    const all = await found(filter);
    expect(all).not.toContain("op-collided");
    const met: string[] = [];
    let after: string | null = null;
    do {
      const page: Operations["operations"] = await operations({ first: 7, after, filter });
      met.push(...page.nodes.map((node) => node.idempotencyKey));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(met.slice(0, all.length)).toEqual(all);
    expect(new Set(met).size).toBe(met.length);
  });

  test.each([0, 101])("a page of %i is refused; of another merchant's there is nothing", async (first) => {
    expect(faultOf(await send(house.url, key, OPERATIONS, { first }))).toEqual(["BAD_USER_INPUT", ["first"]]);
    const theirs = await send<Operations>(house.url, house.credentials.other.keys.viewer, OPERATIONS);
    expect(theirs.data?.operations.nodes).toEqual([]);
  });
});

test.each<[string, string, string[]]>([
  ["payments", `payments(first: 5) { nodes { id } }`, ["payments_newest"]],
  [
    "payments before a place",
    `payments(last: 5, filter: { createdAt: { to: "2027-01-01T00:00:00Z" } }) { nodes { id } }`,
    ["payments_newest"],
  ],
  ["an order's", `payments(filter: { orderReference: "o" }) { nodes { id } }`, ["payments_order"]],
  ["a customer's", `payments(filter: { customerReference: "c" }) { nodes { id } }`, ["payments_customer"]],
  [
    "what is searched",
    `payments(filter: { search: "x" }) { nodes { id } }`,
    ["operations_session_key", "payments_order", "payments_customer", "provider_references_pkey"],
  ],
  ["operations", `operations { nodes { id } }`, ["operations_newest"]],
  [
    "what is stuck",
    `operations(filter: { stuck: true }) { nodes { id } }`,
    ["unfinished_operations_pkey", "payment_events_parked"],
  ],
  [
    "what collided",
    `operations(filter: { collided: true }) { nodes { id } }`,
    ["operation_counters_collided"],
  ],
])("%s: found by an index, no table is scanned", async (_, query, indexes) => {
  await database.query("analyze");
  const seen = await statementsOf(house.app.db, () => send(house.url, key, `{ ${query} }`));
  const page = seen.find((statement) => statement.text.includes("as micros"));
  // As the gateway's transactions have it.
  await database.query("begin; set local enable_seqscan = off");
  const { rows } = await database.query<{ "QUERY PLAN": string }>(`explain ${page?.text}`, page?.values);
  await database.query("rollback");
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).not.toMatch(/Seq Scan/);
  for (const index of indexes) expect(plan).toContain(`using ${index} on`);
});
