import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { decodeId } from "../../src/shared/ids";
import { card, CREATE, send, until, type Created } from "../support/client";
import { openHouse, TEST_ENCRYPTION_KEY, type House } from "../support/gateway";

let house: House;
let empty: string;
beforeAll(async () => {
  house = await openHouse();
  empty = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-test-cli-"));
});
afterAll(async () => {
  await house.close();
  fs.rmSync(empty, { recursive: true, force: true });
});

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function launch(args: string[], settings: Record<string, string>) {
  const { PATH, HOME, TMPDIR } = process.env;
  const inherited = Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value));
  return spawn(process.execPath, [path.resolve("bin/umavez.js"), ...args], {
    env: { ...inherited, LOG_LEVEL: "error", ...settings } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the built command line to its end. */
function run(args: string[], settings: Record<string, string> = onHouse()): Promise<Ran> {
  const child = launch(args, settings);
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (ran.out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (ran.err += chunk.toString("utf8")));
  return new Promise((resolve) => child.on("close", (code) => resolve({ ...ran, code })));
}
const onHouse = () => ({
  DATABASE_URL: house.databaseUrl,
  DATA_DIR: empty,
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
});

async function json<T>(args: string[], settings?: Record<string, string>): Promise<T> {
  const { code, out, err } = await run([...args, "--json"], settings);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}

interface Merchant {
  id: string;
  name: string;
}
interface Key {
  id: string;
  name: string;
  role: string;
  secret?: string;
  revokedAt: string | null;
}
interface Operation {
  id: string;
  merchant: string;
  state: string;
  idempotencyKey: string;
  payment: string;
}

test("a merchant is made, gets a key, pays, and its key ends: by the command line alone", async () => {
  const merchant = await json<Merchant>(["merchants", "create", "Padaria São João", "--sandbox"]);
  expect(merchant).toMatchObject({ id: expect.stringMatching(/^mer_/) as unknown, name: "Padaria São João" });
  const wanted = ["--merchant", merchant.id, "--name", "till", "--role", "PAYMENTS"];
  const { secret = "", ...key } = await json<Key>(["keys", "create", ...wanted]);
  const paid = await send<Created>(house.url, secret, CREATE, { key: "cli", input: card("1") });
  expect(paid.data?.createPayment?.payment.status).toBe("CAPTURED");
  const listed = await run(["keys", "list", "--merchant", merchant.id, "--json"]);
  expect(JSON.parse(listed.out)).toMatchObject([
    { id: key.id, name: "till", role: "PAYMENTS", revokedAt: null },
  ]);
  expect(listed.out).not.toContain(secret);
  expect((await json<Key>(["keys", "revoke", key.id])).revokedAt).not.toBeNull();
  const refused = await send(house.url, secret, `{ viewer { role } }`);
  expect(refused.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
});

test("for people there are tables, and the secret stands out once", async () => {
  const { merchant } = house.credentials;
  const merchants = await run(["merchants", "list"]);
  const [head, ...lines] = merchants.out.trimEnd().split("\n");
  expect(head).toMatch(/^ID +NAME +CREATEDAT$/);
  const row = lines.find((line) => line.startsWith(merchant)) ?? "";
  expect(row.indexOf("Umavez demo")).toBe(head?.indexOf("NAME"));
  const made = await run(["keys", "create", "--merchant", merchant, "--name", "shown", "--role", "VIEWER"]);
  expect(made.out).toMatch(/^secret +uvz_[0-9A-Za-z]{38}$/m);
  expect(made.out).toContain("shown this once");
  const keys = await run(["keys", "list"]);
  expect(keys.out).toMatch(/^ID +MERCHANT +NAME +ROLE +PREFIX +CREATEDAT +LASTUSEDAT +REVOKEDAT$/m);
  expect(keys.out).toMatch(/^key_\w{26} +mer_\w{26} +shown +VIEWER +uvz_\w{4} +\S+Z +- +-$/m);
});

test("operations: all, what is stuck, and one with its attempts", async () => {
  const { keys, other } = house.credentials;
  await send(house.url, keys.payments, CREATE, { key: "cli-paid", input: card("1") });
  await send(house.url, other.keys.payments, CREATE, { key: "cli-theirs", input: card("1") });
  const wrong = card("1", {}, "pm_sandbox_wrongAmount");
  await send(house.url, keys.payments, CREATE, { key: "cli-wrong", input: wrong });
  const parked = `{ operations(filter: { stuck: true }) { nodes { id } } }`;
  const ask = () => send<{ operations: { nodes: unknown[] } }>(house.url, keys.viewer, parked);
  await until(ask, ({ data }) => data?.operations.nodes.length === 1, 20_000);
  const [stuck] = await json<Operation[]>(["operations", "list", "--stuck"]);
  expect(stuck).toMatchObject({ state: "PARKED", idempotencyKey: "cli-wrong" });
  const all = await json<Operation[]>(["operations", "list"]);
  expect(all.slice(0, 3).map((one) => one.idempotencyKey)).toEqual(["cli-wrong", "cli-theirs", "cli-paid"]);
  const theirs = await json<Operation[]>([
    "operations",
    "list",
    "--merchant",
    other.merchant,
    "--first",
    "1",
  ]);
  expect(theirs).toMatchObject([{ idempotencyKey: "cli-theirs", merchant: other.merchant }]);
  const shown = await run(["operations", "show", stuck?.id ?? ""]);
  expect(shown.out).toMatch(/^state +PARKED$/m);
  expect(shown.out).toMatch(/^NUMBER +PROVIDER +REFERENCE/m);
  expect(shown.out).toMatch(/^1 +sandbox +uvz\w{40}/m);
  const one = await json<Operation & { attempts: { number: number }[] }>([
    "operations",
    "show",
    stuck?.id ?? "",
  ]);
  expect(one).toMatchObject({ payment: stuck?.payment, attempts: [{ number: 1, outcome: "UNKNOWN" }] });
});

const MERCHANT = "mer_01m8qkkg8pehxa7413cvxt5zd2";
test.each<[string, string[], RegExp]>([
  ["no role", ["keys", "create", "--merchant", MERCHANT, "--name", "a"], /'--role <role>' not specified/],
  [
    "a role that is none",
    ["keys", "create", "--merchant", MERCHANT, "--name", "a", "--role", "BOSS"],
    /Allowed choices are ADMIN, PAYMENTS, VIEWER, OPERATOR/,
  ],
  [
    "a name that is too long",
    ["keys", "create", "--merchant", MERCHANT, "--role", "ADMIN", "--name", "x".repeat(101)],
    /must be 1 to 100 bytes of UTF-8/,
  ],
  [
    "a merchant that is not there",
    ["keys", "create", "--merchant", MERCHANT, "--role", "ADMIN", "--name", "x"],
    /there is no merchant mer_01m8qkkg8pehxa7413cvxt5zd2/,
  ],
  ["another kind of id", ["keys", "revoke", MERCHANT], /must be a key's id, as key_ and 26 characters/],
  ["a key that is not there", ["keys", "revoke", MERCHANT.replace("mer", "key")], /there is no API key key_/],
  [
    "an operation that is not there",
    ["operations", "show", MERCHANT.replace("mer", "op")],
    /there is no operation op_/,
  ],
  ["too many", ["operations", "list", "--first", "101"], /must be a whole number from 1 to 100/],
  ["a merchant without a name", ["merchants", "create", ""], /must be 1 to 100 bytes of UTF-8/],
  ["a command that is none", ["keys", "rotate"], /unknown command 'rotate'/],
])("%s: exit code 1, and the rule is named", async (_, args, rule) => {
  const { code, out, err } = await run(args);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(rule);
  expect(err).not.toMatch(/^ +at /m);
});

test("what a provider told and could not be applied is listed", async () => {
  expect((await run(["webhooks", "list", "--waiting"])).out).toBe("Nothing waits.\n");
  const merchant = decodeId("mer", house.credentials.merchant);
  await house.app.db.query(
    `insert into inbox (merchant_id, id, provider_account_id, event_id, type, subject, state, last_error)
     select merchant_id, gen_random_uuid(), id, state, 'payment_intent.succeeded', '{"kind":"none"}', state, 'early'
     from provider_accounts, unnest(array['APPLIED', 'UNATTRIBUTED']) as state where merchant_id = $1`,
    [merchant],
  );
  const all = await json<{ event: string }[]>(["webhooks", "list", "--merchant", house.credentials.merchant]);
  expect(all.map(({ event }) => event).sort()).toEqual(["APPLIED", "UNATTRIBUTED"]);
  const waiting = await json<object[]>(["webhooks", "list", "--waiting"]);
  expect(waiting).toMatchObject([
    {
      merchant: house.credentials.merchant,
      event: "UNATTRIBUTED",
      state: "UNATTRIBUTED",
      lastError: "early",
    },
  ]);
});

describe("which database", () => {
  test("that of the `umavez start` that runs on DATA_DIR", async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-test-start-"));
    const started = launch(["start"], {
      DATABASE_URL: house.databaseUrl,
      DATA_DIR: dataDir,
      PORT: "0",
      SANDBOX_PORT: "0",
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    });
    const ended = new Promise((resolve) => started.once("exit", resolve));
    await until(async () => fs.existsSync(path.join(dataDir, "runtime.json")), Boolean, 25_000);
    const merchants = await json<Merchant[]>(["merchants", "list"], { DATA_DIR: dataDir });
    expect(merchants.map((merchant) => merchant.id)).toContain(house.credentials.merchant);
    started.kill("SIGTERM");
    await ended;
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  test("none: says so, and names both ways", async () => {
    const { code, err } = await run(["keys", "list"], { DATA_DIR: empty });
    expect(code).toBe(1);
    expect(err).toBe(`umavez: DATABASE_URL: not set, and no \`umavez start\` runs on DATA_DIR ${empty}\n`);
  });

  test("one that is away, and a setting that does not hold", async () => {
    const away = await run(["keys", "list"], { DATA_DIR: empty, DATABASE_URL: "postgres://127.0.0.1:1/x" });
    expect(away.code).toBe(1);
    expect(away.err).toMatch(/^umavez: the database of DATABASE_URL cannot be reached: .*ECONNREFUSED/);
    const wrong = await run(["keys", "list"], { DATA_DIR: empty, DATABASE_URL: "mysql://x" });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/DATABASE_URL: write an address that begins postgres:/);
  });

  test("a merchant at the sandbox needs the gateway's encryption key, and is not made without", async () => {
    const { code, err } = await run(["merchants", "create", "No key", "--sandbox"], {
      DATA_DIR: empty,
      DATABASE_URL: house.databaseUrl,
    });
    expect(code).toBe(1);
    expect(err).toMatch(/ENCRYPTION_KEY: not set/);
    expect((await run(["merchants", "list"])).out).not.toContain("No key");
  });
});
