import fc from "fast-check";
import {
  CAPTURED_STATES,
  eventOf,
  RESOLVED_STATES,
  TRANSITIONS,
  type PaymentStatus,
} from "../../src/payments/payment-state";

const STATUSES = Object.keys(TRANSITIONS) as PaymentStatus[];

/** Semantics section 5, written once more by hand: what follows from where. */
const ALLOWED: Record<PaymentStatus, string> = {
  PROCESSING:
    "REQUIRES_ACTION AUTHORIZED PARTIALLY_CAPTURED CAPTURED FAILED CANCELED EXPIRED IN_DOUBT CONFLICTED",
  IN_DOUBT: "REQUIRES_ACTION AUTHORIZED PARTIALLY_CAPTURED CAPTURED FAILED CANCELED EXPIRED CONFLICTED",
  REQUIRES_ACTION: "AUTHORIZED CAPTURED FAILED CANCELED EXPIRED CONFLICTED",
  AUTHORIZED: "PARTIALLY_CAPTURED CAPTURED CANCELED EXPIRED CONFLICTED",
  PARTIALLY_CAPTURED: "PARTIALLY_CAPTURED CAPTURED PARTIALLY_REFUNDED REFUNDED CONFLICTED",
  CAPTURED: "PARTIALLY_REFUNDED REFUNDED CONFLICTED",
  PARTIALLY_REFUNDED: "PARTIALLY_REFUNDED REFUNDED CAPTURED CONFLICTED",
  REFUNDED: "PARTIALLY_REFUNDED CAPTURED CONFLICTED",
  FAILED: "AUTHORIZED CAPTURED CONFLICTED",
  CANCELED: "AUTHORIZED CAPTURED CONFLICTED",
  EXPIRED: "AUTHORIZED CAPTURED CONFLICTED",
  CONFLICTED: "",
};

test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))("%s → %s", (from, to) => {
  expect(eventOf(from, to) !== undefined).toBe(ALLOWED[from].split(" ").includes(to));
});

test("a decision leads from CONFLICTED to where money is, or to the end without it; nothing else leads out", () => {
  const undecided = ["PROCESSING", "IN_DOUBT", "REQUIRES_ACTION", "CONFLICTED"];
  expect([...RESOLVED_STATES].sort()).toEqual(STATUSES.filter((one) => !undecided.includes(one)).sort());
  expect(TRANSITIONS.CONFLICTED).toEqual({});
});

test("money that arrives after the end is told as late, and nothing else is", () => {
  const late = STATUSES.flatMap((from) =>
    STATUSES.filter((to) => eventOf(from, to)?.endsWith("_late")).map((to) => `${from} ${to}`),
  );
  expect(late.sort()).toEqual(
    ["FAILED", "CANCELED", "EXPIRED"].flatMap((from) => [`${from} AUTHORIZED`, `${from} CAPTURED`]).sort(),
  );
});

test("no walk through the table leads from money back to nothing", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...STATUSES),
      fc.array(fc.constantFrom(...STATUSES), { maxLength: 20 }),
      (start, wishes) => {
        let status = start;
        let charged = false;
        for (const wish of wishes) {
          if (eventOf(status, wish) === undefined) continue;
          if (wish === "CAPTURED") charged = true;
          status = wish;
          if (charged) expect([...CAPTURED_STATES, "CONFLICTED"]).toContain(status);
        }
      },
    ),
  );
});
