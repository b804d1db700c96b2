import { Writable } from "node:stream";
import { Client } from "pg";
import { card, CREATE, send, until, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { startProcess, type Process } from "../support/processes";
import { statementsOf } from "../support/statements";

let house: House;
let second: Process;
let database: Client;
let log = "";

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      log += chunk.toString("utf8");
      done();
    },
  });
  house = await openHouse({ LOG_LEVEL: "trace" }, { log: destination });
  second = await startProcess("serve", house);
  database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await second.kill("SIGTERM");
  await house.close();
});

interface Key {
  id: string;
  name: string;
  role: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}
const FIELDS = "id name role prefix createdAt lastUsedAt revokedAt";
const MAKE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { ${FIELDS} } secret } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { ${FIELDS} } } }`;
const WHO = `{ viewer { role } }`;

interface Made {
  createApiKey: { apiKey: Key; secret: string } | null;
}
const admin = () => house.credentials.keys.admin;
const make = (input: Record<string, unknown>, secret = admin()) =>
  send<Made>(house.url, secret, MAKE, { input });
const made = async (name: string, role: string) => {
  const reply = await make({ name, role });
  if (!reply.data?.createApiKey) throw new Error(JSON.stringify(reply.errors));
  return reply.data.createApiKey;
};
const revoke = (id: string, secret = admin()) =>
  send<{ revokeApiKey: { apiKey: Key } | null }>(house.url, secret, REVOKE, { id });
const listed = async (secret = admin()) =>
  (await send<{ apiKeys: Key[] }>(house.url, secret, `{ apiKeys { ${FIELDS} } }`)).data?.apiKeys ?? [];
const codeOf = (reply: { errors?: { extensions: Record<string, unknown> }[] }) =>
  reply.errors?.[0]?.extensions.code;

test("a key is made, works with its role, and its secret is shown this once", async () => {
  const { apiKey, secret } = await made("till 7", "PAYMENTS");
  expect(secret).toMatch(/^uvz_[0-9A-Za-z]{38}$/);
  expect(apiKey).toMatchObject({ name: "till 7", role: "PAYMENTS", lastUsedAt: null, revokedAt: null });
  expect(apiKey.id).toMatch(/^key_/);
  expect(secret.startsWith(apiKey.prefix)).toBe(true);
  expect((await send(house.url, secret, WHO)).data).toEqual({ viewer: { role: "PAYMENTS" } });
  const paid = await send<Created>(house.url, secret, CREATE, { key: "by-till-7", input: card("1") });
  expect(paid.data?.createPayment?.payment.status).toBe("CAPTURED");
  const keys = await listed();
  expect(keys[0]).toMatchObject({ id: apiKey.id, name: "till 7" });
  expect(JSON.stringify(keys)).not.toContain(secret);
  const node = await send(house.url, admin(), `query ($id: ID!) { node(id: $id) { __typename id } }`, {
    id: apiKey.id,
  });
  expect(node.data).toEqual({ node: { __typename: "ApiKey", id: apiKey.id } });
});

test.each(["payments", "viewer", "operator"] as const)(
  "%s may neither make, nor list, nor revoke keys",
  async (role) => {
    const { apiKey } = await made(`not ${role}'s`, "VIEWER");
    const secret = house.credentials.keys[role];
    expect(codeOf(await make({ name: "mine", role: "ADMIN" }, secret))).toBe("FORBIDDEN");
    expect(codeOf(await revoke(apiKey.id, secret))).toBe("FORBIDDEN");
    const node = `query ($id: ID!) { apiKeys { id } node(id: $id) { id } }`;
    const read = await send(house.url, secret, node, { id: apiKey.id });
    expect(read.data ?? null).toBeNull();
    expect(read.errors?.map((error) => error.extensions.code)).toContain("FORBIDDEN");
    const keys = await listed();
    expect(keys.find((key) => key.id === apiKey.id)?.revokedAt).toBeNull();
    expect(keys.some((key) => key.name === "mine")).toBe(false);
  },
);

test("a revoked key ends at once, in every process, and looks like an unknown one", async () => {
  const { apiKey, secret } = await made("short-lived", "VIEWER");
  const urls = [house.url, second.url];
  for (const url of urls) expect((await send(url, secret, WHO)).errors).toBeUndefined();
  expect((await revoke(apiKey.id)).data?.revokeApiKey?.apiKey.revokedAt).not.toBeNull();
  const told = ({ errors }: { errors?: { message: string; extensions: Record<string, unknown> }[] }) =>
    errors?.map(({ message, extensions: { code, retryable } }) => ({ message, code, retryable }));
  for (const url of urls) {
    const refused = await send(url, secret, WHO);
    expect(codeOf(refused)).toBe("UNAUTHENTICATED");
    expect(told(refused)).toEqual(told(await send(url, `uvz_${"a".repeat(38)}`, WHO)));
  }
});

test("revoked once more, it keeps the time at which it ended", async () => {
  const { apiKey } = await made("twice", "VIEWER");
  const once = await revoke(apiKey.id);
  const twice = await revoke(apiKey.id);
  expect(twice.data?.revokeApiKey?.apiKey.revokedAt).toBe(once.data?.revokeApiKey?.apiKey.revokedAt);
});

test("LEAK-02: another merchant's key, an absent and a malformed id are the same NOT_FOUND", async () => {
  const { apiKey, secret } = await made("mine alone", "VIEWER");
  const theirs = house.credentials.other.keys.admin;
  const replies = [
    await revoke(apiKey.id, theirs),
    await revoke("key_01m8qkkg8pehxa7413cvxt5zd2", theirs),
    await revoke("nonsense", theirs),
    await revoke(apiKey.id.replace("key_", "pay_"), theirs),
  ];
  for (const reply of replies) {
    expect(codeOf(reply)).toBe("NOT_FOUND");
    expect(reply.errors?.[0]?.message).toBe(replies[1]?.errors?.[0]?.message);
  }
  expect((await send(house.url, secret, WHO)).errors).toBeUndefined();
  expect((await listed(theirs)).map((key) => key.id)).not.toContain(apiKey.id);
  const node = await send(house.url, theirs, `query ($id: ID!) { node(id: $id) { id } }`, { id: apiKey.id });
  expect(node).toEqual({ data: { node: null } });
});

test.each<[string, Record<string, unknown>, string]>([
  ["no name", { name: "", role: "VIEWER" }, "input.name"],
  ["a name that is too long", { name: "x".repeat(101), role: "VIEWER" }, "input.name"],
  ["a name with NUL", { name: "a\u0000", role: "VIEWER" }, "input.name"],
  ["a role that is none", { name: "a", role: "ROOT" }, "input.role"],
  ["no role", { name: "a" }, "input.role"],
])("%s is BAD_USER_INPUT at its path", async (_, input, path) => {
  const reply = await make(input);
  expect(reply.errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", fields: [{ path }] });
});

test("SEC-04: of a secret only a hash and a short prefix are kept; nothing else has it, nor does a log", async () => {
  const secrets = [(await made("sec-04", "ADMIN")).secret, ...Object.values(house.credentials.keys)];
  for (const secret of secrets) await send(house.url, secret, WHO);
  const { rows: tables } = await database.query<{ t: string }>(
    "select quote_ident(tablename) as t from pg_tables where schemaname = 'public'",
  );
  let dump = "";
  for (const { t } of tables)
    for (const { row } of (await database.query<{ row: string }>(`select x::text as row from ${t} as x`))
      .rows)
      dump += `${row}\n`;
  expect(dump).toContain("sec-04");
  const kept = await listed();
  for (const secret of secrets) {
    const random = secret.slice("uvz_".length);
    for (const text of [dump, log, second.output(), JSON.stringify(kept)]) {
      expect(text).not.toContain(random);
      // bytea prints in hexadecimal.
      expect(text).not.toContain(Buffer.from(random).toString("hex"));
    }
    expect(kept.some((key) => key.prefix === secret.slice(0, 8))).toBe(true);
  }
});

test("SEC-04: a key is looked up by its hash, once for each request: a long common prefix is of no help, and nothing is remembered", async () => {
  const { secret } = await made("near miss", "VIEWER");
  const near = `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`;
  for (const wrong of [near, secret.toLowerCase(), secret.slice(0, -1), `${secret}A`])
    expect(codeOf(await send(house.url, wrong, WHO))).toBe("UNAUTHENTICATED");
  for (const sent of [secret, secret, near]) {
    const seen = await statementsOf(house.app.db, () => send(house.url, sent, WHO));
    const lookups = seen.filter(({ text }) => text.includes("secret_hash = $1"));
    expect(lookups).toHaveLength(1);
    expect(Buffer.isBuffer(lookups[0]?.values[0])).toBe(true);
    expect(JSON.stringify(seen)).not.toContain(sent.slice(4));
  }
});

describe("the last use", () => {
  const usedAt = async (id: string) => (await listed()).find((key) => key.id === id)?.lastUsedAt ?? null;
  const noting = (text: string) => text.includes("last_used_at = now()");

  test("is told, and written once a minute at most, whatever is sent", async () => {
    const { apiKey, secret } = await made("used", "VIEWER");
    const seen = await statementsOf(house.app.db, async () => {
      await Promise.all(Array.from({ length: 50 }, () => send(house.url, secret, WHO)));
      await until(
        () => usedAt(apiKey.id),
        (at) => at !== null,
        5_000,
      );
    });
    const values = seen.filter(({ text, values }) => noting(text) && values[2] === 60_000);
    expect(values).toHaveLength(1);
    const at = await usedAt(apiKey.id);
    expect(Math.abs(Date.parse(at ?? "") - Date.now())).toBeLessThan(60_000);
    // Another process, which has not noted it yet, sees that it was noted less than a minute ago.
    await send(second.url, secret, WHO);
    await send(second.url, secret, `{ payments(first: 1) { nodes { id } } }`);
    expect(await usedAt(apiKey.id)).toBe(at);
  });

  test("no call waits for it", async () => {
    const { secret } = await made("locked", "PAYMENTS");
    await database.query("begin");
    await database.query("select from api_keys where name = 'locked' for update");
    const paid = await send<Created>(house.url, secret, CREATE, { key: "while-locked", input: card("1") });
    expect(paid.data?.createPayment?.payment.status).toBe("CAPTURED");
    await database.query("rollback");
  });
});
