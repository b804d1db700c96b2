import { card, CREATE, ledgerOf, send, until, type Created } from "../support/client";
import { openHouse, type House } from "../support/gateway";

let house: House;
let key: string;
beforeAll(async () => {
  // The provider's deadline is shortened so that one minute holds every fault; the schedule of recovery is the real one.
  house = await openHouse({ PROVIDER_TIMEOUT_MS: "3500", ANSWER_WITHIN_MS: "3000", DATABASE_POOL: "20" });
  key = house.credentials.keys.payments;
});
afterAll(() => house.close());

const PAYMENTS = 20;
const DEFINITE_WITHIN_MS = 60_000;

const FAULTS: Record<string, string> = {
  pm_sandbox_replyLost: "CAPTURED",
  pm_sandbox_timeoutAfterCharge: "CAPTURED",
  pm_sandbox_truncatedReply: "CAPTURED",
  pm_sandbox_error500AfterCharge: "CAPTURED",
  pm_sandbox_error500BeforeCharge: "FAILED",
  pm_sandbox_dropBeforeCharge: "CAPTURED",
  pm_sandbox_slow: "CAPTURED",
  pm_sandbox_wrongAmount: "CONFLICTED",
};

const READ = `query ($id: ID!) { payment(by: { id: $id }) { id status providerReference failure { kind code retryAdvice } } }`;
interface Read {
  payment: {
    id: string;
    status: string;
    providerReference: string | null;
    failure: { retryAdvice: string } | null;
  };
}

const INDEFINITE = ["PROCESSING", "IN_DOUBT"];

test("AMB-01, AMB-02: each fault, 20 payments: never twice, nothing FAILED that was charged, all definite in a minute", async () => {
  const begun = performance.now();
  const tokens = Object.keys(FAULTS);
  const made = await Promise.all(
    tokens.flatMap((token) =>
      Array.from({ length: PAYMENTS }, async (_, i) => {
        const reply = await send<Created>(house.url, key, CREATE, {
          key: `${token}-${i}`,
          input: card("10.00", {}, token),
        });
        return { token, reply, payment: reply.data?.createPayment?.payment };
      }),
    ),
  );
  for (const { reply, token } of made) {
    expect({ token, errors: reply.errors }).toEqual({ token, errors: undefined });
    expect(reply.data?.createPayment?.payment.status).not.toBe("FAILED");
  }

  const left = DEFINITE_WITHIN_MS - (performance.now() - begun);
  const read = () =>
    Promise.all(
      made.map(async ({ token, payment }) => {
        const reply = await send<Read>(house.url, key, READ, { id: payment?.id });
        return { token, ...(reply.data as Read).payment };
      }),
    );
  const ended = await until(read, (all) => all.every(({ status }) => !INDEFINITE.includes(status)), left);

  const { charges } = await ledgerOf(house.sandboxUrl);
  const references = charges.map((charge) => charge.reference);
  expect(new Set(references).size).toBe(references.length);
  for (const { token, status, providerReference, failure } of ended) {
    const charge = charges.find((one) => one.paymentIntent === providerReference);
    expect({ token, status }).toEqual({ token, status: FAULTS[token] });
    expect({ token, charged: charge !== undefined }).toEqual({ token, charged: status !== "FAILED" });
    if (status === "FAILED") expect(failure?.retryAdvice).toBe("LATER");
    if (status === "CAPTURED") expect(charge?.amount).toBe(1000);
  }
}, 90_000);
