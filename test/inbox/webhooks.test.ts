import fc from "fast-check";
import { attemptReference } from "../../src/providers/reference";
import { decodeId } from "../../src/shared/ids";
import { startWorker, type Worker } from "../../src/worker/loop";
import { card, CREATE, ledgerOf, send, setFaults, until, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";
import { accountOf, atProvider, deliver, eventAbout, post, sign, type Account } from "./signed";

let house: House;
let account: Account;
let worker: Worker | null = null;
/** A house whose worker runs only when a test starts it; webhooks come from the sandbox where they are registered. */
const open = async (settings: Record<string, string> = {}) => {
  house = await openHouse(settings, { worker: false, webhooks: true });
  account = await accountOf(house);
};
afterEach(async () => {
  await worker?.stop();
  worker = null;
  await house.close();
});
const startWork = () => (worker = startWorker(house.app));

interface Row {
  event_id: string;
  type: string;
  state: string;
  tries: number;
  last_error: string | null;
  subject: { reference: string };
}
const inbox = () => house.app.db.query<Row[]>("select * from inbox order by received_at, id");
const untilInbox = (holds: (rows: Row[]) => boolean, withinMs = 10_000) => until(inbox, holds, withinMs);
const allApplied = (rows: Row[]) => rows.length > 0 && rows.every((row) => row.state === "APPLIED");

const key = () => house.credentials.keys.payments;
const create = async (name: string, input: Record<string, unknown> = card("10")) => {
  const reply = await send<Created>(house.url, key(), CREATE, { key: name, input });
  if (!reply.data?.createPayment) throw new Error(JSON.stringify(reply));
  return reply.data.createPayment;
};

interface Life {
  status: string;
  version: number;
  capturedAmount: { minorUnits: string };
  refundedAmount: { minorUnits: string };
  disputedAmount: { minorUnits: string };
  refundableAmount: { minorUnits: string };
  refunds: { nodes: { status: string; idempotencyKey: string | null; amount: { minorUnits: string } }[] };
  events: { nodes: { type: string; actor: string }[] };
  operations: { nodes: { kind: string; state: string }[] };
}
const LIFE = /* GraphQL */ `
  query Life($id: ID!) {
    payment(by: { id: $id }) {
      status
      version
      capturedAmount {
        minorUnits
      }
      refundedAmount {
        minorUnits
      }
      disputedAmount {
        minorUnits
      }
      refundableAmount {
        minorUnits
      }
      refunds {
        nodes {
          status
          idempotencyKey
          amount {
            minorUnits
          }
        }
      }
      events(first: 100) {
        nodes {
          type
          actor
        }
      }
      operations {
        nodes {
          kind
          state
        }
      }
    }
  }
`;
const life = async (id: string): Promise<Life> => {
  const reply = await send<{ payment: Life }>(house.url, key(), LIFE, { id });
  if (!reply.data?.payment) throw new Error(JSON.stringify(reply));
  return reply.data.payment;
};
/** Asks once more when it holds: a payment and its history are read one after the other, and what comes between is in one. */
async function untilLife(id: string, holds: (life: Life) => boolean): Promise<Life> {
  await until(() => life(id), holds, 30_000);
  return life(id);
}
const typesOf = ({ events }: Life) => events.nodes.map(({ type }) => type);

const capture = (name: string, paymentId: string, amount: string) =>
  send(
    house.url,
    key(),
    `mutation C($key: IdempotencyKey!, $input: CapturePaymentInput!) {
      capturePayment(idempotencyKey: $key, input: $input) { operation { state } }
    }`,
    { key: name, input: { paymentId, amount: { amount, currency: "BRL" } } },
  );

const refund = (name: string, paymentId: string, amount: string) =>
  send(
    house.url,
    key(),
    `mutation R($key: IdempotencyKey!, $input: RefundPaymentInput!) {
      refundPayment(idempotencyKey: $key, input: $input) { refund { status } }
    }`,
    { key: name, input: { paymentId, amount: { amount, currency: "BRL" } } },
  );

describe("what is taken", () => {
  test("stored and answered while the worker is stopped; applied when it starts, a lost reply's charge too", async () => {
    await open({ PROVIDER_TIMEOUT_MS: "1000", LEASE: "30s", ANSWER_WITHIN_MS: "500" });
    const made = await create("lost", card("10", {}, "pm_sandbox_timeoutAfterCharge"));
    expect(made.payment.status).toBe("PROCESSING");
    const [row] = await untilInbox((rows) => rows.length === 1);
    expect(row).toMatchObject({ type: "payment_intent.succeeded", state: "RECEIVED", tries: 0 });
    startWork();
    await untilInbox(allApplied);
    const after = await life(made.payment.id);
    expect(after).toMatchObject({ status: "CAPTURED", capturedAmount: { minorUnits: "1000" } });
    expect(after.operations.nodes).toEqual([{ kind: "CREATE_PAYMENT", state: "SUCCEEDED" }]);
    expect(after.events.nodes.at(-1)).toEqual({ type: "payment.captured", actor: "provider_webhook" });
  });

  test("WEBSIG-01: what is forged, stale, foreign or too large is refused, and nothing of it is stored", async () => {
    await open();
    const body = eventAbout({ object: "payment_intent", id: "pi_1" });
    const now = Math.floor(Date.now() / 1_000);
    const as = (signature: string, text = body, to: Pick<Account, "id"> = account) =>
      post(house, to, text, { "stripe-signature": signature });
    expect(await post(house, account, body, {})).toBe(400);
    for (const bad of ["", "abc", `t=${now},v1=${"z".repeat(64)}`, `t=NaN,v1=${"0".repeat(64)}`])
      expect(await as(bad)).toBe(400);
    expect(await as(sign(body, account.secret, now - 301))).toBe(400);
    expect(await as(sign(body, account.secret, now + 310))).toBe(400);
    expect(await as(sign(body, "whsec_other"))).toBe(400);
    expect(await as(sign(body, account.secret), `${body} `)).toBe(400);
    const live = eventAbout({ object: "payment_intent", id: "pi_1" }, { livemode: true });
    expect(await as(sign(live, account.secret), live)).toBe(400);
    const nobody = { id: `${account.id.slice(0, -1)}${account.id.endsWith("0") ? "1" : "0"}` };
    expect(await as(sign(body, account.secret), body, nobody)).toBe(404);
    expect(await as(sign(body, account.secret), body, { id: "pa_nobody" })).toBe(404);
    const large = eventAbout({ object: "payment_intent", id: "pi_1", filler: "x".repeat(524_288) });
    expect(await as(sign(large, account.secret), large)).toBe(413);
    expect(await inbox()).toEqual([]);
    expect(await as(sign(body, account.secret))).toBe(200);
    expect(await inbox()).toHaveLength(1);
  });

  test("30 copies at once are one row and one effect", async () => {
    await open();
    const made = await create("copies");
    await atProvider(house, account, "/v1/refunds", {
      payment_intent: made.payment.providerReference ?? "",
      amount: "300",
    });
    const [told] = (await atProvider(house, account, "/v1/events?type=refund.created")).data as {
      id: string;
    }[];
    const body = JSON.stringify(await atProvider(house, account, `/v1/events/${told?.id}`));
    startWork();
    const answers = await Promise.all(Array.from({ length: 30 }, () => deliver(house, account, body)));
    expect(new Set(answers)).toEqual(new Set([200]));
    await untilInbox((rows) => rows.length === 2 && allApplied(rows));
    expect((await inbox()).filter(({ type }) => type === "refund.created")).toHaveLength(1);
    const after = await life(made.payment.id);
    expect(after).toMatchObject({ status: "PARTIALLY_REFUNDED", refundedAmount: { minorUnits: "300" } });
    expect(typesOf(after).filter((type) => type === "refund.succeeded")).toHaveLength(1);
  });

  test("WH-10: an event that could not be applied stays with its error, and its resend is applied to the end", async () => {
    await open({ PROVIDER_TIMEOUT_MS: "1000", LEASE: "30s", ANSWER_WITHIN_MS: "500" });
    const made = await create("resent", card("10", {}, "pm_sandbox_timeoutAfterCharge"));
    await untilInbox((rows) => rows.length === 1);
    house.meddler.decide(({ method }) => (method === "GET" ? { status: 500, body: "{}" } : "pass"));
    startWork();
    const [failed] = await untilInbox(([row]) => (row?.tries ?? 0) > 1 && row?.last_error !== null);
    expect(failed).toMatchObject({ state: "RECEIVED" });
    expect((await life(made.payment.id)).capturedAmount.minorUnits).toBe("0");
    await worker?.stop();
    await house.app.db.query("update inbox set due_at = now() + interval '1 day', lease_token = null");
    house.meddler.decide(() => "pass");
    startWork();
    const body = JSON.stringify(await atProvider(house, account, `/v1/events/${failed?.event_id}`));
    expect(await deliver(house, account, body)).toBe(200);
    await untilInbox(allApplied);
    expect(await life(made.payment.id)).toMatchObject({ status: "CAPTURED" });
  });
});

describe("what is applied", () => {
  test("an event 3 s before its payment waits for it", async () => {
    await open();
    startWork();
    await create("template");
    const sent = house.meddler.seen.find(({ key: one }) => one?.startsWith("uvz"));
    const merchantId = decodeId("mer", house.credentials.merchant) ?? "";
    const parts = (idempotencyKey: string) =>
      attemptReference({ merchantId, scope: ["CREATE_PAYMENT", ""], key: idempotencyKey, attempt: 1 });
    expect(sent?.key).toBe(parts("template"));
    // The provider has the payment, and tells of it, before we know of it: the very request that we shall send.
    const reference = parts("early");
    const answer = await fetch(`${house.sandboxUrl}/v1/payment_intents`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "idempotency-key": reference },
      body: new URLSearchParams(sent?.body.replaceAll(parts("template"), reference)).toString(),
    });
    const { id } = (await answer.json()) as { id: string };
    const begun = performance.now();
    const [early] = await until(
      async () => (await inbox()).filter((row) => row.subject.reference === id),
      ([row]) => performance.now() - begun > 3_000 && (row?.tries ?? 0) > 1,
      10_000,
    );
    expect(early).toMatchObject({ state: "RECEIVED", last_error: expect.stringContaining("no attempt") });
    house.meddler.decide(({ method, key: one }) =>
      method === "POST" && one === reference ? "refuse" : "pass",
    );
    const made = await create("early");
    await untilInbox(allApplied);
    expect(await life(made.payment.id)).toMatchObject({ status: "CAPTURED" });
    expect((await ledgerOf(house.sandboxUrl)).charges).toHaveLength(2);
  });

  test("what tells of our own doing, as it was answered, asks the provider for nothing; what differs does", async () => {
    await open();
    const { payment } = await create("own", card("10", { captureMode: "MANUAL" }));
    await capture("own-part", payment.id, "4.00");
    await refund("own-refund", payment.id, "1.00");
    const reads = () => house.meddler.seen.filter(({ method }) => method === "GET").length;
    const before = reads();
    const own = ["payment_intent.amount_capturable_updated", "payment_intent.succeeded", "refund.created"];
    await untilInbox((rows) => own.every((type) => rows.some((row) => row.type === type)));
    await house.app.db.query("delete from inbox where type = $1", [own[0]]);
    startWork();
    await untilInbox(allApplied);
    expect(reads()).toBe(before);
    const form = { payment_intent: payment.providerReference ?? "", amount: "100" };
    await atProvider(house, account, "/v1/refunds", form);
    await untilLife(payment.id, ({ refundedAmount }) => refundedAmount.minorUnits === "200");
    expect(reads()).toBeGreaterThan(before);
  });

  test("what is not ours is ignored; what bears our mark and matches nothing for an hour is unattributed", async () => {
    await open();
    const pay = (over: Record<string, string>) =>
      atProvider(house, account, "/v1/payment_intents", {
        amount: "500",
        currency: "brl",
        confirm: "true",
        payment_method: "pm_card_visa",
        ...over,
      });
    await pay({});
    await pay({ "metadata[umavez_reference]": "uvzsomebody" });
    startWork();
    await untilInbox((rows) => rows.length === 2 && rows.every((row) => row.last_error !== null));
    expect((await inbox()).map(({ state }) => state).sort()).toEqual(["IGNORED", "RECEIVED"]);
    await house.app.db.query("update inbox set received_at = now() - interval '61 minutes'");
    await untilInbox((rows) => rows.some((row) => row.state === "UNATTRIBUTED"));
    expect((await inbox()).map(({ state }) => state).sort()).toEqual(["IGNORED", "UNATTRIBUTED"]);
  });

  test("a refund that was made at the provider is one of the payment's, and bounds what we may give back", async () => {
    await open();
    startWork();
    const { payment } = await create("adopted");
    const form = { payment_intent: payment.providerReference ?? "", amount: "400" };
    await atProvider(house, account, "/v1/refunds", form);
    const after = await untilLife(payment.id, ({ status }) => status === "PARTIALLY_REFUNDED");
    expect(after.refunds.nodes).toEqual([
      { status: "SUCCEEDED", idempotencyKey: null, amount: { minorUnits: "400" } },
    ]);
    expect(after.refundableAmount.minorUnits).toBe("600");
    expect(typesOf(after).slice(-2)).toEqual(["refund.created", "refund.succeeded"]);
    const refused = await refund("too-much", payment.id, "6.01");
    expect(refused.errors?.[0]?.extensions.code).toBe("INVALID_STATE");
    await refund("rest", payment.id, "6.00");
    await untilInbox(allApplied);
    expect(await life(payment.id)).toMatchObject({
      status: "REFUNDED",
      refundedAmount: { minorUnits: "1000" },
    });
  });

  test("WH-05: refunds that fail late, ours and the provider's own, are reversed, and the status follows", async () => {
    await open();
    startWork();
    const { payment } = await create("reversed", card("10", {}, "pm_card_refundFail"));
    await refund("ours", payment.id, "3.00");
    const form = { payment_intent: payment.providerReference ?? "", amount: "700" };
    await atProvider(house, account, "/v1/refunds", form);
    const back = await untilLife(
      payment.id,
      ({ events }) => events.nodes.filter(({ type }) => type === "refund.reversed").length === 2,
    );
    expect(back).toMatchObject({
      status: "CAPTURED",
      refundedAmount: { minorUnits: "0" },
      refundableAmount: { minorUnits: "1000" },
    });
    expect(back.refunds.nodes.map(({ status }) => status)).toEqual(["FAILED", "FAILED"]);
    expect(typesOf(back)).toEqual(expect.arrayContaining(["refund.succeeded", "refund.reversed"]));
    await untilInbox(allApplied);
  });

  test.each(["won", "lost"])("WH-05: a dispute is opened and %s", async (outcome) => {
    await open();
    startWork();
    const { payment } = await create("disputed", card("10", {}, "pm_card_createDispute"));
    const opened = await untilLife(payment.id, (now) => typesOf(now).includes("dispute.opened"));
    expect(opened).toMatchObject({
      status: "CAPTURED",
      disputedAmount: { minorUnits: "1000" },
      refundableAmount: { minorUnits: "0" },
    });
    const closed = await fetch(`${house.sandboxUrl}/_sandbox/dispute`, {
      method: "POST",
      body: JSON.stringify({ paymentIntent: payment.providerReference, outcome }),
    });
    expect(closed.status).toBe(200);
    const [disputed, refundable] = outcome === "won" ? ["0", "1000"] : ["1000", "0"];
    const after = await untilLife(payment.id, (now) => typesOf(now).includes(`dispute.${outcome}`));
    expect(after).toMatchObject({
      disputedAmount: { minorUnits: disputed },
      refundableAmount: { minorUnits: refundable },
    });
    await untilInbox(allApplied);
  });

  test("WH-04: an amount or a currency that contradicts ours is never applied: CONFLICTED", async () => {
    await open();
    await setFaults(house.sandboxUrl, { down: true });
    const made = await Promise.all(["more", "less", "other"].map((name) => create(name)));
    await setFaults(house.sandboxUrl, { down: false });
    const shown = { more: ["1001", "brl"], less: ["1", "brl"], other: ["1000", "usd"] };
    for (const [i, [amount, currency]] of Object.values(shown).entries())
      await atProvider(house, account, "/v1/payment_intents", {
        amount: amount ?? "",
        currency: currency ?? "",
        confirm: "true",
        payment_method: "pm_card_visa",
        "metadata[umavez_reference]": made[i]?.operation.attempts[0]?.reference ?? "",
      });
    startWork();
    await untilInbox((rows) => rows.length === 3 && allApplied(rows));
    for (const { payment } of made)
      expect(await life(payment.id)).toMatchObject({
        status: "CONFLICTED",
        capturedAmount: { minorUnits: "0" },
      });
  });

  test("STATE-01: a webhook during a slow capture: neither write erases the other, and it happens once", async () => {
    await open();
    startWork();
    const { payment } = await create("slow", card("10", { captureMode: "MANUAL" }));
    await setFaults(house.sandboxUrl, { webhookBeforeReply: 1, replyLost: 1, webhookDuplicate: 1 });
    const captured = await send(
      house.url,
      key(),
      `mutation C($key: IdempotencyKey!, $input: CapturePaymentInput!) {
        capturePayment(idempotencyKey: $key, input: $input) { operation { state } }
      }`,
      { key: "slow-capture", input: { paymentId: payment.id } },
    );
    expect(captured.errors).toBeUndefined();
    await setFaults(house.sandboxUrl, { webhookBeforeReply: 0, replyLost: 0, webhookDuplicate: 0 });
    const form = { payment_intent: payment.providerReference ?? "", amount: "1000" };
    await atProvider(house, account, "/v1/refunds", form);
    const after = await untilLife(
      payment.id,
      ({ status, operations }) =>
        status === "REFUNDED" && operations.nodes.every(({ state }) => state === "SUCCEEDED"),
    );
    expect(typesOf(after)).toEqual([
      "payment.created",
      "payment.authorized",
      "payment.captured",
      "refund.created",
      "refund.succeeded",
    ]);
    expect((await ledgerOf(house.sandboxUrl)).calls.capture).toBe(1);
  });
});

test("WH-05: one payment's webhooks, in any order and number, end in the same state", async () => {
  house = await openHouse({}, { worker: false, webhooks: true });
  account = await accountOf(house);
  startWork();
  // What happens at the provider while nobody hears of it.
  const { payment } = await create("permuted", card("10", {}, "pm_card_createDispute"));
  const provider = payment.providerReference ?? "";
  await atProvider(house, account, "/v1/refunds", { payment_intent: provider, amount: "100" });
  await atProvider(house, account, "/v1/refunds", { payment_intent: provider, amount: "200" });
  const bodies = await until(
    async () => (await atProvider(house, account, "/v1/events?limit=100")).data as { type: string }[],
    (events) => events.some(({ type }) => type === "charge.dispute.created"),
    5_000,
  );
  // A refund is told twice, and we listen to one of them; below both are delivered.
  const heard = bodies.filter(({ type }) => type !== "charge.refunded");
  await untilInbox((rows) => rows.length === heard.length && allApplied(rows));
  const stateOf = async (id: string) => {
    const { refunds, ...now } = await life(id);
    // Refunds and events stand in the order in which they were heard of.
    const amounts = refunds.nodes.map(({ amount }) => amount.minorUnits).sort();
    return { ...now, refunds: amounts, events: typesOf(now as Life).sort() };
  };
  const wanted = await stateOf(payment.id);
  expect(wanted).toMatchObject({ status: "PARTIALLY_REFUNDED", refundedAmount: { minorUnits: "300" } });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(bodies.length - 1), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (order, forgetFirst) => {
        // Once more from the beginning: as after the create, with nothing heard.
        if (forgetFirst) await forget(payment.id);
        else await house.app.db.query("delete from inbox");
        const all = [...order, ...bodies.keys()];
        await Promise.all(all.map((i) => deliver(house, account, JSON.stringify(bodies[i]))));
        await untilInbox((rows) => rows.length === bodies.length && allApplied(rows));
        expect(await stateOf(payment.id)).toEqual(wanted);
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);

/** Puts a payment back to how it stood after its create: before anything that followed was heard of. */
async function forget(id: string): Promise<void> {
  const uuid = decodeId("pay", id);
  const { db } = house.app;
  await db.query("delete from inbox");
  await db.query("delete from refunds where payment_id = $1", [uuid]);
  await db.query("delete from disputes where payment_id = $1", [uuid]);
  await db.query("delete from payment_events where payment_id = $1 and sequence > 2", [uuid]);
  await db.query(
    "update payments set status = 'CAPTURED', version = 2, event_count = 2, refunded = 0, refunding = 0, disputed = 0 where id = $1",
    [uuid],
  );
}
