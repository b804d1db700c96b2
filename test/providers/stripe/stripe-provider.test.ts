import net from "node:net";
import { CAPABILITIES } from "../../../src/providers/capabilities";
import type { AuthorizeRequest } from "../../../src/providers/provider";
import { createStripeProvider } from "../../../src/providers/stripe/stripe-provider";
import { systemClock } from "../../../src/shared/clock";
import { intent, refusedIntent, REFERENCE, SENT } from "./fixtures";
import { json, reply, startScriptedServer, type Act, type ScriptedServer } from "./scripted-server";

const KEY = "sk_" + "test_connector";
const FIRST = { first: true, timeoutMs: 5_000 };
const LATER = { first: false, timeoutMs: 5_000 };

let server: ScriptedServer;

beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const connect = (url = server.url) =>
  createStripeProvider({ name: "sandbox", secretKey: KEY, url, clock: systemClock });

describe("what is sent", () => {
  test("an authorization goes under our reference, as key and as metadata", async () => {
    server.plays({ bytes: json(200, intent()) });
    const outcome = await connect().authorize(SENT, FIRST);
    expect(outcome).toMatchObject({ kind: "happened", evidence: "reply", snapshot: { reference: "pi_1" } });
    expect(server.received).toHaveLength(1);
    const { method, path, headers, body } = server.received[0]!;
    expect([method, path]).toEqual(["POST", "/v1/payment_intents"]);
    expect(headers).toMatchObject({ "idempotency-key": REFERENCE, authorization: `Bearer ${KEY}` });
    expect(headers).not.toHaveProperty("x-stripe-client-telemetry");
    expect(headers["x-stripe-client-user-agent"]).not.toContain("platform");
    expect(Object.fromEntries(body)).toEqual({
      amount: "1050",
      currency: "brl",
      confirm: "true",
      capture_method: "automatic",
      payment_method: "pm_card_visa",
      "allowed_payment_method_types[0]": "card",
      description: "Order 7",
      "metadata[umavez_reference]": REFERENCE,
      "expand[0]": "latest_charge",
    });
  });

  test("what is kept for a later capture says so, and a missing description is not sent", async () => {
    server.plays({ bytes: json(200, intent({ status: "requires_capture", amount_received: 0 })) });
    const outcome = await connect().authorize({ ...SENT, captureMode: "MANUAL", description: null }, FIRST);
    expect(outcome).toMatchObject({ snapshot: { state: "authorized", captured: { minor: 0n } } });
    expect(server.received[0]!.body.get("capture_method")).toBe("manual");
    expect(server.received[0]!.body.has("description")).toBe(false);
  });

  test.each([
    ["JPY", 500n, "500"],
    ["CLP", 500n, "500"],
    ["KWD", 1250n, "1250"],
    ["ISK", 5n, "500"],
    ["UGX", 5n, "500"],
    ["MGA", 500n, "5"],
    ["BRL", 2147483648n, "2147483648"],
    ["BRL", 9007199254740991n, "9007199254740991"],
  ])("%s %d leaves as %s and comes back as it was", async (currency, minor, wire) => {
    const amount = Number(wire);
    const body = intent({ amount, amount_received: amount, currency: currency.toLowerCase() });
    server.plays({ bytes: json(200, body) });
    const outcome = await connect().authorize({ ...SENT, amount: { minor, currency } }, FIRST);
    expect(server.received[0]!.body.get("amount")).toBe(wire);
    expect(outcome).toMatchObject({ kind: "happened", snapshot: { amount: { minor, currency } } });
  });

  test.each([
    ["KWD", 1251n],
    ["MGA", 150n],
    ["IQD", 1000n],
    ["BRL", 0n],
    ["BRL", 9007199254740992n],
    ["ISK", 9007199254740991n],
  ])("%s %d is refused before anything is sent", async (currency, minor) => {
    const provider = connect();
    const request = { ...SENT, amount: { minor, currency } };
    expect(CAPABILITIES.sandbox.refuses(request.amount)).toEqual(expect.any(String));
    expect(await provider.authorize(request, FIRST)).toMatchObject({
      kind: "not_happened",
      evidence: "never_sent",
      failure: { kind: "INVALID", code: "unsupported" },
    });
    expect(await provider.authorize(request, LATER)).toMatchObject({ kind: "unknown", cause: "aborted" });
    expect(server.received).toHaveLength(0);
  });

  test("what can be counted is accepted", () => {
    expect(CAPABILITIES.sandbox.refuses(SENT.amount)).toBeNull();
  });

  test("questions carry no idempotency key", async () => {
    server.plays({ bytes: json(200, intent()) }, { bytes: json(200, { data: [], has_more: false }) });
    const provider = connect();
    await provider.retrieve("pi_1", 5_000);
    await provider.findByReference(REFERENCE, new Date(), 5_000);
    expect(new Set(server.received.map(({ method }) => method))).toEqual(new Set(["GET"]));
    for (const { headers } of server.received) expect(headers).not.toHaveProperty("idempotency-key");
  });
});

test("a process that stood still beyond its deadline sends nothing when it goes on, on a new or a kept connection", async () => {
  server.plays({ bytes: json(200, intent()) });
  let now = 0;
  let stoodStill = 6_000;
  const clock = { now: () => new Date(), monotonic: () => (now += stoodStill) };
  const provider = createStripeProvider({ name: "sandbox", secretKey: KEY, url: server.url, clock });
  const late = { kind: "unknown", cause: "timeout" };
  expect(await provider.authorize(SENT, FIRST)).toMatchObject(late);
  stoodStill = 0;
  expect(await provider.authorize(SENT, FIRST)).toMatchObject({ kind: "happened" });
  stoodStill = 6_000;
  expect(await provider.authorize(SENT, LATER)).toMatchObject(late);
  expect(server.received).toHaveLength(1);
});

const half = json(200, intent()).slice(0, -40);

describe("what comes back from a broken network is unknown, first and later, and nothing is sent twice", () => {
  test.each<[string, Act, string]>([
    ["a reset before the headers", { then: "reset" }, "connection_lost"],
    ["an end before the headers", { then: "end" }, "connection_lost"],
    ["a reset after the headers", { bytes: half, then: "reset" }, "connection_lost"],
    ["a body that ends half way", { bytes: half, then: "end" }, "connection_lost"],
    ["half a JSON in a whole body", { bytes: reply(200, '{"id":"pi_1","amo') }, "unreadable_reply"],
    ["HTML with 200", { bytes: reply(200, "<html>ok</html>") }, "unreadable_reply"],
    ["nothing with 200", { bytes: reply(200, "") }, "unreadable_reply"],
    ["a number with 200", { bytes: reply(200, "42") }, "unreadable_reply"],
    ["a text with 200", { bytes: reply(200, '"ok"') }, "unreadable_reply"],
    ["null with 200", { bytes: reply(200, "null") }, "unreadable_reply"],
    ["a list with 200", { bytes: reply(200, "[]") }, "unreadable_reply"],
    ["no HTTP at all", { bytes: "SSH-2.0-OpenSSH\r\n" }, "connection_lost"],
    [
      "an upgrade that nobody asked for",
      { bytes: "HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n" },
      "connection_lost",
    ],
    ["a success without an id", { bytes: json(200, intent({ id: undefined })) }, "unreadable_reply"],
    ["another amount", { bytes: json(200, intent({ amount: 1051, amount_received: 1051 })) }, "other_amount"],
    ["a redirect", { bytes: reply(302, "", { location: "/" }) }, "unreadable_reply"],
    ["HTML with 502", { bytes: reply(502, "<html>bad gateway</html>") }, "server_error"],
    ["an intent with 500", { bytes: json(500, intent()) }, "server_error"],
    ["an error with 500", { bytes: json(500, { error: { type: "api_error" } }) }, "server_error"],
    ["an error that is a text", { bytes: json(400, { error: "invalid_request" }) }, "unreadable_reply"],
    ["an error that is a number", { bytes: json(400, { error: 5 }) }, "unreadable_reply"],
  ])("%s", async (_, act, cause) => {
    server.plays(act);
    for (const call of [FIRST, LATER])
      expect(await connect().authorize(SENT, call)).toMatchObject({ kind: "unknown", cause });
    expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([REFERENCE, REFERENCE]);
  });

  test.each<[string, Act]>([
    ["silence", {}],
    ["a body that does not go on", { bytes: half }],
  ])("%s ends at our deadline", async (_, act) => {
    server.plays(act);
    const started = performance.now();
    const outcome = await connect().authorize(SENT, { first: true, timeoutMs: 150 });
    expect(outcome).toMatchObject({ kind: "unknown", cause: "timeout" });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(server.received).toHaveLength(1);
  });

  test("a body that drips ends at our deadline, too", async () => {
    const dripping = net.createServer((socket) => {
      socket.on("error", () => undefined).write("HTTP/1.1 200 X\r\ncontent-length: 100000\r\n\r\n{");
      const drip = setInterval(() => socket.write(" "), 20);
      socket.on("close", () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => dripping.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(dripping.address() as net.AddressInfo).port}`;
    const outcome = await connect(url).authorize(SENT, { first: true, timeoutMs: 200 });
    expect(outcome).toMatchObject({ kind: "unknown", cause: "timeout" });
    await new Promise((resolve) => dripping.close(resolve));
  });
});

describe("never sent", () => {
  test("a refused connection is never sent on a first call, and unknown on a later one", async () => {
    await server.close();
    expect(await connect().authorize(SENT, FIRST)).toMatchObject({
      kind: "not_happened",
      evidence: "never_sent",
      elsewhere: true,
      failure: { code: "provider_unavailable", retryAdvice: "LATER" },
    });
    expect(await connect().authorize(SENT, LATER)).toMatchObject({
      kind: "unknown",
      cause: "connection_refused",
    });
  });

  test("a reset is not repeated behind our back, so that it cannot end as a refused connection", async () => {
    server.plays({ then: "reset" }, { bytes: json(200, intent()) });
    expect(await connect().authorize(SENT, FIRST)).toMatchObject({
      kind: "unknown",
      cause: "connection_lost",
      detail: expect.stringContaining("ECONNRESET"),
    });
    expect(server.received).toHaveLength(1);
    expect(await connect().authorize(SENT, LATER)).toMatchObject({ kind: "happened" });
    expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([REFERENCE, REFERENCE]);
  });

  test("a kept connection that is reset is not taken for one that never was", async () => {
    server.plays({ bytes: json(200, intent()) }, { then: "reset" });
    const provider = connect();
    await provider.authorize(SENT, FIRST);
    expect(await provider.authorize(SENT, FIRST)).toMatchObject({
      kind: "unknown",
      cause: "connection_lost",
    });
    expect(server.received).toHaveLength(2);
  });

  test("a key that no header can carry is no refusal, and the call ends", async () => {
    const provider = createStripeProvider({
      name: "stripe",
      secretKey: "sk\n",
      url: server.url,
      clock: systemClock,
    });
    expect(await provider.authorize(SENT, FIRST)).toMatchObject({ kind: "unknown" });
    expect(server.received).toHaveLength(0);
  });
});

describe("refusals", () => {
  const refused = (status: number, error: object): Act => ({ bytes: json(status, { error }) });

  test("a decline is a refusal with its reason and the intent it left behind", async () => {
    const error = { type: "card_error", code: "card_declined", decline_code: "insufficient_funds" };
    server.plays(refused(402, { ...error, payment_intent: refusedIntent() }));
    expect(await connect().authorize(SENT, LATER)).toMatchObject({
      kind: "not_happened",
      reference: "pi_1",
      evidence: "reply",
      failure: { kind: "DECLINED", code: "insufficient_funds" },
    });
  });

  test("a stored reply is known by its header", async () => {
    const stored = { "Idempotent-Replayed": "true" };
    const error = { type: "card_error", code: "expired_card", payment_intent: refusedIntent() };
    server.plays({ bytes: json(402, { error }, stored) }, { bytes: json(200, intent(), stored) });
    const provider = connect();
    expect(await provider.authorize(SENT, LATER)).toMatchObject({ evidence: "replayed_reply" });
    expect(await provider.authorize(SENT, LATER)).toMatchObject({ evidence: "replayed_reply" });
  });

  test("an amount above Stripe's own limit is Stripe's to refuse", async () => {
    const large: AuthorizeRequest = { ...SENT, amount: { minor: 100_000_000n, currency: "BRL" } };
    server.plays(refused(400, { type: "invalid_request_error", code: "amount_too_large", param: "amount" }));
    expect(await connect().authorize(large, FIRST)).toMatchObject({
      kind: "not_happened",
      failure: { kind: "INVALID", code: "limit_exceeded" },
    });
    expect(server.received[0]!.body.get("amount")).toBe("100000000");
  });

  test.each([401, 403, 429])("%d turns a first call away, and leaves a later one unknown", async (status) => {
    server.plays(refused(status, { type: "invalid_request_error", message: `${KEY} is wrong` }));
    const first = await connect().authorize(SENT, FIRST);
    expect(first).toMatchObject({
      kind: "not_happened",
      failure: { code: "provider_unavailable", message: expect.stringContaining(`${status}`) },
    });
    const later = await connect().authorize(SENT, LATER);
    expect(later).toMatchObject({ kind: "unknown" });
    expect(JSON.stringify([first, later])).not.toContain(KEY);
  });
});

describe("retrieve", () => {
  const missing = { error: { type: "invalid_request_error", code: "resource_missing" } };

  test.each<[string, string, object]>([
    ["what is there", json(200, intent({ amount: 7, amount_received: 7 })), { kind: "found" }],
    ["what Stripe does not know", json(404, missing), { kind: "absent" }],
    [
      "a 404 of something else",
      json(404, { error: { message: "x" } }),
      { kind: "unknown", cause: "not_found" },
    ],
    ["an HTML 404", reply(404, "<html>"), { kind: "unknown", cause: "not_found" }],
    ["another intent", json(200, intent({ id: "pi_2" })), { kind: "unknown", cause: "unreadable_reply" }],
    ["no intent", json(200, {}), { kind: "unknown", cause: "unreadable_reply" }],
    ["a 401", json(401, missing), { kind: "unknown", cause: "not_authenticated" }],
    ["a 500", json(500, missing), { kind: "unknown", cause: "server_error" }],
  ])("%s", async (_, bytes, expected) => {
    server.plays({ bytes });
    expect(await connect().retrieve("pi_1", 5_000)).toMatchObject(expected);
    expect(server.received[0]!.path).toBe("/v1/payment_intents/pi_1?expand[0]=latest_charge");
  });

  test("a refused card shows why, and what was refunded is told", async () => {
    const error = { type: "card_error", code: "card_declined", decline_code: "stolen_card" };
    const charge = { id: "ch_1", amount_refunded: 50 };
    server.plays(
      { bytes: json(200, refusedIntent({ last_payment_error: error })) },
      { bytes: json(200, intent({ latest_charge: charge })) },
    );
    const provider = connect();
    expect(await provider.retrieve("pi_1", 5_000)).toMatchObject({
      value: { state: "failed", failure: { code: "stolen_card", retryAdvice: "NEVER" } },
    });
    expect(await provider.retrieve("pi_1", 5_000)).toMatchObject({ value: { refunded: { minor: 50n } } });
  });

  test("silence and a refused connection are no answer", async () => {
    server.plays({});
    expect(await connect().retrieve("pi_1", 100)).toMatchObject({ kind: "unknown", cause: "timeout" });
    await server.close();
    expect(await connect().retrieve("pi_1", 5_000)).toMatchObject({ cause: "connection_refused" });
  });
});

describe("findByReference", () => {
  const SENT_AFTER = new Date("2026-01-02T03:04:05.678Z");
  const other = (id: string) => intent({ id, metadata: { umavez_reference: "uvzother" } });
  const page = (data: unknown[], has_more = false): Act => ({
    bytes: json(200, { object: "list", data, has_more }),
  });
  const find = (timeoutMs = 5_000) => connect().findByReference(REFERENCE, SENT_AFTER, timeoutMs);

  test("walks to the last page, from five minutes before the send", async () => {
    server.plays(page([other("pi_9"), other("pi_8")], true), page([intent({ id: "pi_7" }), other("pi_6")]));
    expect(await find()).toMatchObject({ kind: "found", value: [{ reference: "pi_7", ours: REFERENCE }] });
    const asked = server.received.map(({ path }) => new URL(path, server.url).searchParams);
    expect(asked.map((query) => query.get("starting_after"))).toEqual([null, "pi_8"]);
    for (const query of asked) {
      expect(query.get("created[gte]")).toBe(String(Date.parse("2026-01-02T02:59:05Z") / 1_000));
      expect(query.get("limit")).toBe("100");
    }
  });

  test("finds every payment under the reference, on whatever page", async () => {
    server.plays(page([intent({ id: "pi_2" })], true), page([intent({ id: "pi_1" })]));
    expect(await find()).toMatchObject({ value: [{ reference: "pi_2" }, { reference: "pi_1" }] });
  });

  test("is absent only at the end of the list, where a search has nothing either, nor the hour before", async () => {
    server.plays(page([other("pi_9")], true), page([]), page([]), page([other("pi_3")], true), page([]));
    expect(await find()).toEqual({ kind: "absent" });
    const asked = server.received.map(({ path }) => new URL(path, server.url));
    expect(asked.map(({ pathname }) => pathname.split("/").at(-1))).toEqual([
      ...["payment_intents", "payment_intents", "search", "payment_intents", "payment_intents"],
    ]);
    expect(asked[2]?.searchParams.get("query")).toBe(`metadata['umavez_reference']:'${REFERENCE}'`);
    for (const { searchParams } of asked.slice(3)) {
      expect(searchParams.get("created[gte]")).toBe(String(Date.parse("2026-01-02T01:59:05Z") / 1_000));
      expect(searchParams.get("created[lt]")).toBe(String(Date.parse("2026-01-02T02:59:05Z") / 1_000));
    }
  });

  test.each<[string, Act[]]>([
    ["a search finds it", [page([]), page([intent()])]],
    ["it is of the hour before", [page([]), page([]), page([intent()])]],
  ])("a payment that is older than the send is found where %s", async (_, acts) => {
    server.plays(...acts);
    expect(await find()).toMatchObject({ kind: "found", value: [{ ours: REFERENCE }] });
  });

  test.each<[string, Act[]]>([
    ["the search", [page([]), { bytes: json(500, { error: { type: "api_error" } }) }]],
    ["the hour before", [page([]), page([]), { then: "reset" }]],
  ])("where %s has no answer, nothing is absent", async (_, acts) => {
    server.plays(...acts);
    expect(await find()).toMatchObject({ kind: "unknown" });
  });

  test.each<[string, Act, string]>([
    ["a page fails", { bytes: json(500, { error: { type: "api_error" } }) }, "server_error"],
    ["a page is refused", { bytes: json(429, { error: { code: "rate_limit" } }) }, "rate_limited"],
    ["a page is missing", { bytes: json(404, { error: { code: "resource_missing" } }) }, "not_found"],
    ["a page is lost", { then: "reset" }, "connection_lost"],
    ["a page is no list", { bytes: json(200, { data: "x" }) }, "unreadable_reply"],
    ["a page does not say whether there is more", { bytes: json(200, { data: [] }) }, "unreadable_reply"],
    ["an empty page says that there is more", page([], true), "unreadable_reply"],
    ["an intent of ours cannot be read", page([intent({ amount: "x" })]), "unreadable_reply"],
  ])("is unknown when %s, even where something was found before", async (_, act, cause) => {
    server.plays(page([intent()], true), act);
    expect(await find()).toMatchObject({ kind: "unknown", cause });
  });

  test("the deadline holds for the whole walk", async () => {
    server.plays(page([other("pi_9")], true), {});
    expect(await find(200)).toMatchObject({ kind: "unknown", cause: "timeout" });
  });

  test("no page is asked for after the deadline", async () => {
    const clock = { now: () => new Date(), monotonic: () => 1_600 * server.received.length };
    const provider = createStripeProvider({ name: "sandbox", secretKey: KEY, url: server.url, clock });
    server.plays(page([other("pi_9")], true));
    expect(await provider.findByReference(REFERENCE, SENT_AFTER, 3_000)).toMatchObject({ cause: "timeout" });
    expect(server.received).toHaveLength(2);
  });

  test("a list without an end is cut off, and proves nothing", async () => {
    server.plays(page([other("pi_9")], true));
    expect(await find(60_000)).toMatchObject({ kind: "unknown", cause: "aborted" });
    expect(server.received).toHaveLength(100);
  });
});

test("what a connector knows of its provider can be told otherwise", () => {
  const provider = createStripeProvider({
    name: "stripe",
    secretKey: KEY,
    capabilities: { absenceProvesNothingSeconds: 1 },
    clock: systemClock,
  });
  expect(provider.capabilities).toMatchObject({
    absenceProvesNothingSeconds: 1,
    keyRetentionSeconds: 72_000,
  });
});
