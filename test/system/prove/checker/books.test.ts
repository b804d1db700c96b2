import { both, testAll } from "./bad";
import { captured, charged, declined, paid } from "./stories";

const ONCE = "one charge for each key";
const AGREE = "both ledgers agree";
const NO = "a definite no is definite";

describe("charged or refunded twice", () =>
  testAll([
    {
      name: "two charges under one reference",
      of: captured,
      change: ({ ledger, charge }) =>
        ledger.charges.push({ ...charge, id: "ch_2", captured: 0, refunded: 0 }),
      breaks: [ONCE],
      detail: /^2 charges under uvz-captured-create-make$/,
    },
    {
      name: "a refund that went out twice under one reference",
      of: captured,
      change: ({ ledger, refund }) => ledger.refunds.push({ ...refund, id: "re_2" }),
      breaks: [ONCE, AGREE],
      detail: /^2 refunds under uvz-captured-refund-some$/,
    },
    {
      name: "two charges of one create, each under the reference of another attempt",
      of: captured,
      change: (parts) => {
        const { ledger, charge } = parts;
        parts.operation("make").attempts.push({ ...OTHER, providerReference: null, outcome: null });
        ledger.charges.push({ ...charge, ...OTHER, id: "ch_2", captured: 0, refunded: 0 });
      },
      breaks: [ONCE],
      detail: /^pay_captured: its one key made 2 charges$/,
    },
    {
      name: "more is taken than the amount of the payment",
      of: charged,
      change: ({ charge }) => Object.assign(charge, { amount: 20_000, captured: 20_000 }),
      breaks: [ONCE, AGREE],
      detail: /^pay_charged: 20000 were captured, and its keys asked for 10000$/,
    },
    {
      name: "a capture is taken twice",
      of: captured,
      change: ({ charge }) => (charge.captured = 10_000),
      breaks: [ONCE, AGREE],
      detail: /^pay_captured: 10000 were captured, and its keys asked for 9000$/,
    },
    {
      name: "one key makes two payments",
      of: () => both(captured(), captured("other")),
      change: ({ history }) => {
        for (const call of history.calls) if (call.answer?.kind === "operation") call.answer = null;
      },
      breaks: [ONCE],
      detail: /^2 operations of the one key create make$/,
    },
  ]));

describe("books that differ", () =>
  testAll([
    {
      name: "captured",
      of: captured,
      change: ({ charge }) => (charge.captured = 8_000),
      breaks: [AGREE],
      detail:
        /^pay_captured: captured, capturable, refunded are 9000,0,3000 here, 8000,0,3000 at the provider$/,
    },
    {
      name: "capturable",
      of: captured,
      change: ({ charge }) => (charge.capturable = 1_000),
      breaks: [AGREE],
      detail: /9000,0,3000 here, 9000,1000,3000 at the provider$/,
    },
    {
      name: "refunded",
      of: captured,
      change: ({ charge }) => (charge.refunded = 0),
      breaks: [AGREE],
      detail: /9000,0,3000 here, 9000,0,0 at the provider$/,
    },
    {
      name: "the provider has no refund",
      of: paid,
      change: ({ ledger }) => ledger.refunds.shift(),
      breaks: [AGREE],
      detail:
        /^pay_paid: its refunds are there_paid_1,2000 there_paid_2,7000, the provider's there_paid_2,7000$/,
    },
    {
      name: "a refund at the dashboard is not known here",
      of: charged,
      change: ({ ledger, charge }) =>
        ledger.refunds.push({ id: "re", charge: charge.id, reference: null, amount: 1, status: "succeeded" }),
      breaks: [AGREE],
      detail: /^pay_charged: its refunds are none, the provider's re,1$/,
    },
    {
      name: "a refund counts with another amount there",
      of: captured,
      change: ({ refund }) => (refund.amount = 3_001),
      breaks: [AGREE],
      detail: /its refunds are there_captured_1,3000, the provider's there_captured_1,3001$/,
    },
    {
      name: "a charge of no payment",
      of: captured,
      change: ({ ledger, charge }) => ledger.charges.push({ ...charge, ...OTHER, id: "ch_2" }),
      breaks: [AGREE],
      detail: /^the charge ch_2 \(uvz-other\) is of no payment$/,
    },
    {
      name: "a charge without a reference",
      of: captured,
      change: ({ ledger, charge }) => ledger.charges.push({ ...charge, reference: null, id: "ch_2" }),
      breaks: [AGREE],
      detail: /^the charge ch_2 \(null\) is of no payment$/,
    },
  ]));

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
      change: (parts) => {
        const reference = parts.operation("make").attempts[0]?.reference ?? null;
        parts.ledger.charges.push({ ...CHARGE, reference, captured: 0 });
      },
      breaks: [NO],
      detail: /^make FAILED, and was charged$/,
    },
    {
      name: "a refund FAILED, and the money went back",
      of: captured,
      change: ({ ledger }) => Object.assign(ledger.refunds[1] ?? {}, { status: "succeeded", charge: "" }),
      breaks: [NO],
      detail: /^the refund refused FAILED, and the money went back$/,
    },
  ]));

const OTHER = { reference: "uvz-other" };
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
