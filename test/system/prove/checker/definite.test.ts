import { both, Parts, testAll } from "./bad";
import { check } from "./invariants";
import { captured, charged, declined, paid } from "./stories";

const ONCE = "one charge for each key";
const NO = "a definite no is definite";
const AGREE = "both ledgers agree";
const ORDER = "each payment is linearizable";

describe("a no that was none", () =>
  testAll([
    {
      name: "a key that was refused each time has an operation",
      of: charged,
      change: (parts) =>
        Object.assign(parts.told("make"), {
          answer: { kind: "refused", code: "RATE_LIMITED", reason: null },
        }),
      breaks: [NO],
      detail: /^create make was refused each time, and there is an operation of it$/,
    },
    {
      name: "FAILED, and charged",
      of: declined,
      change: (parts) => charge(parts),
      breaks: [NO, AGREE],
      detail: /^create make FAILED, and was charged$/,
    },
    {
      name: "FAILED, and charged, while the payer of another payment pays",
      of: () => both(declined(), paid("other")),
      change: (parts) => charge(parts),
      breaks: [NO, AGREE],
      detail: /^create make FAILED, and was charged$/,
    },
    {
      name: "FAILED, and charged, though its payer did not pay",
      of: declined,
      change: (parts) => {
        charge(parts);
        const paymentIntent = "pi_declined";
        parts.history.deeds.push({ paymentIntent, kind: "fail", minor: 0, begun: 90, ended: 99 });
      },
      breaks: [NO, AGREE],
      detail: /^create make FAILED, and was charged$/,
    },
    {
      name: "a refund FAILED, and the money went back",
      of: captured,
      change: ({ ledger }) => Object.assign(ledger.refunds[1] ?? {}, { status: "succeeded", charge: "" }),
      breaks: [NO],
      detail: /^refund refused FAILED, and the money went back$/,
    },
  ]));

/** The provider has charged the first payment after all. */
function charge(parts: Parts) {
  const reference = parts.operation("make").attempts[0]?.reference ?? null;
  parts.ledger.charges.push({ ...CHARGE, reference });
}

test("of the promises that one fault breaks, the one that says most of it is reported first", () => {
  const history = both(declined(), captured());
  const parts = new Parts(history);
  const reference = parts.operation("make").attempts[0]?.reference ?? null;
  history.ledger.charges.push({ ...CHARGE, reference }, { ...CHARGE, reference, id: "ch_2" });
  const [create] = history.payments[1]?.operations ?? [];
  if (create) create.state = "IN_DOUBT";
  const reported = new Set(check(history).map(({ invariant }) => invariant));
  expect([...reported]).toEqual([
    ONCE,
    NO,
    "what was acknowledged is there",
    AGREE,
    "replays equal the first result",
    "every operation ends or is parked with a reason",
    ORDER,
  ]);
});

const CHARGE = {
  ...{
    id: "ch",
    paymentIntent: "pi_parked",
    reference: "uvz-parked-create-make",
    amount: 10_000,
    currency: "BRL",
  },
  ...{ captured: 10_000, capturable: 0, refunded: 0, status: "captured" },
};
