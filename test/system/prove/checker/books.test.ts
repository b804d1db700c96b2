import { both, testAll, type Parts } from "./bad";
import type { Invariant } from "./history";
import { accepted, captured, captureFailed, charged, paid, takenThere } from "./stories";

const ONCE = "one charge for each key";
const AGREE = "both ledgers agree";
const TOLD = "no event without a change, no change without its event";
const ORDER = "each payment is linearizable";

describe("charged or refunded twice", () =>
  testAll([
    {
      name: "two charges under one reference",
      of: captured,
      change: ({ ledger, charge }) =>
        ledger.charges.push({ ...charge, id: "ch_2", captured: 0, refunded: 0 }),
      breaks: [ONCE],
      detail: /^create make made 2 charges$/,
    },
    {
      name: "a refund that went out twice under one reference",
      of: captured,
      change: ({ ledger, refund }) => ledger.refunds.push({ ...refund, id: "re_2" }),
      breaks: [ONCE, AGREE],
      detail: /^refund some made 2 refunds$/,
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
      detail: /^create make made 2 charges$/,
    },
    {
      name: "two refunds of one key, each under the reference of another attempt",
      of: captured,
      change: (parts) => {
        const { ledger, refund } = parts;
        parts.operation("some").attempts.push({ ...OTHER, providerReference: null, outcome: null });
        ledger.refunds.push({ ...refund, ...OTHER, id: "re_2" });
      },
      breaks: [ONCE, AGREE],
      detail: /^refund some made 2 refunds$/,
    },
    {
      name: "two charges under a reference that no operation has",
      of: captured,
      change: ({ ledger, charge }) => {
        ledger.charges.push({ ...charge, ...OTHER, id: "ch_2" }, { ...charge, ...OTHER, id: "ch_3" });
      },
      breaks: [ONCE, AGREE],
      detail: /^uvz-other made 2 charges$/,
    },
    ...["captured", "other"].map((name) => ({
      name: `two payments are charged twice: ${name}`,
      of: () => both(captured(), charged("other", "another")),
      change: ({ ledger }: Parts) => {
        for (const charge of [...ledger.charges])
          ledger.charges.push({ ...charge, id: `${charge.id}_2`, captured: 0, refunded: 0 });
      },
      breaks: [ONCE] as [Invariant],
      detail: name === "other" ? /^create another made 2 charges$/ : /^create make made 2 charges$/,
    })),
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
      name: "one minor unit too much is taken",
      of: captured,
      change: ({ charge }) => (charge.captured = 9_001),
      breaks: [ONCE, AGREE],
      detail: /^pay_captured: 9001 were captured, and its keys asked for 9000$/,
    },
    {
      name: "a capture FAILED, and was taken",
      of: captureFailed,
      change: ({ charge }) => (charge.captured = 8_000),
      breaks: [ONCE, AGREE],
      detail: /^pay_failed: 8000 were captured, and its keys asked for 4000$/,
    },
    {
      name: "a capture FAILED, and was taken, while the dashboard takes another payment",
      of: () => both(captureFailed(), takenThere("other")),
      change: ({ charge }) => (charge.captured = 8_000),
      breaks: [ONCE, AGREE],
      detail: /^pay_failed: 8000 were captured, and its keys asked for 4000$/,
    },
    {
      name: "too much is taken, and the bank takes as much back",
      of: paid,
      change: ({ charge }) => (charge.captured = 10_000),
      breaks: [ONCE, AGREE],
      detail: /^pay_paid: 11000 were captured, and its keys asked for 10000$/,
    },
    {
      name: "what the dashboard takes is taken twice",
      of: takenThere,
      change: ({ charge }) => (charge.captured = 10_000),
      breaks: [ONCE, AGREE],
      detail: /^pay_there: 5000 were captured, and its keys asked for 0$/,
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
      name: "captured, as the gateway shows it",
      of: paid,
      change: ({ payment }) => (payment.captured = 8_999),
      breaks: [AGREE, TOLD, ORDER],
      detail: /^pay_paid: captured, capturable, refunded are 8999,0,9000 here, 9000,0,9000 at the provider$/,
    },
    {
      name: "capturable, as the gateway shows it",
      of: captureFailed,
      change: ({ payment }) => (payment.capturable = 5_999),
      breaks: [AGREE, ORDER],
      detail: /4000,5999,0 here, 4000,6000,0 at the provider$/,
    },
    {
      name: "the whole amount",
      of: captured,
      change: ({ charge }) => (charge.amount = 9_999),
      breaks: [AGREE],
      detail: /^pay_captured: the charge is 10000 of pi_captured here, 9999 of pi_captured at the provider$/,
    },
    {
      name: "whose charge it is",
      of: captured,
      change: ({ charge }) => (charge.paymentIntent = "pi_other"),
      breaks: [AGREE],
      detail: /the charge is 10000 of pi_captured here, 10000 of pi_other at the provider$/,
    },
    {
      name: "after a decision",
      of: accepted,
      change: ({ charge }) => (charge.captured = 11_999),
      breaks: [AGREE],
      detail: /^pay_accepted: .*12000,0,1000 here, 11999,0,1000 at the provider$/,
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
      name: "the provider has no refunds",
      of: paid,
      change: ({ ledger }) => (ledger.refunds = []),
      breaks: [AGREE, "what was acknowledged is there"],
      detail: /there_paid_2,7000, the provider's none$/,
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
      change: ({ ledger, charge }) => {
        for (const id of ["ch_2", "ch_3"]) ledger.charges.push({ ...charge, reference: null, id });
      },
      breaks: [AGREE],
      detail: /^the charge ch_2 \(null\) is of no payment$/,
    },
  ]));

const OTHER = { reference: "uvz-other" };
