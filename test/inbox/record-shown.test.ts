import { inTransaction } from "../../src/db/transaction";
import { recordShown } from "../../src/payments/record-shown";
import type { RefundSnapshot, Snapshot } from "../../src/providers/provider";
import { decodeId, newUuid } from "../../src/shared/ids";
import { card, CREATE, send, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
beforeEach(async () => (house = await openHouse({}, { worker: false })));
afterEach(() => house.close());

test("STATE-01: an answer that was given before the payment changed is not recorded after it", async () => {
  const { app, url, credentials } = house;
  const reply = await send<Created>(url, credentials.keys.payments, CREATE, { key: "k", input: card("10") });
  const { payment, operation } = reply.data!.createPayment!;
  const merchantId = decodeId("mer", credentials.merchant) ?? "";
  const paymentId = decodeId("pay", payment.id) ?? "";
  const money = { minor: 1_000n, currency: "BRL" };
  const captured: Snapshot = {
    ...{ reference: payment.providerReference ?? "", ours: null, state: "captured", capturedBy: null },
    ...{ amount: money, authorized: money, captured: money, refunded: { ...money, minor: 0n } },
    ...{ card: null, code: null, nextAction: null, failure: null, asOf: new Date() },
  };
  const refund = (state: RefundSnapshot["state"]): RefundSnapshot => ({
    ...{ reference: "re_1", payment: captured.reference, ours: null, state, amount: money },
    ...{ failure: null, asOf: new Date() },
  });
  const told = (version: number, state: RefundSnapshot["state"]) => ({
    create: {
      ...{ paymentId, operationId: decodeId("op", operation.id) ?? "", attempt: 1, leaseToken: newUuid() },
      actor: "provider_webhook" as const,
    },
    ...{ version, snapshot: captured, refunds: [refund(state)], dispute: null },
  });
  const record = (version: number, state: RefundSnapshot["state"]) =>
    inTransaction(app.db, merchantId, (tx) => recordShown(tx, told(version, state)));
  const row = async () =>
    (
      await app.db.query<{ version: number; status: string; refunded: string }[]>("select * from payments")
    )[0]!;

  expect(await record((await row()).version, "succeeded")).toBe(true);
  const asked = (await row()).version;
  expect(await row()).toMatchObject({ status: "REFUNDED", refunded: "1000" });
  expect(await record(asked, "failed")).toBe(true);
  // Asked at the same time, when the refund had not failed yet; recorded last.
  expect(await record(asked, "succeeded")).toBe(false);
  expect(await row()).toMatchObject({ status: "CAPTURED", refunded: "0" });
});
