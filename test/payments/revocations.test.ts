import {
  CAPTURE,
  card,
  CREATE,
  ledgerOf,
  REFUND,
  send,
  until,
  type Changed,
  type Created,
} from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
beforeAll(async () => (house = await openHouse({}, { webhooks: true })));
afterAll(() => house.close());

const key = () => house.credentials.keys.payments;

const LIFE = /* GraphQL */ `
  query Life($id: ID!) {
    payment(by: { id: $id }) {
      status
      failure {
        code
      }
      availableActions
      capturedAmount {
        amount
      }
      refundedAmount {
        amount
      }
      refundableAmount {
        amount
      }
      events(first: 100) {
        nodes {
          type
          status
          actor
          amount {
            amount
          }
        }
      }
      operations(first: 100) {
        nodes {
          kind
          state
          result {
            paymentStatus
            capturedAmount {
              amount
            }
          }
        }
      }
    }
  }
`;

interface Life {
  payment: {
    status: string;
    events: { nodes: { type: string; status: string; actor: string; amount: { amount: string } }[] };
  };
}

async function pay(name: string, input: Record<string, unknown>) {
  const reply = await send<Created>(house.url, key(), CREATE, { key: name, input });
  const { id, providerReference } = reply.data!.createPayment!.payment;
  return { id, intent: providerReference ?? "" };
}

async function change(document: string, name: string, input: Record<string, unknown>): Promise<void> {
  const reply = await send<Changed>(house.url, key(), document, { key: name, input });
  expect(reply.data?.change?.operation.state).toBe("SUCCEEDED");
}

/** The provider takes back, and tells of it. */
async function revoke(paymentIntent: string, amount?: number): Promise<void> {
  const body = JSON.stringify({ paymentIntent, amount });
  const done = await fetch(`${house.sandboxUrl}/_sandbox/revoke`, { method: "POST", body });
  expect(done.status).toBe(200);
}

const untilRevoked = (id: string) =>
  until(
    async () => (await send<Life>(house.url, key(), LIFE, { id })).data!.payment,
    ({ events }) => events.nodes.some(({ type }) => type === "payment.capture_failed"),
    20_000,
  );

const brl = (amount: string) => ({ amount, currency: "BRL" });

test("STATE-01: a capture that the provider revokes is money that is not there: FAILED, and the order can be paid again", async () => {
  const order = { order: { reference: "revoked-order" } };
  const { id, intent } = await pay("revoked", card("10", order));
  await revoke(intent);

  const life = await untilRevoked(id);
  expect(life).toMatchObject({
    status: "FAILED",
    failure: { code: "other" },
    availableActions: [],
    capturedAmount: { amount: "0.00" },
    refundableAmount: { amount: "0.00" },
    // How the operation ended stays as it was.
    operations: {
      nodes: [
        { state: "SUCCEEDED", result: { paymentStatus: "CAPTURED", capturedAmount: { amount: "10.00" } } },
      ],
    },
  });
  expect(life.events.nodes.at(-1)).toEqual({
    type: "payment.capture_failed",
    status: "FAILED",
    actor: "provider_webhook",
    amount: { amount: "10.00" },
  });
  const { charges } = await ledgerOf(house.sandboxUrl);
  expect(charges.find(({ paymentIntent }) => paymentIntent === intent)?.captured).toBe(0);

  const again = await pay("revoked-again", card("10", order));
  expect(again.id).not.toBe(id);
});

test("what is left after a part was revoked can be given back, and no more", async () => {
  const { id, intent } = await pay("part", card("10"));
  await change(REFUND, "part-4", { paymentId: id, amount: brl("4") });
  await revoke(intent, 500);
  expect(await untilRevoked(id)).toMatchObject({
    status: "PARTIALLY_REFUNDED",
    capturedAmount: { amount: "5.00" },
    refundedAmount: { amount: "4.00" },
    refundableAmount: { amount: "1.00" },
  });
  const tooMuch = { key: "part-2", input: { paymentId: id, amount: brl("2") } };
  const refused = await send<Changed>(house.url, key(), REFUND, tooMuch);
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_STATE" });
  await change(REFUND, "part-1", { paymentId: id, amount: brl("1") });
});

test("what is held stays held when the part that was captured is revoked", async () => {
  const { id, intent } = await pay("held", card("10", { captureMode: "MANUAL" }));
  await change(CAPTURE, "held-3", { paymentId: id, amount: brl("3"), final: false });
  await revoke(intent);
  expect(await untilRevoked(id)).toMatchObject({
    status: "AUTHORIZED",
    capturedAmount: { amount: "0.00" },
    availableActions: ["CAPTURE", "CANCEL"],
  });
  await change(CAPTURE, "held-rest", { paymentId: id });
  expect((await send<Life>(house.url, key(), LIFE, { id })).data?.payment).toMatchObject({
    status: "CAPTURED",
    capturedAmount: { amount: "7.00" },
  });
});
