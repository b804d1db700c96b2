import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import Stripe from "stripe";
import { startSandbox, type Sandbox } from "../../src/sandbox/server";
import { setFaults, until } from "../support/client";

/** A receiver of webhooks, which says what it answers. */
interface Receiver {
  url: string;
  got: { body: string; signature: string; event: Stripe.Event }[];
  status: number;
  close(): Promise<void>;
}

let dataDir: string;
let sandbox: Sandbox;
let receiver: Receiver;
beforeEach(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-sandbox-"));
  sandbox = await startSandbox({ port: 0, dataDir });
  receiver = await startReceiver();
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: "", got: [], status: 200, close: async () => undefined };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const signature = String(request.headers["stripe-signature"]);
      receiver.got.push({ body, signature, event: JSON.parse(body) as Stripe.Event });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  receiver.close = () =>
    new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections()));
  return receiver;
}

const stripe = () =>
  new Stripe("sk_test_aaaaaaaa1", {
    host: "127.0.0.1",
    port: sandbox.port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });

const listen = (events: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ["*"]) =>
  stripe().webhookEndpoints.create({ url: receiver.url, enabled_events: events });

const pay = (token = "pm_card_visa", over: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe().paymentIntents.create({
    amount: 1_050,
    currency: "brl",
    confirm: true,
    payment_method: token,
    ...over,
  });

const types = () => receiver.got.map(({ event }) => event.type);
const untilTypes = (...wanted: string[]) =>
  until(
    async () => types().sort(),
    (seen) => JSON.stringify(seen) === JSON.stringify([...wanted].sort()),
    8_000,
  );

test("an endpoint is made once for each address, and what it gets bears a signature that the SDK verifies", async () => {
  const [one, two] = [await listen(), await listen()];
  expect([two.id, two.secret]).toEqual([one.id, one.secret]);
  const intent = await pay();
  await untilTypes("payment_intent.succeeded");
  const [{ body, signature } = { body: "", signature: "" }] = receiver.got;
  const event = Stripe.webhooks.constructEvent(body, signature, one.secret ?? "");
  expect(event).toMatchObject({ livemode: false, data: { object: { id: intent.id, status: "succeeded" } } });
  expect(() => Stripe.webhooks.constructEvent(`${body} `, signature, one.secret ?? "")).toThrow();
  expect(await stripe().events.retrieve(event.id)).toMatchObject({ id: event.id, type: event.type });
  expect((await stripe().events.list()).data.map(({ id }) => id)).toEqual([event.id]);
});

test("every change has its events: held, taken, called off, declined, given back, and what failed later", async () => {
  await listen();
  const { paymentIntents, refunds } = stripe();
  const held = await pay("pm_card_refundFail", { capture_method: "manual" });
  await paymentIntents.capture(held.id);
  await paymentIntents.cancel((await pay("pm_card_visa", { capture_method: "manual" })).id);
  await pay("pm_card_visa_chargeDeclined").catch(() => undefined);
  await refunds.create({ payment_intent: held.id, amount: 50 });
  await untilTypes(
    "payment_intent.amount_capturable_updated",
    "payment_intent.succeeded",
    "payment_intent.amount_capturable_updated",
    "payment_intent.canceled",
    "payment_intent.payment_failed",
    "refund.created",
    "charge.refunded",
    "refund.updated",
    "refund.failed",
  );
});

test("pm_card_createDispute is disputed once it is captured; the control endpoint ends the dispute", async () => {
  await listen(["charge.dispute.created", "charge.dispute.closed"]);
  const intent = await pay("pm_card_createDispute");
  await untilTypes("charge.dispute.created");
  const dispute = receiver.got[0]?.event.data.object as Stripe.Dispute;
  expect(dispute).toMatchObject({ amount: 1_050, status: "needs_response", payment_intent: intent.id });
  const close = (outcome: string) =>
    fetch(`${sandbox.url}/_sandbox/dispute`, {
      method: "POST",
      body: JSON.stringify({ paymentIntent: intent.id, outcome }),
    });
  expect((await close("drawn")).status).toBe(400);
  expect((await close("won")).status).toBe(200);
  expect((await close("lost")).status).toBe(400);
  await untilTypes("charge.dispute.created", "charge.dispute.closed");
  expect(await stripe().disputes.retrieve(dispute.id)).toMatchObject({ status: "won" });
});

test("what a receiver has not taken comes again, over a restart too, with the same id and body", async () => {
  await listen();
  receiver.status = 500;
  await pay();
  await until(
    async () => receiver.got.length,
    (count) => count >= 2,
    8_000,
  );
  await sandbox.close();
  receiver.status = 200;
  const before = receiver.got.length;
  sandbox = await startSandbox({ port: 0, dataDir });
  await until(
    async () => receiver.got.length,
    (count) => count === before + 1,
    8_000,
  );
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
  await sandbox.close();
  sandbox = await startSandbox({ port: 0, dataDir });
  await pay("pm_card_mastercard");
  await until(
    async () => receiver.got.length,
    (count) => count === before + 2,
    8_000,
  );
  expect(receiver.got.at(-1)?.body).not.toBe(receiver.got[0]?.body);
});

test("webhookDuplicate delivers twice, webhookBeforeReply before the caller has its answer", async () => {
  await listen();
  await setFaults(sandbox.url, { webhookDuplicate: 1, webhookBeforeReply: 1 });
  await pay();
  expect(types()).toEqual(["payment_intent.succeeded", "payment_intent.succeeded"]);
  await expect(setFaults(sandbox.url, { webhookOutOfOrder: 2 })).rejects.toThrow(/probability/);
});
