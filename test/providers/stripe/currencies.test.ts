import fc from "fast-check";
import { moneyFromStripe, stripeAmount } from "../../../src/providers/stripe/currencies";

test.each([
  ["BRL", 1050n, 1050],
  ["JPY", 500n, 500],
  ["KRW", 500n, 500],
  ["CLP", 500n, 500],
  ["PYG", 500n, 500],
  ["ISK", 5n, 500],
  ["UGX", 5n, 500],
  ["HUF", 1045n, 1045],
  ["TWD", 80045n, 80045],
  ["MGA", 500n, 5],
  ["BHD", 5120n, 5120],
  ["TND", 10n, 10],
])("%s %d is Stripe's %d", (currency, minor, amount) => {
  expect(stripeAmount({ minor, currency })).toEqual({ ok: true, amount });
  expect(moneyFromStripe(amount, currency.toLowerCase())).toEqual({ minor, currency });
});

test.each([
  ["ISK", 550],
  ["UGX", 1],
  ["BRL", 1.5],
  ["BRL", -1],
  ["BRL", 2 ** 53],
  ["BRL", Number.NaN],
  ["IQD", 1000],
])("Stripe's %s %d is no money of ours", (currency, amount) => {
  expect(moneyFromStripe(amount, currency)).toBeNull();
});

test("whatever is sent comes back as it was", () => {
  const currency = fc.constantFrom("BRL", "JPY", "ISK", "UGX", "MGA", "KWD", "BHD", "JOD", "OMR", "TND");
  const minor = fc.bigInt({ min: 1n, max: 2n ** 53n });
  fc.assert(
    fc.property(currency, minor, (currency, minor) => {
      const sent = stripeAmount({ minor, currency });
      if (sent.ok) expect(moneyFromStripe(sent.amount, currency)).toEqual({ minor, currency });
    }),
    { numRuns: 1_000 },
  );
});
