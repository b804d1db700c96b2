import { Client } from "pg";
import { CREATE, REFUND, ledgerOf, send, until, type Changed, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let database: Client;
beforeAll(async () => {
  house = await openHouse();
  database = new Client({ connectionString: house.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await house.close();
});

const key = () => house.credentials.keys.payments;

/** A Pix of 100 whose payer pays at once. */
async function paidPix(name: string, email: string): Promise<string> {
  const input = {
    amount: { amount: "100", currency: "BRL" },
    method: { pix: {} },
    payer: { email: `${email}@example.com` },
  };
  const create = () => send<Created>(house.url, key(), CREATE, { key: name, input });
  const made = await until(
    create,
    (reply) => Boolean(reply.data?.createPayment?.payment.providerReference),
    20_000,
  );
  const id = made.data?.createPayment?.payment.id ?? "";
  await until(
    async () => {
      await database.query("update payer_polls set due_at = now() where lease_token is null");
      return (await create()).data?.createPayment?.payment.status;
    },
    (status) => status === "CAPTURED",
    20_000,
  );
  return id;
}

const refund = (name: string, paymentId: string, amount: string) =>
  send<Changed>(house.url, key(), REFUND, {
    key: name,
    input: { paymentId, amount: { amount, currency: "BRL" } },
  });

/** Asks again until the refund has ended; a poll that a test does not want to wait for is made due. */
const untilEnded = (name: string, paymentId: string, amount: string) =>
  until(
    async () => {
      await database.query("update unfinished_operations set due_at = now() where lease_token is null");
      return (await refund(name, paymentId, amount)).data?.change;
    },
    (change) => change?.refund?.status === "SUCCEEDED" || change?.refund?.status === "FAILED",
    20_000,
  );

test("REF-03: a refund that the provider works on is pending, and reserves its amount, until it is told to have gone", async () => {
  const id = await paidPix("slow", "succeed_immediately");
  const first = (await refund("slow-1", id, "60")).data?.change;
  expect(first).toMatchObject({
    refund: { status: "PROCESSING" },
    operation: { state: "AWAITING_PROVIDER", result: null },
    payment: {
      status: "CAPTURED",
      refundedAmount: { amount: "0.00" },
      refundableAmount: { amount: "40.00" },
    },
  });
  // A second one beside it is bounded by what the first has reserved.
  const over = await refund("slow-over", id, "41");
  expect(over.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_STATE", available: "40.00" });
  const second = (await refund("slow-2", id, "40")).data?.change;
  expect(second?.refund?.status).toBe("PROCESSING");

  const ended = [await untilEnded("slow-1", id, "60"), await untilEnded("slow-2", id, "40")];
  for (const change of ended)
    expect(change).toMatchObject({ refund: { status: "SUCCEEDED" }, operation: { state: "SUCCEEDED" } });
  expect(ended[1]?.payment).toMatchObject({ status: "REFUNDED", refundedAmount: { amount: "100.00" } });
  expect((await ledgerOf(house.sandboxUrl)).refunds.map(({ amount }) => amount).sort()).toEqual([
    4_000, 6_000,
  ]);
}, 90_000);

test("REF-03: one that is refused in the end gives its reservation back, once", async () => {
  const id = await paidPix("refused", "succeed_immediately_refund_fails");
  expect((await refund("refused-1", id, "70")).data?.change?.refund?.status).toBe("PROCESSING");
  const ended = await untilEnded("refused-1", id, "70");
  expect(ended).toMatchObject({
    refund: { status: "FAILED", failure: { code: "other" } },
    operation: { state: "FAILED", result: { refundStatus: "FAILED" } },
    payment: {
      status: "CAPTURED",
      refundedAmount: { amount: "0.00" },
      refundableAmount: { amount: "100.00" },
    },
  });
}, 90_000);
