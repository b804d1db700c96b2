import {
  card,
  CREATE,
  ledgerOf,
  REFUND,
  send,
  setFaults,
  until,
  type Changed,
  type Created,
  type Reply,
} from "../support/client";
import { accountOf, atProvider, deliver, eventAbout, type Account } from "../inbox/signed";
import { openHouse, type House } from "../support/gateway";
import { eraseContent } from "../../src/idempotency/erase-content";
import { decodeId } from "../../src/shared/ids";

let house: House;
let account: Account;
beforeAll(async () => {
  house = await openHouse({}, { webhooks: true });
  account = await accountOf(house);
});
afterAll(() => house.close());
afterEach(() => {
  house.meddler.decide(() => "pass");
  return setFaults(house.sandboxUrl, {
    replyLost: 0,
    ignoreIdempotencyKeys: false,
    latencyMs: 0,
    down: false,
  });
});

const keys = () => house.credentials.keys;
let nth = 0;
/** A key that nobody has used. */
const fresh = () => `conflict-${(nth += 1)}`;

const RESOLVE = `mutation ($key: IdempotencyKey!, $input: ResolveConflictInput!) {
  resolve: resolveConflict(idempotencyKey: $key, input: $input) {
    replayed
    payment { id status availableActions providerReference
      amount { amount } capturedAmount { amount } refundedAmount { amount } refundableAmount { amount } capturableAmount { amount } }
    operation { id kind state idempotencyKey amount { amount } refund { status amount { amount } }
      attempts { reference outcome evidence }
      result { paymentStatus refundStatus capturedAmount { amount } refundedAmount { amount } failure { message } recordedAt } }
  }
}`;

interface Resolved {
  resolve: {
    replayed: boolean;
    payment: { id: string; status: string; availableActions: string[]; providerReference: string };
    operation: {
      id: string;
      kind: string;
      state: string;
      refund: { status: string } | null;
      attempts: { reference: string }[];
      result: { paymentStatus: string; recordedAt: string } | null;
    };
  } | null;
}

type Verdict = "ACCEPT_AS_CHARGED" | "REVERSE_EXTRA";
const resolve = (
  key: string,
  paymentId: string,
  verdict: Verdict,
  over: { as?: string; attemptReference?: string | null } = {},
) => {
  const { as = keys().operator, ...more } = over;
  const input = { paymentId, verdict, reason: "looked into it", ...more };
  return send<Resolved>(house.url, as, RESOLVE, { key, input });
};

/** Sends with the same key until the operation has ended, as a client does. */
const ended = (key: string, paymentId: string, verdict: Verdict, over = {}) =>
  until(
    () => makeDue().then(() => resolve(key, paymentId, verdict, over)),
    ({ data, errors }) =>
      errors !== undefined || ["SUCCEEDED", "FAILED"].includes(data?.resolve?.operation.state ?? ""),
    40_000,
  );
/** A step of recovery that a test does not want to wait for. */
const makeDue = () =>
  house.app.db.query("update unfinished_operations set due_at = now() where lease_token is null");

const codeOf = (reply: Reply<unknown>) => reply.errors?.[0]?.extensions.code;

interface Life {
  status: string;
  providerReference: string;
  capturedAmount: { minorUnits: string };
  refundedAmount: { minorUnits: string };
  operations: {
    nodes: {
      kind: string;
      state: string;
      result: { paymentStatus: string } | null;
      attempts: { reference: string; outcome: string; evidence: string; providerReference: string }[];
    }[];
  };
  refunds: { nodes: { status: string; amount: { minorUnits: string } }[] };
  events: { nodes: { type: string; status: string; actor: string }[] };
}
const LIFE = `query ($id: ID!) { payment(by: { id: $id }) {
  status providerReference capturedAmount { minorUnits } refundedAmount { minorUnits }
  operations { nodes { kind state result { paymentStatus } attempts { reference outcome evidence providerReference } } }
  refunds { nodes { status amount { minorUnits } } }
  events { nodes { type status actor } } } }`;
const life = async (id: string) => {
  const reply = await send<{ payment: Life }>(house.url, keys().viewer, LIFE, { id });
  if (!reply.data) throw new Error(JSON.stringify(reply));
  return reply.data.payment;
};
const typesOf = ({ events }: Life) => events.nodes.map(({ type }) => type);

const untilConflicted = (id: string) =>
  until(
    () => makeDue().then(() => life(id)),
    ({ status }) => status === "CONFLICTED",
    30_000,
  );

/** 10.00 were asked for and 10.01 charged. */
async function overcharged(over: Record<string, unknown> = {}): Promise<string> {
  const input = card("10", over, "pm_sandbox_wrongAmount");
  const made = await send<Created>(house.url, keys().payments, CREATE, { key: fresh(), input });
  const id = made.data?.createPayment?.payment.id ?? "";
  await untilConflicted(id);
  return id;
}

/** At the provider 10.00 were charged, or held, twice under one reference. */
async function twice(over: Record<string, unknown> = {}): Promise<string> {
  const { meddler } = house;
  meddler.decide(({ method }) => (method === "POST" ? "lose reply" : "pass"));
  const sent = meddler.seen.length;
  const made = await send<Created>(house.url, keys().payments, CREATE, {
    key: fresh(),
    input: card("10", over),
  });
  const { payment, operation } = made.data!.createPayment!;
  await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: true });
  const merchantId = (decodeId("mer", house.credentials.merchant) ?? "").replaceAll("-", "");
  const first = meddler.seen.slice(sent).find(({ method }) => method === "POST");
  const again = await fetch(`${house.sandboxUrl}${first?.path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer sk_test_${merchantId}`,
      "idempotency-key": operation.attempts[0]?.reference ?? "",
    },
    body: first?.body ?? "",
  });
  expect(again.status).toBe(200);
  meddler.decide(() => "pass");
  await setFaults(house.sandboxUrl, { ignoreIdempotencyKeys: false });
  await untilConflicted(payment.id);
  return payment.id;
}

/** The provider's books of one payment: every charge under its reference. */
async function books(id: string) {
  const { operations } = await life(id);
  const reference = operations.nodes[0]?.attempts[0]?.reference;
  const { charges, refunds } = await ledgerOf(house.sandboxUrl);
  const mine = charges.filter((one) => one.reference === reference);
  return {
    charges: mine,
    captured: mine.reduce((sum, one) => sum + one.captured, 0),
    refunded: mine.reduce((sum, one) => sum + one.refunded, 0),
    refunds: refunds.filter(({ charge }) => mine.some((one) => one.id === charge)),
  };
}

/** Our amounts are the provider's. */
async function compare(id: string) {
  const [ours, theirs] = [await life(id), await books(id)];
  expect([Number(ours.capturedAmount.minorUnits), Number(ours.refundedAmount.minorUnits)]).toEqual([
    theirs.captured,
    theirs.refunded,
  ]);
  return { ours, theirs };
}

/** Whatever the provider has told is applied, and then it is asked about each of these payments of its own once more. */
async function tellAgain(...references: string[]): Promise<void> {
  for (const id of references)
    expect(await deliver(house, account, eventAbout({ object: "payment_intent", id }))).toBe(200);
  const { data } = await atProvider(house, account, "/v1/events?limit=100");
  const told = (data as { id: string; type: string }[]).filter(({ type }) => type !== "charge.refunded");
  await until(
    () => house.app.db.query<{ event_id: string; state: string }[]>("select event_id, state from inbox"),
    (inbox) =>
      inbox.every(({ state }) => state !== "RECEIVED") &&
      told.every(({ id }) => inbox.some(({ event_id }) => event_id === id)),
    20_000,
  );
}

test("ACCEPT_AS_CHARGED: what was charged is the payment's, its create ends with it, and nothing contradicts it later", async () => {
  const id = await overcharged();
  const key = fresh();
  const reply = await ended(key, id, "ACCEPT_AS_CHARGED");
  expect(reply.data?.resolve).toMatchObject({
    payment: {
      status: "CAPTURED",
      amount: { amount: "10.00" },
      capturedAmount: { amount: "10.01" },
      refundableAmount: { amount: "10.01" },
      availableActions: ["REFUND"],
    },
    operation: {
      kind: "RESOLVE_CONFLICT",
      state: "SUCCEEDED",
      idempotencyKey: key,
      amount: null,
      refund: null,
      attempts: [{ outcome: "HAPPENED", evidence: "retrieved" }],
      result: { paymentStatus: "CAPTURED", capturedAmount: { amount: "10.01" }, failure: null },
    },
  });
  const { ours } = await compare(id);
  expect(ours.operations.nodes[0]).toMatchObject({
    kind: "CREATE_PAYMENT",
    state: "SUCCEEDED",
    result: { paymentStatus: "CAPTURED" },
    attempts: [{ outcome: "HAPPENED", evidence: "operator", providerReference: ours.providerReference }],
  });
  expect(ours.events.nodes.at(-1)).toEqual({
    type: "payment.conflict_resolved",
    status: "CAPTURED",
    actor: "operator",
  });
  // A refund of the whole, whose webhooks show the other amount once more.
  const refund = await send<Changed>(house.url, keys().payments, REFUND, {
    key: fresh(),
    input: { paymentId: id },
  });
  expect(refund.data?.change).toMatchObject({
    payment: { status: "REFUNDED" },
    refund: { amount: { amount: "10.01" } },
  });
  await tellAgain(ours.providerReference);
  expect((await compare(id)).ours.status).toBe("REFUNDED");
  // The result of the decision stays what it was, and nobody is asked for it.
  const asked = house.meddler.seen.length;
  const again = await resolve(key, id, "ACCEPT_AS_CHARGED");
  expect(house.meddler.seen).toHaveLength(asked);
  expect(again.data?.resolve).toMatchObject({ replayed: true, payment: { status: "REFUNDED" } });
  expect(again.data?.resolve?.operation.result).toEqual(reply.data?.resolve?.operation.result);
}, 90_000);

test("ACCEPT_AS_CHARGED of what is only held: the held amount can be captured", async () => {
  const id = await overcharged({ captureMode: "MANUAL" });
  const extra = await resolve(fresh(), id, "REVERSE_EXTRA");
  expect(extra.errors?.[0]).toMatchObject({
    message: expect.stringContaining("no extra to give back") as string,
    extensions: { code: "INVALID_STATE", status: "CONFLICTED", availableActions: [] },
  });
  const reply = await ended(fresh(), id, "ACCEPT_AS_CHARGED");
  expect(reply.data?.resolve).toMatchObject({
    payment: {
      status: "AUTHORIZED",
      capturableAmount: { amount: "10.01" },
      availableActions: ["CAPTURE", "CANCEL"],
    },
  });
}, 60_000);

test("REVERSE_EXTRA gives back what is above what was asked, as a refund of its own", async () => {
  const id = await overcharged();
  const reply = await ended(fresh(), id, "REVERSE_EXTRA");
  expect(reply.data?.resolve).toMatchObject({
    payment: {
      status: "PARTIALLY_REFUNDED",
      capturedAmount: { amount: "10.01" },
      refundedAmount: { amount: "0.01" },
      refundableAmount: { amount: "10.00" },
    },
    operation: {
      state: "SUCCEEDED",
      amount: { amount: "0.01" },
      refund: { status: "SUCCEEDED", amount: { amount: "0.01" } },
      result: {
        paymentStatus: "PARTIALLY_REFUNDED",
        refundStatus: "SUCCEEDED",
        refundedAmount: { amount: "0.01" },
      },
    },
  });
  const { ours, theirs } = await compare(id);
  const reference = reply.data?.resolve?.operation.attempts[0]?.reference;
  expect(theirs.refunds).toMatchObject([{ amount: 1, reference, status: "succeeded" }]);
  expect(typesOf(ours).slice(-3)).toEqual([
    "refund.created",
    "refund.succeeded",
    "payment.conflict_resolved",
  ]);
  expect(ours.operations.nodes[0]).toMatchObject({
    state: "SUCCEEDED",
    result: { paymentStatus: "PARTIALLY_REFUNDED" },
  });
  await tellAgain(ours.providerReference);
  expect((await life(id)).status).toBe("PARTIALLY_REFUNDED");
}, 60_000);

test("20 at once with one key give back once; the same key with the other verdict names what differs", async () => {
  const id = await overcharged();
  const key = fresh();
  const all = await Promise.all(Array.from({ length: 20 }, () => resolve(key, id, "REVERSE_EXTRA")));
  await ended(key, id, "REVERSE_EXTRA");
  expect(all.filter((reply) => reply.data?.resolve?.replayed === false)).toHaveLength(1);
  expect(new Set(all.map((reply) => reply.data?.resolve?.operation.id)).size).toBe(1);
  const { theirs } = await compare(id);
  expect(theirs.refunds.map(({ amount }) => amount)).toEqual([1]);
  const other = await resolve(key, id, "ACCEPT_AS_CHARGED");
  expect(other.errors?.[0]?.extensions).toMatchObject({
    code: "CONFLICT",
    reason: "IDEMPOTENCY_KEY_REUSED",
    changedFields: ["input.verdict"],
  });
}, 60_000);

test("of operators with keys of their own one does it, and the others are refused", async () => {
  const id = await overcharged();
  await setFaults(house.sandboxUrl, { latencyMs: 300 });
  const verdicts: Verdict[] = Array.from({ length: 8 }, (_, i) =>
    i % 2 ? "ACCEPT_AS_CHARGED" : "REVERSE_EXTRA",
  );
  const all = await Promise.all(verdicts.map((verdict) => resolve(fresh(), id, verdict)));
  expect(all.filter((reply) => reply.data?.resolve)).toHaveLength(1);
  for (const reply of all.filter(({ errors }) => errors))
    expect(["OPERATION_IN_PROGRESS", undefined]).toContain(reply.errors?.[0]?.extensions.reason);
  expect(all.map(codeOf).filter((code) => code === "CONFLICT" || code === "INVALID_STATE")).toHaveLength(7);
  await until(
    () => life(id),
    ({ status }) => status !== "CONFLICTED",
    20_000,
  );
  const { theirs } = await compare(id);
  expect(theirs.refunds.length).toBeLessThanOrEqual(1);
}, 60_000);

test("a lost answer of the refund is found, and settles the conflict", async () => {
  const id = await overcharged();
  await setFaults(house.sandboxUrl, { replyLost: 1 });
  const key = fresh();
  expect((await resolve(key, id, "REVERSE_EXTRA")).errors).toBeUndefined();
  await setFaults(house.sandboxUrl, { replyLost: 0 });
  const reply = await ended(key, id, "REVERSE_EXTRA");
  expect(reply.data?.resolve).toMatchObject({
    payment: { status: "PARTIALLY_REFUNDED" },
    operation: { state: "SUCCEEDED" },
  });
  const { theirs } = await compare(id);
  expect(theirs.refunds).toHaveLength(1);
}, 60_000);

test("a refund that did not arrive is sent again under its reference; meanwhile nobody else decides", async () => {
  const id = await overcharged();
  let sent = 0;
  house.meddler.decide(({ path }) => (path === "/v1/refunds" && (sent += 1) === 1 ? "refuse" : "pass"));
  const key = fresh();
  const first = await resolve(key, id, "REVERSE_EXTRA");
  expect(first.data?.resolve).toMatchObject({
    payment: { status: "CONFLICTED" },
    operation: { state: "IN_DOUBT", result: null, refund: { status: "IN_DOUBT" } },
  });
  const meanwhile = await resolve(fresh(), id, "ACCEPT_AS_CHARGED");
  expect(meanwhile.errors?.[0]?.extensions).toMatchObject({
    code: "CONFLICT",
    reason: "OPERATION_IN_PROGRESS",
    operationId: first.data?.resolve?.operation.id,
    retryable: true,
  });
  const reply = await ended(key, id, "REVERSE_EXTRA");
  expect(reply.data?.resolve).toMatchObject({
    payment: { status: "PARTIALLY_REFUNDED" },
    operation: { state: "SUCCEEDED" },
  });
  expect(sent).toBe(2);
  const { theirs } = await compare(id);
  expect(theirs.refunds).toHaveLength(1);
}, 60_000);

test("a charge too many is given back whole, and the payment is the other one", async () => {
  const id = await twice();
  const accepted = await resolve(fresh(), id, "ACCEPT_AS_CHARGED");
  expect(accepted.errors?.[0]).toMatchObject({
    message: expect.stringContaining("2 charges") as string,
    extensions: { code: "INVALID_STATE" },
  });
  const [create] = (await life(id)).operations.nodes;
  const foreign = await resolve(fresh(), id, "REVERSE_EXTRA", { attemptReference: "uvz-of-nobody" });
  expect(foreign.errors?.[0]?.extensions).toMatchObject({
    code: "BAD_USER_INPUT",
    fields: [{ path: "input.attemptReference" }],
  });
  const attemptReference = create?.attempts[0]?.reference;
  const reply = await ended(fresh(), id, "REVERSE_EXTRA", { attemptReference });
  expect(reply.data?.resolve).toMatchObject({
    payment: {
      status: "PARTIALLY_REFUNDED",
      capturedAmount: { amount: "20.00" },
      refundedAmount: { amount: "10.00" },
      refundableAmount: { amount: "10.00" },
    },
    operation: { state: "SUCCEEDED", refund: { amount: { amount: "10.00" } } },
  });
  const { theirs } = await compare(id);
  const { providerReference } = (await life(id)) ?? {};
  expect(theirs.charges.map((one) => [one.paymentIntent === providerReference, one.refunded]).sort()).toEqual(
    [
      [false, 1_000],
      [true, 0],
    ],
  );
  // The one that is kept can be refunded, and what the provider tells of both later contradicts nothing.
  const input = { paymentId: id };
  const refund = await send<Changed>(house.url, keys().payments, REFUND, { key: fresh(), input });
  expect(refund.data?.change?.payment.status).toBe("REFUNDED");
  await tellAgain(...theirs.charges.map(({ paymentIntent }) => paymentIntent));
  const { ours } = await compare(id);
  expect(ours.status).toBe("REFUNDED");
  expect(typesOf(ours).filter((type) => type === "payment.conflicted")).toHaveLength(1);
}, 90_000);

test("a charge too many that is only held is called off", async () => {
  const id = await twice({ captureMode: "MANUAL" });
  const reply = await ended(fresh(), id, "REVERSE_EXTRA");
  expect(reply.data?.resolve).toMatchObject({
    payment: { status: "AUTHORIZED", capturableAmount: { amount: "10.00" } },
    operation: { state: "SUCCEEDED", refund: null, amount: null },
  });
  expect((await books(id)).charges.map(({ status }) => status).sort()).toEqual(["authorized", "canceled"]);
}, 60_000);

test("a refund of a charge too many that fails late puts the payment back to CONFLICTED", async () => {
  const { method } = card("10", {}, "pm_card_refundFail");
  const id = await twice({ method });
  const first = await ended(fresh(), id, "REVERSE_EXTRA");
  expect(first.data?.resolve?.operation.state).toBe("SUCCEEDED");
  const conflicted = await untilConflicted(id);
  expect(conflicted).toMatchObject({
    capturedAmount: { minorUnits: "1000" },
    refundedAmount: { minorUnits: "0" },
    refunds: { nodes: [{ status: "FAILED" }] },
  });
  expect(typesOf(conflicted)).toEqual(
    expect.arrayContaining(["payment.conflict_resolved", "refund.reversed"]),
  );
  const again = await resolve(fresh(), id, "REVERSE_EXTRA");
  expect(again.data?.resolve?.operation.refund?.status).toBe("SUCCEEDED");
}, 60_000);

test("only ADMIN and OPERATOR decide, only of what is CONFLICTED, only of their own", async () => {
  const id = await overcharged();
  for (const as of [keys().payments, keys().viewer])
    expect(codeOf(await resolve(fresh(), id, "ACCEPT_AS_CHARGED", { as }))).toBe("FORBIDDEN");
  const { other } = house.credentials;
  expect(codeOf(await resolve(fresh(), id, "ACCEPT_AS_CHARGED", { as: other.keys.admin }))).toBe("NOT_FOUND");
  const mine = fresh();
  expect((await ended(mine, id, "ACCEPT_AS_CHARGED", { as: keys().admin })).data?.resolve).not.toBeNull();
  const late = await resolve(fresh(), id, "ACCEPT_AS_CHARGED");
  expect(late.errors?.[0]?.extensions).toMatchObject({
    code: "INVALID_STATE",
    status: "CAPTURED",
    availableActions: ["REFUND"],
  });
  const query = `query ($key: IdempotencyKey!) {
    operation(by: { key: { kind: RESOLVE_CONFLICT, idempotencyKey: $key } }) { kind state payment { id } }
    operations(filter: { kind: [RESOLVE_CONFLICT] }, first: 1) { nodes { idempotencyKey } }
  }`;
  const read = await send(house.url, keys().viewer, query, { key: mine });
  expect(read.data).toEqual({
    operation: { kind: "RESOLVE_CONFLICT", state: "SUCCEEDED", payment: { id } },
    operations: { nodes: [{ idempotencyKey: mine }] },
  });
}, 60_000);

test("a provider that does not answer decides nothing: the key stays unused", async () => {
  const id = await overcharged();
  await setFaults(house.sandboxUrl, { down: true });
  const key = fresh();
  const refused = await resolve(key, id, "ACCEPT_AS_CHARGED");
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: "UNAVAILABLE", retryable: true });
  await setFaults(house.sandboxUrl, { down: false });
  const reply = await ended(key, id, "ACCEPT_AS_CHARGED");
  expect(reply.data?.resolve?.payment.status).toBe("CAPTURED");
}, 60_000);

test("the content of a decision is erased with its reason, once its window has closed", async () => {
  const id = await overcharged();
  const key = fresh();
  await ended(key, id, "ACCEPT_AS_CHARGED");
  const rows = () =>
    house.app.db.query<Record<string, unknown>[]>(
      "select intent is null as gone, result, reason from operations where idempotency_key = $1",
      [key],
    );
  expect(await rows()).toMatchObject([{ gone: false, reason: "looked into it" }]);
  await house.app.db.query("update operations set replayable_until = now() where idempotency_key = $1", [
    key,
  ]);
  await eraseContent(house.app.db, 10);
  expect(await rows()).toEqual([{ gone: true, result: null, reason: null }]);
  const again = await resolve(key, id, "ACCEPT_AS_CHARGED");
  expect(again.data?.resolve).toMatchObject({ replayed: true, operation: { result: null } });
}, 60_000);
