import { Client } from "pg";
import { advanceClock, card, ledgerOf, payAtSandbox, send, until, type Reply } from "../support/client";
import { openHouse, type House } from "../support/gateway";

/** The worker polls here; what a test does not want to wait for, it makes due. */
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

const PAYMENT = /* GraphQL */ `
  fragment Payer on Payment {
    id
    status
    version
    methodType
    capturedAmount {
      minorUnits
    }
    refundableAmount {
      minorUnits
    }
    method {
      __typename
      ... on PixMethod {
        copyPaste
        pixUntil: expiresAt
      }
      ... on BoletoMethod {
        digitableLine
        pdfUrl
        boletoUntil: expiresAt
      }
      ... on CardMethod {
        last4
      }
    }
    nextAction {
      kind
      redirectUrl
      expiresAt
    }
    failure {
      kind
      code
    }
    availableActions
    providerReference
    expiresAt
    updatedAt
    events {
      nodes {
        type
        status
        actor
      }
    }
  }
`;

interface Payment {
  id: string;
  status: string;
  version: number;
  methodType: string;
  capturedAmount: { minorUnits: string };
  refundableAmount: { minorUnits: string };
  method: Record<string, string | null>;
  nextAction: { kind: string; redirectUrl: string | null; expiresAt: string | null } | null;
  failure: { kind: string; code: string } | null;
  availableActions: string[];
  providerReference: string;
  expiresAt: string | null;
  updatedAt: string;
  events: { nodes: { type: string; status: string; actor: string }[] };
}

interface Made {
  replayed: boolean;
  payment: Payment;
  operation: { state: string; result: { paymentStatus: string; nextAction: { kind: string } | null } | null };
}

const CREATE = /* GraphQL */ `
  ${PAYMENT}
  mutation ($key: IdempotencyKey!, $input: CreatePaymentInput!) {
    createPayment(idempotencyKey: $key, input: $input) {
      replayed
      payment {
        ...Payer
      }
      operation {
        state
        result {
          paymentStatus
          nextAction {
            kind
          }
        }
      }
    }
  }
`;

let keys = 0;
const newKey = () => `payer-${(keys += 1)}`;
const call = <D>(query: string, variables: Record<string, unknown>): Promise<Reply<D>> =>
  send<D>(house.url, house.credentials.keys.payments, query, variables);

async function create(input: Record<string, unknown>, key = newKey()): Promise<Made> {
  const reply = await call<{ createPayment: Made }>(CREATE, { key, input });
  expect(reply.errors).toBeUndefined();
  return reply.data!.createPayment;
}

const find = async ({ id }: { id: string }): Promise<Payment> => {
  const query = `${PAYMENT} query ($id: ID!) { payment(by: { id: $id }) { ...Payer } }`;
  return (await call<{ payment: Payment }>(query, { id })).data!.payment;
};

/** Made where it is asked for: no other query pays for it. */
const qrCodeOf = async ({ id }: Payment): Promise<string> => {
  const query = `query ($id: ID!) { payment(by: { id: $id }) { method { ... on PixMethod { qrCodePng } } } }`;
  return (await call<{ payment: { method: { qrCodePng: string } } }>(query, { id })).data!.payment.method
    .qrCodePng;
};

/** What the clock would do in its own time: the payment's poll is due now. */
const makeDue = ({ providerReference }: Payment) =>
  database.query(
    `update payer_polls set due_at = now() where payment_id = (select id from payments where provider_reference = $1)`,
    [providerReference],
  );

/** Polls until the payment stands so. */
async function untilPolled(payment: Payment, status: string): Promise<Payment> {
  await makeDue(payment);
  return until(
    () => find(payment),
    (seen) => seen.status === status,
    10_000,
  );
}

/** One whole poll, whatever it finds. */
async function pollOnce(payment: Payment): Promise<void> {
  const polls = async () =>
    (
      await database.query<{ polls: number; lease_token: string | null }>(
        `select polls, lease_token from payer_polls
         where payment_id = (select id from payments where provider_reference = $1)`,
        [payment.providerReference],
      )
    ).rows[0];
  const before = await polls();
  await makeDue(payment);
  await until(polls, (row) => !row || (row.polls > (before?.polls ?? 0) && row.lease_token === null), 10_000);
}

const pix = (over: Record<string, unknown> = {}, email = "never_pay@example.com") => ({
  amount: { amount: "10.50", currency: "BRL" },
  method: { pix: { expiresInSeconds: 60 } },
  payer: { email },
  ...over,
});
const boleto = (payer: Record<string, unknown> = { taxId: "11144477735", name: "Ana" }) => ({
  amount: { amount: "99.90", currency: "BRL" },
  method: { boleto: { expiresInDays: 2 } },
  payer,
});
const RETURN_URL = "https://shop.example/thanks?cart=1";
const secured = (over: Record<string, unknown> = {}) =>
  card("10.50", { returnUrl: RETURN_URL, ...over }, "pm_card_authenticationRequired");

const pay = (payment: Payment, outcome: "complete" | "fail", late = false) =>
  payAtSandbox(house.sandboxUrl, payment.providerReference, outcome, late);
const chargesOf = async ({ providerReference }: Payment) =>
  (await ledgerOf(house.sandboxUrl)).charges.filter((one) => one.paymentIntent === providerReference);
const press = ({ nextAction }: Payment, outcome: string) =>
  fetch(nextAction?.redirectUrl ?? "", {
    method: "POST",
    body: new URLSearchParams({ outcome }),
    redirect: "manual",
  });
const told = ({ events }: Payment) => events.nodes.map(({ type }) => type);

async function change(mutation: "cancelPayment" | "refundPayment", { id }: Payment) {
  const input = mutation === "cancelPayment" ? "CancelPaymentInput" : "RefundPaymentInput";
  const query = `${PAYMENT} mutation ($key: IdempotencyKey!, $input: ${input}!) {
    changed: ${mutation}(idempotencyKey: $key, input: $input) { payment { ...Payer } operation { state } }
  }`;
  const variables = { key: newKey(), input: { paymentId: id } };
  const reply = await call<{ changed: { payment: Payment; operation: { state: string } } }>(query, variables);
  expect(reply.errors).toBeUndefined();
  return reply.data!.changed;
}

describe("Pix", () => {
  test("is paid: the code is shown, then money, and the code stays readable for ever", async () => {
    const made = await create(pix(), "pix-once");
    const { payment } = made;
    expect(made.operation).toMatchObject({
      state: "SUCCEEDED",
      result: { paymentStatus: "REQUIRES_ACTION", nextAction: { kind: "DISPLAY_PIX" } },
    });
    expect(payment).toMatchObject({
      status: "REQUIRES_ACTION",
      methodType: "PIX",
      method: { __typename: "PixMethod" },
      nextAction: { kind: "DISPLAY_PIX", expiresAt: payment.expiresAt },
      availableActions: ["CANCEL"],
    });
    expect(payment.method.copyPaste).toMatch(/^000201.*6304[0-9A-F]{4}$/);
    expect(payment.method.pixUntil).toBe(payment.expiresAt);
    const [head, picture = ""] = (await qrCodeOf(payment)).split(",");
    expect(head).toBe("data:image/png;base64");
    expect(Buffer.from(picture, "base64").subarray(1, 4).toString()).toBe("PNG");
    expect(await chargesOf(payment)).toEqual([]);

    expect(await pay(payment, "complete")).toBe(200);
    const paid = await untilPolled(payment, "CAPTURED");
    expect(paid).toMatchObject({ capturedAmount: { minorUnits: "1050" }, nextAction: null, expiresAt: null });
    expect(paid.method).toEqual(payment.method);
    expect(paid.events.nodes.at(-1)).toEqual({
      type: "payment.captured",
      status: "CAPTURED",
      actor: "clock",
    });
    const again = await create(pix(), "pix-once");
    expect(again).toMatchObject({ replayed: true, operation: made.operation, payment: { id: payment.id } });
    expect(await chargesOf(payment)).toHaveLength(1);
  });

  test("is paid later, by a payer of its own accord", async () => {
    const { payment } = await create(pix({ method: { pix: {} } }, "succeed_later@example.com"));
    await pollOnce(payment);
    const waiting = await find(payment);
    expect(waiting).toEqual(payment); // a poll that finds nothing new changes nothing
    await advanceClock(house.sandboxUrl, 61);
    expect(told(await untilPolled(payment, "CAPTURED"))).toEqual([
      "payment.created",
      "payment.requires_action",
      "payment.captured",
    ]);
  });

  test("expires: EXPIRED only when the provider says so, and nothing was taken", async () => {
    const { payment } = await create(pix());
    const expired = await create(pix({}, "expire_immediately@example.com"));
    const ended = await untilPolled(expired.payment, "EXPIRED");
    expect(ended).toMatchObject({ failure: null, nextAction: null, availableActions: [] });
    expect(ended.method).toEqual(expired.payment.method);
    // Our own clock says nothing: it is the provider's word that counts.
    await database.query(
      `update payments set expires_at = now() - interval '1 h' where provider_reference = $1`,
      [payment.providerReference],
    );
    await pollOnce(payment);
    expect((await find(payment)).status).toBe("REQUIRES_ACTION");
    await advanceClock(house.sandboxUrl, 61);
    expect(told(await untilPolled(payment, "EXPIRED")).at(-1)).toBe("payment.expired");
    expect(await chargesOf(payment)).toEqual([]);
  });

  test("PIX-01: money after EXPIRED, CANCELED and FAILED is recorded as money, and can be given back", async () => {
    const made = [await create(pix()), await create(pix()), await create(pix())].map(
      ({ payment }) => payment,
    );
    const [expired, canceled, failed] = made as [Payment, Payment, Payment];
    expect(await change("cancelPayment", canceled)).toMatchObject({
      payment: { status: "CANCELED" },
      operation: { state: "SUCCEEDED" },
    });
    expect(await pay(failed, "fail")).toBe(200);
    expect((await untilPolled(failed, "FAILED")).failure?.kind).toBe("DECLINED");
    await advanceClock(house.sandboxUrl, 61);
    await untilPolled(expired, "EXPIRED");

    for (const payment of made) {
      expect(await pay(payment, "complete")).toBe(409);
      expect(await pay(payment, "complete", true)).toBe(200);
      const late = await untilPolled(payment, "CAPTURED");
      expect(told(late).at(-1)).toBe("payment.captured_late");
      expect(late).toMatchObject({ failure: null, refundableAmount: { minorUnits: "1050" } });
      const refunded = await change("refundPayment", payment);
      // Money by Pix goes back by a transfer, which the provider works on.
      expect(refunded).toMatchObject({
        payment: { refundableAmount: { minorUnits: "0" } },
        operation: { state: "AWAITING_PROVIDER" },
      });
      expect(await chargesOf(payment)).toHaveLength(1);
    }
  });

  test("its reply is lost: the same request is found again, and nothing is made twice", async () => {
    house.meddler.decide(({ method }) => (method === "POST" ? "lose reply" : "pass"));
    const input = pix({ amount: { amount: "3.33", currency: "BRL" } });
    const { payment } = await create(input, "pix-lost");
    house.meddler.decide(() => "pass");
    expect(payment.status).toBe("IN_DOUBT");
    const found = await until(
      () => find(payment),
      ({ status }) => status === "REQUIRES_ACTION",
      15_000,
    );
    expect(found.method.copyPaste).toContain("54043.33");
    expect(await pay(found, "complete")).toBe(200);
    await untilPolled(found, "CAPTURED");
    expect(house.meddler.seen.filter(({ body }) => body.includes("amount=333&"))).toHaveLength(1);
  });

  test("is refused for what no account takes: another currency, a later capture", async () => {
    const refusalOf = async (over: Record<string, unknown>) => {
      const reply = await call(CREATE, { key: newKey(), input: pix(over) });
      return (reply.errors?.[0]?.extensions.fields as { path: string }[] | undefined)?.[0]?.path;
    };
    expect(await refusalOf({ amount: { amount: "10", currency: "USD" } })).toBe("input.amount.currency");
    expect(await refusalOf({ captureMode: "MANUAL" })).toBe("input.captureMode");
  });
});

describe("boleto", () => {
  test("is made out to its payer, and paid", async () => {
    const { payment } = await create(boleto());
    expect(payment).toMatchObject({
      status: "REQUIRES_ACTION",
      method: { __typename: "BoletoMethod" },
      nextAction: { kind: "DISPLAY_BOLETO" },
    });
    expect(payment.method.digitableLine).toMatch(/^\d{47}$/);
    expect(payment.method.pdfUrl).toMatch(/^http/);
    expect(payment.method.boletoUntil).toBe(payment.expiresAt);
    expect((await press(payment, "complete")).status).toBe(200);
    expect(await untilPolled(payment, "CAPTURED")).toMatchObject({
      method: payment.method,
      capturedAmount: { minorUnits: "9990" },
    });
  });

  test("without the payer's tax id is refused, and the key stays unused", async () => {
    for (const payer of [null, {}, { name: "Ana" }, { taxId: null }]) {
      const reply = await call(CREATE, { key: "boleto-key", input: { ...boleto(), payer } });
      expect(reply.errors?.[0]?.extensions).toMatchObject({
        code: "BAD_USER_INPUT",
        fields: [{ path: "input.payer.taxId" }],
      });
    }
    expect((await create(boleto(), "boleto-key")).replayed).toBe(false);
  });
});

describe("3-D Secure", () => {
  /** The payer's browser: the page's button, our return address, and where it sends them. */
  async function comeBack(payment: Payment, outcome: string): Promise<Response> {
    const pressed = await press(payment, outcome);
    expect(pressed.status).toBe(303);
    const ours = pressed.headers.get("location") ?? "";
    expect(ours).toContain(`${house.url}/return/uvz`);
    return fetch(ours, { redirect: "manual" });
  }

  test("complete: the payer comes back to a payment that is captured, and goes on to the shop", async () => {
    const { payment } = await create(secured());
    expect(payment).toMatchObject({
      status: "REQUIRES_ACTION",
      nextAction: { kind: "REDIRECT", expiresAt: payment.expiresAt },
    });
    const left = new Date(payment.expiresAt ?? 0).getTime() - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
    const back = await comeBack(payment, "complete");
    expect(back.status).toBe(303);
    const shop = new URL(back.headers.get("location") ?? "");
    expect(shop.origin + shop.pathname).toBe("https://shop.example/thanks");
    expect([...shop.searchParams]).toEqual([
      ["cart", "1"],
      ["payment", payment.id],
    ]);
    const paid = await find(payment);
    expect(paid).toMatchObject({ status: "CAPTURED", method: { last4: "3184" } });
    expect(paid.events.nodes.at(-1)?.actor).toBe("payer");
    expect(await chargesOf(payment)).toHaveLength(1);
  });

  test("fail: FAILED, authentication_failed", async () => {
    const { payment } = await create(secured({ captureMode: "MANUAL" }));
    await comeBack(payment, "fail");
    expect(await find(payment)).toMatchObject({
      status: "FAILED",
      failure: { kind: "AUTHENTICATION_FAILED", code: "authentication_failed" },
      nextAction: null,
    });
  });

  test("before a later capture it only holds the money", async () => {
    const { payment } = await create(secured({ captureMode: "MANUAL" }));
    await comeBack(payment, "complete");
    expect(await find(payment)).toMatchObject({
      status: "AUTHORIZED",
      availableActions: ["CAPTURE", "CANCEL"],
    });
  });

  test("the return address believes nobody: not the query, not a foreign reference", async () => {
    const { payment } = await create(secured());
    const page = await press(payment, "other"); // the page stays open
    expect(page.status).toBe(400);
    const { rows } = await database.query<{ reference: string }>(
      `select reference from attempts where provider_reference = $1`,
      [payment.providerReference],
    );
    const query =
      "?payment_intent=pi_other&redirect_status=succeeded&returnUrl=https://evil.example&payment=pay_x";
    const back = await fetch(`${house.url}/return/${rows[0]?.reference}${query}`, { redirect: "manual" });
    expect(back.headers.get("location")).toBe(`${RETURN_URL}&payment=${payment.id}`);
    expect((await find(payment)).status).toBe("REQUIRES_ACTION");
    for (const unknown of [`uvz${"0".repeat(40)}`, "uvz", "%2e%2e", "https:%2f%2fevil.example"])
      expect((await fetch(`${house.url}/return/${unknown}`, { redirect: "manual" })).status).toBe(404);
  });

  test("a payer without a shop to go to is thanked", async () => {
    const { payment } = await create(secured({ returnUrl: null }));
    const back = await comeBack(payment, "complete");
    expect(back.status).toBe(200);
    expect(await back.text()).toContain("Thank you");
    expect((await find(payment)).status).toBe("CAPTURED");
  });

  test("waits an hour, then the clock calls it off at the provider: its page cannot be paid after that", async () => {
    const { payment } = await create(secured());
    await database.query(
      `update payments set expires_at = now() - interval '1 s' where provider_reference = $1`,
      [payment.providerReference],
    );
    // An unknown cancel changes nothing.
    house.meddler.decide(({ path }) => (path.endsWith("/cancel") ? { status: 503, body: "{}" } : "pass"));
    await pollOnce(payment);
    expect((await find(payment)).status).toBe("REQUIRES_ACTION");
    house.meddler.decide(() => "pass");
    const expired = await untilPolled(payment, "EXPIRED");
    expect(expired.events.nodes.at(-1)).toMatchObject({ type: "payment.expired", actor: "clock" });
    expect((await press(payment, "complete")).status).toBe(409);
    expect(await chargesOf(payment)).toEqual([]);
  });

  test("canceled by the merchant: its page cannot be paid any more", async () => {
    const { payment } = await create(secured());
    expect((await change("cancelPayment", payment)).payment.status).toBe("CANCELED");
    expect((await press(payment, "complete")).status).toBe(409);
    await pollOnce(payment);
    expect((await find(payment)).status).toBe("CANCELED");
  });
});

test("late money is looked for until five days after the expiry, and no longer", async () => {
  const { payment } = await create(pix());
  const { providerReference } = payment;
  await advanceClock(house.sandboxUrl, 61);
  const ended = await untilPolled(payment, "EXPIRED");
  const next = async () =>
    (
      await database.query<{ hours: string }>(
        `select round(extract(epoch from due_at - now()) / 3600) as hours from payer_polls
         where lease_token is null and payment_id = (select id from payments where provider_reference = $1)`,
        [providerReference],
      )
    ).rows[0]?.hours;
  await pollOnce(ended);
  expect(await next()).toBe("24");
  await database.query(
    `update payments set expires_at = now() - interval '5 days' where provider_reference = $1`,
    [providerReference],
  );
  await pollOnce(ended);
  expect(await next()).toBeUndefined();
  const seen = await find(payment);
  expect(seen.version).toBe(ended.version);
});
