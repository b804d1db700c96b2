import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { canonicalIntent, changedFields, fingerprint } from "../../src/idempotency/intent";
import { intentOf, type CreatePaymentRequest } from "../../src/payments/create-payment-request";

const base: CreatePaymentRequest = {
  amount: { amount: "10.50", currency: "BRL" },
  method: { card: { token: "pm_card_visa" } },
};
const print = (request: CreatePaymentRequest) => fingerprint(canonicalIntent(intentOf(request)));

test("v1 is pinned: an upgrade never changes what an old key means", () => {
  const full: CreatePaymentRequest = {
    ...base,
    method: { card: { token: "pm_card_visa", providerAccountId: "pa_1" } },
    captureMode: "MANUAL",
    order: { reference: "order-1", allowAnotherPayment: true },
    customerReference: "customer-1",
    payer: { taxId: "12345678909" },
  };
  expect(canonicalIntent(intentOf(base))).toBe(
    '{"amount.amount":"10.5","amount.currency":"BRL","method":"CARD","method.card.token":"pm_card_visa"}',
  );
  expect(print(base)).toBe("v1:29f3db206bfd09bf38f0552ea4e9a7c792f1c5c1cae702a452babdf980919db3");
  expect(print(full)).toBe("v1:de3b1a07b9018d8b2fe7798fb2f69bba2ab6ce27d79285515bc73bd90cd75444");
});

test.each<[string, Partial<CreatePaymentRequest>]>([
  ["null for absent", { order: null, customerReference: null, payer: null, captureMode: null }],
  ["explicit defaults", { captureMode: "AUTOMATIC" }],
  ["an empty payer", { payer: {} }],
  [
    "what is not content",
    {
      description: "d",
      metadata: { b: "1", a: "2" },
      returnUrl: "https://a.example",
      payer: { name: "n", email: "e@a.example" },
    },
  ],
  ["another spelling of the amount", { amount: { amount: "10.5", currency: "BRL" } }],
])("the same content: %s", (_, over) => {
  expect(print({ ...base, ...over })).toBe(print(base));
});

test("an order's default is left out, and its other value is not", () => {
  const order = (allowAnotherPayment?: boolean | null) =>
    print({ ...base, order: { reference: "o", allowAnotherPayment } });
  expect(order(false)).toBe(order());
  expect(order(null)).toBe(order());
  expect(order(true)).not.toBe(order());
});

test("v1's defaults of Pix and boleto are left out", () => {
  expect(print({ ...base, method: { pix: { expiresInSeconds: 3_600 } } })).toBe(
    print({ ...base, method: { pix: {} } }),
  );
  expect(print({ ...base, method: { boleto: { expiresInDays: 3 } } })).toBe(
    print({ ...base, method: { boleto: {} } }),
  );
  expect(print({ ...base, method: { pix: {} } })).not.toBe(print({ ...base, method: { boleto: {} } }));
});

test("HASH-04: amounts are equal when their numbers are, and only then", () => {
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  const spell = (n: number, zeros: number) => {
    const exact = (n / 100).toFixed(2);
    return zeros === 0 ? exact.replace(/\.?0+$/, "") : zeros === 1 ? exact.replace(/0$/, "") : exact;
  };
  const of = (amount: string) => print({ ...base, amount: { amount, currency: "BRL" } });
  const spelling = fc.integer({ min: 0, max: 2 });
  fc.assert(
    fc.property(cents, cents, spelling, spelling, (a, b, x, y) => {
      expect(of(spell(a, x))).toBe(of(spell(a, y)));
      expect(of(spell(a, x)) === of(spell(b, y))).toBe(a === b);
    }),
  );
});

test("each field of the content changes the print, and is named alone", () => {
  const changes: Record<string, Partial<CreatePaymentRequest>> = {
    "input.amount.amount": { amount: { amount: "10.51", currency: "BRL" } },
    "input.amount.currency": { amount: { amount: "10.50", currency: "USD" } },
    "input.method": { method: { pix: { expiresInSeconds: 60 } } },
    "input.method.card.token": { method: { card: { token: "pm_card_br" } } },
    "input.method.card.providerAccountId": {
      method: { card: { token: "pm_card_visa", providerAccountId: "pa_2" } },
    },
    "input.captureMode": { captureMode: "MANUAL" },
    "input.order.reference": { order: { reference: "o" } },
    "input.customerReference": { customerReference: "c" },
    "input.payer.taxId": { payer: { taxId: "12345678909" } },
  };
  for (const [path, change] of Object.entries(changes)) {
    const other = { ...base, ...change };
    expect(print(other)).not.toBe(print(base));
    expect(changedFields(intentOf(base), intentOf(other))).toEqual([path]);
  }
});

test("HASH-06: the print is the same in another locale and another process", () => {
  const intent = { ä: "1", a: "2", B: "3", z: "4", _: "5", É: "6", "10": "7", "9": "8" };
  const script = `
    const { canonicalIntent, fingerprint } = require("./src/idempotency/intent");
    process.stdout.write(fingerprint(canonicalIntent(JSON.parse(process.argv[1]))));`;
  for (const LANG of ["C", "sv_SE.UTF-8", "tr_TR.UTF-8"]) {
    const printed = execFileSync(
      process.execPath,
      ["-r", "@swc-node/register", "-e", script, JSON.stringify(intent)],
      {
        env: { ...process.env, LANG, LC_ALL: LANG },
        encoding: "utf8",
      },
    );
    expect({ LANG, printed }).toEqual({ LANG, printed: fingerprint(canonicalIntent(intent)) });
  }
});
