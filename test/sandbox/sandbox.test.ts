import { fork, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Stripe from "stripe";
import { startSandbox, type Sandbox } from "../../src/sandbox/server";
import { ledgerOf, setFaults } from "../support/client";

let dataDir: string;
let sandbox: Sandbox;
beforeEach(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-sandbox-"));
  sandbox = await startSandbox({ port: 0, dataDir });
});
afterEach(async () => {
  await sandbox.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const ACCOUNT = "sk_test_aaaaaaaa1";

/** The official SDK, which repeats nothing of itself. */
const stripe = (port = sandbox.port, secretKey = ACCOUNT) =>
  new Stripe(secretKey, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 1_500,
  });

function params(
  token: string,
  over: Partial<Stripe.PaymentIntentCreateParams> = {},
): Stripe.PaymentIntentCreateParams {
  return {
    amount: 1_050,
    currency: "brl",
    confirm: true,
    payment_method: token,
    metadata: { umavez_reference: "ref" },
    ...over,
  };
}

interface Seen {
  status: number;
  body: { id?: string; status?: string; amount?: number; error?: Record<string, unknown> };
  replayed: boolean;
}

/** Tokens whose first answer comes late or never: the caller leaves. */
const LATE = ["pm_sandbox_timeoutAfterCharge", "pm_sandbox_slow"];

/** One request as it is on the wire: no library hides anything. Null where no whole answer comes. */
async function create(
  key: string | null,
  token: string,
  over: Record<string, string> = {},
): Promise<Seen | null> {
  const form = {
    amount: "1050",
    currency: "brl",
    confirm: "true",
    payment_method: token,
    "metadata[umavez_reference]": "ref",
    ...over,
  };
  try {
    const response = await fetch(`${sandbox.url}/v1/payment_intents`, {
      method: "POST",
      headers: { authorization: `Bearer ${ACCOUNT}`, ...(key === null ? {} : { "idempotency-key": key }) },
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(LATE.includes(token) ? 1_000 : 30_000),
    });
    const body = (await response.json()) as Seen["body"];
    return {
      status: response.status,
      body,
      replayed: response.headers.get("idempotent-replayed") === "true",
    };
  } catch {
    return null;
  }
}

const charges = async () => (await ledgerOf(sandbox.url)).charges;
const listed = async () => (await stripe().paymentIntents.list({ limit: 100 })).data;

describe("idempotency keys behave as Stripe's do", () => {
  test("the same key with the same parameters gets the first answer, and says so", async () => {
    const [first, again] = [await create("k", "pm_card_visa"), await create("k", "pm_card_visa")];
    expect(first).toMatchObject({
      status: 200,
      replayed: false,
      body: { status: "succeeded", amount: 1050 },
    });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await charges()).toHaveLength(1);
  });

  test("with other parameters it is refused", async () => {
    await create("k", "pm_card_visa");
    const other = await create("k", "pm_card_visa", { amount: "1051" });
    expect(other).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
    expect(await charges()).toHaveLength(1);
  });

  test("a decline is stored, a faulty request is not", async () => {
    const declined = await create("d", "pm_card_visa_chargeDeclined");
    expect(declined).toMatchObject({
      status: 402,
      body: { error: { code: "card_declined", decline_code: "generic_decline" } },
    });
    expect(await create("d", "pm_card_visa_chargeDeclined")).toMatchObject({ status: 402, replayed: true });
    expect(await create("f", "pm_nobody")).toMatchObject({
      status: 400,
      body: { error: { code: "resource_missing", param: "payment_method" } },
    });
    expect(await create("f", "pm_card_visa")).toMatchObject({ status: 200, replayed: false });
  });

  test("200 requests with one key at once are one charge; whoever comes while it is at work is told so", async () => {
    const seen = await Promise.all(Array.from({ length: 200 }, () => create("k", "pm_card_visa")));
    for (const one of seen) expect([200, 409]).toContain(one?.status);
    expect(new Set(seen.filter((one) => one?.status === 200).map((one) => one?.body.id)).size).toBe(1);
    expect(await charges()).toHaveLength(1);
    expect((await ledgerOf(sandbox.url)).calls.create).toBe(200);
  });

  test("after its time a key is forgotten: the same key is a new request", async () => {
    await create("k", "pm_card_visa");
    await fetch(`${sandbox.url}/_sandbox/clock`, {
      method: "POST",
      body: JSON.stringify({ advanceSeconds: 86_401 }),
    });
    expect(await create("k", "pm_card_visa")).toMatchObject({ status: 200, replayed: false });
    expect(await charges()).toHaveLength(2);
  });

  test("another account's key is another key", async () => {
    const keys = [ACCOUNT, "sk_test_bbbbbbbb2"];
    const made = await Promise.all(
      keys.map((key) =>
        stripe(sandbox.port, key).paymentIntents.create(params("pm_card_visa"), { idempotencyKey: "k" }),
      ),
    );
    expect(made[0]?.id).not.toBe(made[1]?.id);
    await expect(
      stripe(sandbox.port, keys[1]).paymentIntents.retrieve(made[0]?.id ?? ""),
    ).rejects.toMatchObject({ statusCode: 404 });
  });
});

/** The table of providers.md: the first call, what a replay of its key gets, and whether it is in the list. */
const FAULTS: [token: string, first: number | null, replay: number, inList: boolean][] = [
  ["pm_sandbox_replyLost", null, 200, true],
  ["pm_sandbox_timeoutAfterCharge", null, 200, true],
  ["pm_sandbox_truncatedReply", null, 200, true],
  ["pm_sandbox_error500AfterCharge", 500, 500, true],
  ["pm_sandbox_error500BeforeCharge", 500, 500, false],
  ["pm_sandbox_dropBeforeCharge", null, 200, false],
  ["pm_sandbox_slow", null, 200, true],
];

test.each(FAULTS)("%s", async (token, first, replay, inList) => {
  expect((await create("k", token))?.status ?? null).toBe(first);
  expect(await charges()).toHaveLength(inList ? 1 : 0);
  expect(await listed()).toHaveLength(inList ? 1 : 0);
  expect((await create("k", token))?.status).toBe(replay);
  const after = inList || replay === 200 ? 1 : 0;
  expect(await charges()).toHaveLength(after);
  expect(await listed()).toHaveLength(after);
});

test("pm_sandbox_wrongAmount charges one more and says so every time", async () => {
  const [first, again] = [
    await create("k", "pm_sandbox_wrongAmount"),
    await create("k", "pm_sandbox_wrongAmount"),
  ];
  expect([first?.body.amount, again?.body.amount]).toEqual([1051, 1051]);
  expect((await charges())[0]).toMatchObject({
    amount: 1051,
    currency: "BRL",
    captured: 1051,
    status: "captured",
    reference: "ref",
  });
});

test("the SDK reads what it gets: captured, authorized, declined, listed, expanded", async () => {
  const { paymentIntents } = stripe();
  const taken = await paymentIntents.create(params("pm_card_mastercard", { expand: ["latest_charge"] }));
  expect(taken).toMatchObject({ status: "succeeded", amount_received: 1050 });
  expect(taken.latest_charge).toMatchObject({
    payment_method_details: { card: { brand: "mastercard", last4: "4444" } },
  });
  const held = await paymentIntents.create(params("pm_card_visa", { capture_method: "manual" }));
  expect(held).toMatchObject({ status: "requires_capture", amount_capturable: 1050, amount_received: 0 });
  await expect(
    paymentIntents.create(params("pm_card_visa_chargeDeclinedIncorrectCvc")),
  ).rejects.toMatchObject({
    statusCode: 402,
    code: "incorrect_cvc",
    payment_intent: { status: "requires_payment_method" },
  });
  const ids: string[] = [];
  for await (const intent of paymentIntents.list({ limit: 2, created: { gte: 1 } })) ids.push(intent.id);
  expect(ids).toHaveLength(3);
  expect(ids.at(-1)).toBe(taken.id);
  await expect(
    stripe(sandbox.port, "sk_live_aaaaaaaa1").paymentIntents.retrieve(taken.id),
  ).rejects.toMatchObject({ statusCode: 401 });
});

test("a search finds by metadata, and not what is younger than a minute; no other query is taken", async () => {
  const { paymentIntents } = stripe(sandbox.port);
  const advance = (advanceSeconds: number) =>
    fetch(`${sandbox.url}/_sandbox/clock`, { method: "POST", body: JSON.stringify({ advanceSeconds }) });
  const found = async (key: string, value: string) =>
    (await paymentIntents.search({ query: `metadata['${key}']:'${value}'` })).data.map(({ id }) => id);
  const params = { amount: 100, currency: "brl", confirm: true, payment_method: "pm_card_visa" };
  const made = await paymentIntents.create({ ...params, metadata: { order: "7", other: "8" } });
  expect(await found("order", "7")).toEqual([]);
  await advance(61);
  expect(await found("order", "7")).toEqual([made.id]);
  expect(await found("order", "8")).toEqual([]);
  await advance(-61);
  await expect(paymentIntents.search({ query: "amount>1" })).rejects.toMatchObject({ param: "query" });
});

test("probabilities, lag and being down hold for every call, and are checked when they are set", async () => {
  await setFaults(sandbox.url, { replyLost: 1 });
  expect(await create("a", "pm_card_visa")).toBeNull();
  await setFaults(sandbox.url, { replyLost: 0, dropBeforeCharge: 1 });
  expect(await create("b", "pm_card_visa")).toBeNull();
  await setFaults(sandbox.url, { dropBeforeCharge: 0, error500AfterCharge: 1 });
  expect((await create("c", "pm_card_visa"))?.status).toBe(500);
  await setFaults(sandbox.url, { error500AfterCharge: 0 });
  expect(await charges()).toHaveLength(2);
  await setFaults(sandbox.url, { lookupLagMs: 60_000 });
  expect(await listed()).toHaveLength(0);
  await setFaults(sandbox.url, { lookupLagMs: 0, down: true });
  await expect(listed()).rejects.toMatchObject({ type: "StripeConnectionError" });
  await setFaults(sandbox.url, { down: false, ignoreIdempotencyKeys: true });
  const [one, two] = [await create("d", "pm_card_visa"), await create("d", "pm_card_visa")];
  expect(one?.body.id).not.toBe(two?.body.id);
  await expect(setFaults(sandbox.url, { replyLost: 2 })).rejects.toThrow(/replyLost: must be a probability/);
  await expect(setFaults(sandbox.url, { nothing: 1 })).rejects.toThrow(/nothing: no such fault/);
});

test("what was charged is in the ledger after a kill -9, and its key still replays", async () => {
  const folder = path.join(dataDir, "killed");
  const child = fork(path.resolve("bin/umavez.js"), ["sandbox"], {
    env: { ...process.env, DATA_DIR: folder, SANDBOX_PORT: "0" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { url } = await new Promise<{ url: string }>((resolve) =>
    child.once("message", (message) => resolve(message as { url: string })),
  );
  const { paymentIntents } = stripe(Number(new URL(url).port));
  const made = paymentIntents.create(params("pm_card_visa"), { idempotencyKey: "kept" });
  const kept = await made;
  await paymentIntents
    .create(params("pm_sandbox_timeoutAfterCharge"), { idempotencyKey: "hung" })
    .catch(() => undefined);
  await killed(child);
  // A write that the kill has torn: nobody was told of it.
  fs.appendFileSync(path.join(folder, "sandbox", "ledger.jsonl"), '{"charge":{"id":"ch_torn"');

  const again = await startSandbox({ port: 0, dataDir: path.join(folder, "sandbox") });
  const ledger = await ledgerOf(again.url);
  const replay = await stripe(again.port).paymentIntents.create(params("pm_card_visa"), {
    idempotencyKey: "kept",
  });
  await again.close();
  expect(ledger.charges.map((charge) => charge.paymentIntent)).toContain(kept.id);
  expect(ledger.charges).toHaveLength(2);
  expect(ledger.calls.create).toBe(2);
  expect(replay.id).toBe(kept.id);
});

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
