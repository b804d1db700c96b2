import {
  CAPTURE,
  CANCEL,
  card,
  CREATE,
  ledgerOf,
  REFUND,
  send,
  type Changed,
  type Created,
} from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse();
  key = house.credentials.keys.payments;
});
afterAll(() => house.close());

let nth = 0;
const fresh = () => `key-${(nth += 1)}`;

const DECLINED = "pm_card_visa_chargeDeclined";

interface Ordered {
  token?: string;
  allowAnotherPayment?: boolean;
  captureMode?: string;
}

const pay = (reference: string, { token, captureMode, allowAnotherPayment }: Ordered = {}) =>
  send<Created>(house.url, key, CREATE, {
    key: fresh(),
    input: card("10", { order: { reference, allowAnotherPayment }, captureMode }, token),
  });

const paymentOf = (reply: Awaited<ReturnType<typeof pay>>) => reply.data?.createPayment?.payment;
const reasonOf = (reply: Awaited<ReturnType<typeof pay>>) => reply.errors?.[0]?.extensions.reason;
const chargesOf = async () => (await ledgerOf(house.sandboxUrl)).charges.length;

describe("STORE-01: an order has one live payment", () => {
  test("50 calls with 50 keys for one order: one pays, the others are told which", async () => {
    const before = await chargesOf();
    const all = await Promise.all(Array.from({ length: 50 }, () => pay("order-1")));
    const [won] = all.filter((reply) => paymentOf(reply));
    expect(all.filter((reply) => paymentOf(reply))).toHaveLength(1);
    for (const reply of all.filter((one) => one !== won))
      expect(reply.errors?.[0]?.extensions).toMatchObject({
        code: "CONFLICT",
        reason: "ORDER_HAS_LIVE_PAYMENT",
        paymentId: won && paymentOf(won)?.id,
        operationId: won?.data?.createPayment?.operation.id,
        retryable: false,
      });
    expect((await chargesOf()) - before).toBe(1);
  });

  test("the refused key stays unused: it pays once the order is free", async () => {
    const held = paymentOf(await pay("order-2", { captureMode: "MANUAL" }));
    const mine = fresh();
    const input = card("10", { order: { reference: "order-2" } });
    const refused = await send<Created>(house.url, key, CREATE, { key: mine, input });
    expect(reasonOf(refused)).toBe("ORDER_HAS_LIVE_PAYMENT");
    await send<Changed>(house.url, key, CANCEL, { key: fresh(), input: { paymentId: held?.id } });
    const paid = await send<Created>(house.url, key, CREATE, { key: mine, input });
    expect(paid.data?.createPayment).toMatchObject({ replayed: false, payment: { status: "CAPTURED" } });
  });

  test("a declined payment lets its order go; so does one that was refunded whole, and not one in part", async () => {
    expect(paymentOf(await pay("order-3", { token: DECLINED }))?.status).toBe("FAILED");
    const paid = paymentOf(await pay("order-3"));
    const refund = (amount: string) =>
      send<Changed>(house.url, key, REFUND, {
        key: fresh(),
        input: { paymentId: paid?.id, amount: { amount, currency: "BRL" } },
      });
    await refund("4");
    expect(reasonOf(await pay("order-3"))).toBe("ORDER_HAS_LIVE_PAYMENT");
    await refund("6");
    expect(paymentOf(await pay("order-3"))?.status).toBe("CAPTURED");
  });

  test("another beside it is taken where the caller allows it, and holds the order after it", async () => {
    const first = paymentOf(await pay("order-4", { captureMode: "MANUAL" }));
    const second = paymentOf(await pay("order-4", { allowAnotherPayment: true, captureMode: "MANUAL" }));
    expect(second?.status).toBe("AUTHORIZED");
    const cancel = (paymentId?: string) =>
      send<Changed>(house.url, key, CANCEL, { key: fresh(), input: { paymentId } });
    await cancel(first?.id);
    const refused = await pay("order-4");
    expect(refused.errors?.[0]?.extensions).toMatchObject({ paymentId: second?.id });
    await send<Changed>(house.url, key, CAPTURE, { key: fresh(), input: { paymentId: second?.id } });
    expect(reasonOf(await pay("order-4"))).toBe("ORDER_HAS_LIVE_PAYMENT");
    await send<Changed>(house.url, key, REFUND, { key: fresh(), input: { paymentId: second?.id } });
    expect(paymentOf(await pay("order-4"))?.status).toBe("CAPTURED");
  });

  test("one of many beside it that ends leaves the order to its holder", async () => {
    const first = paymentOf(await pay("order-5"));
    const others = await Promise.all(
      Array.from({ length: 10 }, () => pay("order-5", { allowAnotherPayment: true, token: DECLINED })),
    );
    for (const reply of others) expect(paymentOf(reply)?.status).toBe("FAILED");
    const refused = await pay("order-5");
    expect(refused.errors?.[0]?.extensions).toMatchObject({ paymentId: first?.id });
  });

  test("orders of other merchants, and payments without one, are free", async () => {
    await pay("order-6");
    const other = await send<Created>(house.url, house.credentials.other.keys.payments, CREATE, {
      key: fresh(),
      input: card("10", { order: { reference: "order-6" } }),
    });
    expect(other.data?.createPayment?.payment.status).toBe("CAPTURED");
    for (let i = 0; i < 2; i += 1) {
      const reply = await send<Created>(house.url, key, CREATE, { key: fresh(), input: card("10") });
      expect(reply.data?.createPayment?.payment.status).toBe("CAPTURED");
    }
  });
});
