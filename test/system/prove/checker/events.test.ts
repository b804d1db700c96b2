import { RESOLVED_STATES, TRANSITIONS } from "../../../../src/payments/payment-state";
import { mayFollow } from "./events";
import type { PaymentRead } from "./history";
import { charged } from "./stories";

const STATUSES = ["NONE", ...Object.keys(TRANSITIONS)];
const TAKEN = ["PARTIALLY_CAPTURED", "CAPTURED", "PARTIALLY_REFUNDED", "REFUNDED"];
const REVOKED = ["AUTHORIZED", ...TAKEN, "FAILED", "CANCELED", "EXPIRED"];
const [payment] = charged().payments as [PaymentRead];
const create = payment.operations[0]?.id ?? null;

/** Every step that may be told as an event of this type. */
function stepsOf(type: string, operationId = create): string[] {
  const event = { type, sequence: 1, minor: 1, operationId, refundId: null };
  return STATUSES.flatMap((from) =>
    STATUSES.filter((status) => mayFollow(from, { ...event, status }, payment)).map((to) => `${from} ${to}`),
  );
}

const isMove = (step: string) => new Set(step.split(" ")).size > 1;

test("the steps to another status are those of the gateway's own table, and the ways backwards", () => {
  const table = Object.entries(TRANSITIONS).flatMap(([from, steps]) =>
    Object.entries(steps).map(([to, type]) => `${type}: ${from} ${to}`),
  );
  const others = [
    "payment.created: NONE PROCESSING",
    ...RESOLVED_STATES.map((to) => `payment.conflict_resolved: CONFLICTED ${to}`),
    ...TAKEN.flatMap((from) => REVOKED.map((to) => `payment.capture_failed: ${from} ${to}`)),
  ];
  const wanted = [...table, ...others].filter((line) => isMove(line.split(": ")[1] ?? ""));
  const types = new Set(wanted.map((line) => line.split(": ")[0] ?? ""));
  const told = [...types].flatMap((type) =>
    stepsOf(type)
      .filter(isMove)
      .map((step) => `${type}: ${step}`),
  );
  expect(told.sort()).toEqual(wanted.sort());
});

test.each([
  ["payment.partially_captured", ["PARTIALLY_CAPTURED"]],
  ["payment.captured", []],
  ["refund.succeeded", ["PARTIALLY_CAPTURED", "PARTIALLY_REFUNDED", "CONFLICTED"]],
  ["refund.reversed", ["PARTIALLY_CAPTURED", "PARTIALLY_REFUNDED", "REFUNDED", "CONFLICTED"]],
  ["payment.capture_failed", TAKEN],
])("%s leaves the status only where the amounts do: %j", (type, statuses) => {
  const still = stepsOf(type).filter((step) => !isMove(step));
  expect(still.sort()).toEqual(statuses.map((status) => `${status} ${status}`).sort());
});

test.each([
  ...["refund.created", "refund.failed", "refund.in_doubt", "dispute.opened", "dispute.won", "dispute.lost"],
  ...["operation.parked", "operation.reprocessed", "operation.resolved"],
])("%s moves nothing", (type) => {
  const still = STATUSES.filter((status) => status !== "NONE").map((status) => `${status} ${status}`);
  expect(stepsOf(type)).toEqual(still);
});
