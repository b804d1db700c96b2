import { inTransaction } from "../../src/db/transaction";
import { recordOutcome } from "../../src/payments/record-outcome";
import { recordShown } from "../../src/payments/record-shown";
import type { Evidence, RefundSnapshot, Snapshot } from "../../src/providers/provider";
import { decodeId, encodeId, newUuid } from "../../src/shared/ids";
import { CAPTURE, card, CREATE, send, type Changed, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
beforeEach(async () => (house = await openHouse({}, { worker: false })));
afterEach(() => house.close());

/** A payment of 10.00, captured where nothing else is said, and what its provider is said to show of it. */
async function capturedPayment(over: Record<string, unknown> = {}) {
  const { app, url, credentials } = house;
  const reply = await send<Created>(url, credentials.keys.payments, CREATE, {
    key: "k",
    input: card("10", over),
  });
  const { payment, operation } = reply.data!.createPayment!;
  const merchantId = decodeId("mer", credentials.merchant) ?? "";
  const money = (minor: bigint) => ({ minor, currency: "BRL" });
  const create = {
    paymentId: decodeId("pay", payment.id) ?? "",
    operationId: decodeId("op", operation.id) ?? "",
    ...{ attempt: 1, leaseToken: newUuid(), actor: "provider_webhook" as const },
  };
  const captured = (minor: bigint): Snapshot => ({
    ...{ reference: payment.providerReference ?? "", ours: null, capturedBy: null },
    state: minor === 0n ? "failed" : "captured",
    ...{ amount: money(1_000n), authorized: money(minor), captured: money(minor), refunded: money(0n) },
    ...{ card: null, code: null, nextAction: null, failure: null, asOf: new Date() },
  });
  const refund = (state: RefundSnapshot["state"]): RefundSnapshot => ({
    ...{
      reference: "re_1",
      payment: payment.providerReference ?? "",
      ours: null,
      state,
      amount: money(1_000n),
    },
    ...{ failure: null, asOf: new Date() },
  });
  const show = (version: number, snapshot: Snapshot, refunds: RefundSnapshot[] = []) =>
    inTransaction(app.db, merchantId, (tx) =>
      recordShown(tx, { create, version, snapshot, refunds, dispute: null }),
    );
  const answer = (snapshot: Snapshot, evidence: Evidence, operationId = create.operationId) =>
    inTransaction(app.db, merchantId, (tx) =>
      recordOutcome(tx, { ...create, operationId, outcome: { kind: "happened", snapshot, evidence } }),
    );
  const row = async () =>
    (
      await app.db.query<{ version: number; status: string; captured: string; refunded: string }[]>(
        "select * from payments",
      )
    )[0]!;
  return { captured, refund, show, answer, row };
}

test("STATE-01: an answer that was given before the payment changed is not recorded after it", async () => {
  const { captured, refund, show, row } = await capturedPayment();
  expect(await show((await row()).version, captured(1_000n), [refund("succeeded")])).toBe(true);
  const asked = (await row()).version;
  expect(await row()).toMatchObject({ status: "REFUNDED", refunded: "1000" });
  expect(await show(asked, captured(1_000n), [refund("failed")])).toBe(true);
  // Asked at the same time, when the refund had not failed yet; recorded last.
  expect(await show(asked, captured(1_000n), [refund("succeeded")])).toBe(false);
  expect(await row()).toMatchObject({ status: "CAPTURED", refunded: "0" });
});

test.each(["reply", "retrieved"] as const)(
  "what was captured is revoked: a %s from before is older",
  async (evidence) => {
    const { captured, show, answer, row } = await capturedPayment();
    const asked = (await row()).version;
    expect(await show(asked, captured(0n))).toBe(true);
    expect(await row()).toMatchObject({ status: "FAILED", captured: "0" });
    await answer(captured(1_000n), evidence);
    expect(await show(asked, captured(1_000n))).toBe(false);
    expect(await row()).toMatchObject({ status: "FAILED", captured: "0" });
    // Asked afterwards, the provider shows that it was paid after all.
    expect(await show((await row()).version, captured(1_000n))).toBe(true);
    expect(await row()).toMatchObject({ status: "CAPTURED", captured: "1000" });
  },
);

test("nothing goes back while a capture or a cancel runs: its effect may be older than what is shown", async () => {
  const { captured, show, row } = await capturedPayment();
  await house.app.db.query("update payments set changing = $1", [newUuid()]);
  expect(await show((await row()).version, captured(400n))).toBe(false);
  await house.app.db.query("update payments set changing = null");
  expect(await show((await row()).version, captured(400n))).toBe(true);
  expect(await row()).toMatchObject({ status: "CAPTURED", captured: "400" });
});

test("a capture that is revoked after its money was given back is for an operator to decide", async () => {
  const { captured, refund, show, row } = await capturedPayment();
  expect(await show((await row()).version, captured(1_000n), [refund("succeeded")])).toBe(true);
  expect(await show((await row()).version, captured(400n))).toBe(true);
  expect(await row()).toMatchObject({ status: "CONFLICTED", captured: "1000", refunded: "1000" });
});

test("a capture's reply that comes after its part has been revoked is older, though more is still held", async () => {
  const { captured, show, answer, row } = await capturedPayment({ captureMode: "MANUAL" });
  const { url, credentials } = house;
  const [{ id }] = (await house.app.db.query("select id from payments")) as [{ id: string }];
  const part = { paymentId: encodeId("pay", id), amount: { amount: "3", currency: "BRL" }, final: false };
  const reply = await send<Changed>(url, credentials.keys.payments, CAPTURE, { key: "k", input: part });
  const operationId = decodeId("op", reply.data!.change!.operation.id) ?? "";
  const held = (minor: bigint): Snapshot => ({
    ...captured(minor),
    ...{ state: "authorized", authorized: { minor: 1_000n, currency: "BRL" } },
  });
  expect(await row()).toMatchObject({ status: "PARTIALLY_CAPTURED", captured: "300" });
  expect(await show((await row()).version, held(0n))).toBe(true);
  await answer(held(300n), "reply", operationId);
  expect(await row()).toMatchObject({ status: "AUTHORIZED", captured: "0" });
});
