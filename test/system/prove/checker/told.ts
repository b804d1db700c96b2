import { mayFollow, prefixSums } from "./events";
import type { Call, History, OperationRead, PaymentRead } from "./history";
import { groups, nameOf, wasConflicted } from "./lookup";

/** What was told and did not happen, and what happened and was not told. */
export function untold({ payments, calls }: History): string[] {
  return payments.flatMap((payment) => [
    ...strayEvents(payment),
    ...payment.operations.flatMap((operation) => untoldEnd(operation, payment)),
    ...untoldRefunds(payment),
    ...otherSums(payment, calls),
  ]);
}

/** Events that are out of their order, of what there is not, or of a step that there is not. */
function strayEvents(payment: PaymentRead): string[] {
  const found: string[] = [];
  const known = payment.operations.map(({ id }) => id);
  let status = "NONE";
  for (const [nth, event] of payment.events.entries()) {
    const { type, sequence, operationId } = event;
    if (sequence !== nth + 1) found.push(`${payment.id}: event ${nth + 1} has the number ${sequence}`);
    if (operationId !== null && !known.includes(operationId))
      found.push(`${payment.id}: ${type} is of ${operationId}, which there is not`);
    if (!mayFollow(status, event, payment))
      found.push(`${payment.id}: ${type} made ${event.status} of ${status}`);
    status = event.status;
  }
  return found;
}

/** That an operation was given up to an operator, or a capture failed, is told once. */
function untoldEnd(operation: OperationRead, { events }: PaymentRead): string[] {
  const { id, state, kind } = operation;
  const often = (type: string) => events.filter((one) => one.operationId === id && one.type === type).length;
  const [parked, again] = [often("operation.parked"), often("operation.reprocessed")];
  const found: string[] = [];
  if (state === "PARKED" && parked === 0)
    found.push(`${nameOf(operation)} is PARKED, and nothing tells of it`);
  if (parked > 1 + again) found.push(`that ${nameOf(operation)} is parked is told ${parked} times`);
  const failed = often("payment.capture_failed");
  if (kind === "capture" && failed !== (state === "FAILED" ? 1 : 0))
    found.push(`that ${nameOf(operation)}, ${state}, failed is told ${failed} times`);
  return found;
}

/** After which event of a refund each comes, and how the refund may stand after it. */
const REFUND_STEPS: Record<string, { after: string[]; shows: string[] }> = {
  "refund.created": { after: ["nothing"], shows: ["PROCESSING"] },
  // Of a doubt that is gone nothing is told before the refund ends: it may come again.
  "refund.in_doubt": { after: ["refund.created", "refund.in_doubt"], shows: ["IN_DOUBT", "PROCESSING"] },
  // What was given up for absent, or had come back, may have gone out all the same.
  "refund.succeeded": {
    after: ["refund.created", "refund.in_doubt", "refund.failed", "refund.reversed"],
    shows: ["SUCCEEDED"],
  },
  "refund.failed": { after: ["refund.created", "refund.in_doubt"], shows: ["FAILED"] },
  "refund.reversed": { after: ["refund.succeeded"], shows: ["FAILED"] },
};

function untoldRefunds({ id, events, refunds }: PaymentRead): string[] {
  const found: string[] = [];
  const told = groups(events, ({ type, refundId }) => (type.startsWith("refund.") ? String(refundId) : null));
  for (const refundId of told.keys())
    if (!refunds.some((one) => one.id === refundId))
      found.push(`${id}: its events tell of the refund ${refundId}, which there is not`);
  for (const refund of refunds) {
    let last = "nothing";
    for (const { type, minor } of told.get(refund.id) ?? []) {
      if (!REFUND_STEPS[type]?.after.includes(last)) found.push(`${refund.id}: ${type} came after ${last}`);
      if (minor !== refund.minor) found.push(`${refund.id} of ${refund.minor}: ${type} tells of ${minor}`);
      last = type;
    }
    if (!REFUND_STEPS[last]?.shows.includes(refund.status))
      found.push(`${refund.id} is ${refund.status}, and the last that was told of it is ${last}`);
  }
  return found;
}

/** Every standing that was shown is what some prefix of the events adds up to, and the last is what all add up to. */
function otherSums(payment: PaymentRead, calls: Call[]): string[] {
  if (wasConflicted(payment)) return [];
  const found: string[] = [];
  const sums = prefixSums(payment);
  const last = sums.at(-1);
  if (!last || !hasSums(last, payment))
    found.push(`${payment.id}: it is ${show(payment)}, its events add up to ${show(last)}`);
  for (const { answer, key } of calls)
    if (answer?.kind === "operation" && answer.payment.id === payment.id)
      if (!sums.some((one) => hasSums(one, answer.payment)))
        found.push(`${key} showed ${payment.id} as ${show(answer.payment)}, which no event told of`);
  return found;
}

type Sums = Pick<PaymentRead, "status" | "captured" | "refunded">;

const hasSums = (sums: Sums, shown: Sums) =>
  sums.status === shown.status && sums.captured === shown.captured && sums.refunded === shown.refunded;

const show = (sums: Sums | undefined) =>
  sums ? `${sums.status}, captured ${sums.captured}, refunded ${sums.refunded}` : "nothing";
