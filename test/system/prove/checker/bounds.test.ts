import { both, testAll } from "./bad";
import { canceled, captured, charged, declined, paid, parked } from "./stories";

const THERE = "what was acknowledged is there";
const AGREE = "both ledgers agree";
const BOUNDED = "refunds are bounded at every prefix";
const TOLD = "no event without a change, no change without its event";
const ORDER = "each payment is linearizable";

describe("lost", () =>
  testAll([
    {
      name: "an operation is gone",
      of: charged,
      change: (parts) => (parts.told("make").answer.operationId = "op_gone"),
      breaks: [THERE],
      detail: /^make: its operation op_gone is gone$/,
    },
    {
      name: "a key is answered with the operation of another",
      of: captured,
      change: (parts) => (parts.told("rest").answer.operationId = parts.operation("some").id),
      breaks: [THERE],
      detail: /^rest: its operation op_captured_some is gone$/,
    },
    {
      name: "a payment is gone, with all that belongs to it",
      of: charged,
      change: ({ history }) => (history.payments = []),
      breaks: [THERE, AGREE],
      detail: /^make: its operation op_charged_make is gone$/,
    },
    {
      name: "a key is answered with the payment of another",
      of: () => both(charged(), paid("another")),
      change: (parts) => (parts.told("make").answer.payment = parts.told("another").answer.payment),
      breaks: [THERE],
      detail: /^make: it showed pay_paid, and its operation is of pay_charged$/,
    },
    {
      name: "an end is taken back",
      of: declined,
      change: (parts) =>
        Object.assign(parts.operation("make"), { state: "PARKED", lastError: "?", result: null }),
      breaks: [THERE, TOLD, ORDER],
      detail: /^make: FAILED was acknowledged, now it is PARKED$/,
    },
    {
      name: "a charge is acknowledged, and the provider has none",
      of: charged,
      change: ({ ledger }) => (ledger.charges = []),
      breaks: [THERE, AGREE],
      detail: /^create make SUCCEEDED, and the provider knows nothing of it$/,
    },
    {
      name: "a payment is held, and the provider has no charge",
      of: canceled,
      change: ({ ledger }) => (ledger.charges = []),
      breaks: [THERE],
      detail: /^create make SUCCEEDED, and the provider knows nothing of it$/,
    },
    {
      name: "a capture is acknowledged, and the provider has no charge",
      of: captured,
      change: ({ ledger }) => (ledger.charges = []),
      breaks: [THERE, AGREE],
      detail: /^capture part SUCCEEDED, and the provider knows nothing of it$/,
    },
    {
      name: "a payment is called off, and the provider holds it still",
      of: canceled,
      change: ({ charge }) => (charge.status = "authorized"),
      breaks: [THERE],
      detail: /^cancel no SUCCEEDED, and the provider knows nothing of it$/,
    },
    {
      name: "a refund is acknowledged, and the provider has another",
      of: captured,
      change: ({ refund }) => (refund.reference = "uvz-other"),
      breaks: [THERE],
      detail: /^refund some SUCCEEDED, and the provider knows nothing of it$/,
    },
  ]));

describe("more than there is", () =>
  testAll([
    {
      name: "a refund is given before anything was captured",
      of: captured,
      change: ({ payment }) => {
        const { events } = payment;
        const moved = events.filter(({ refundId }) => refundId === "re_captured_1");
        const rest = events.filter((event) => !moved.includes(event));
        payment.events = [...rest.slice(0, 2), ...moved, ...rest.slice(2)].map((event, nth) => ({
          ...event,
          sequence: nth + 1,
        }));
      },
      breaks: [BOUNDED, TOLD],
      detail: /^pay_captured after event 3: authorized 10000, captured 0, refunded 0 and 3000 to come$/,
    },
    {
      name: "what runs is more than what is left",
      of: captured,
      change: (parts) => {
        parts.event("refund.created", 1).minor = 6_001;
        parts.event("refund.failed").minor = 6_001;
        parts.known("refused").minor = 6_001;
      },
      breaks: [BOUNDED],
      detail: /captured 9000, refunded 3000 and 6001 to come$/,
    },
    {
      name: "a reservation is given back twice",
      of: captured,
      change: (parts) => (parts.event("refund.failed").minor = 2_000),
      breaks: [BOUNDED, TOLD],
      detail: /captured 9000, refunded 3000 and -1000 to come$/,
    },
    {
      name: "more comes back than went",
      of: captured,
      change: (parts) => {
        const reversed = { ...parts.event("refund.succeeded"), type: "refund.reversed" };
        parts.payment.events.splice(4, 0, reversed, { ...reversed, type: "refund.succeeded" });
        parts.renumber();
      },
      breaks: [BOUNDED, TOLD],
      detail: /refunded -3000 and 0 to come$/,
    },
    {
      name: "more is captured than was authorized",
      of: captured,
      change: (parts) => (parts.event("payment.partially_captured").minor = 10_001),
      breaks: [BOUNDED, TOLD],
      detail: /^pay_captured after event 3: authorized 10000, captured 10001, refunded 0 and 0 to come$/,
    },
    {
      name: "more is authorized than the payment's amount",
      of: charged,
      change: (parts) => (parts.event("payment.captured").minor = 10_001),
      breaks: [BOUNDED, TOLD],
      detail: /^pay_charged after event 2: authorized 10001, captured 10001/,
    },
    {
      name: "the provider gave back more than it took",
      of: parked,
      change: ({ ledger }) => ledger.charges.push({ ...CHARGE, captured: 5_000, refunded: 5_001 }),
      breaks: [BOUNDED],
      detail: /^the provider's ch of 10000: captured 5000, refunded 5001$/,
    },
    {
      name: "the provider took more than was asked of it",
      of: parked,
      change: ({ ledger }) => ledger.charges.push({ ...CHARGE, captured: 10_001 }),
      breaks: [BOUNDED],
      detail: /^the provider's ch of 10000: captured 10001, refunded 0$/,
    },
  ]));

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
