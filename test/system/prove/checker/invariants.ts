import { prefixSums } from "./events";
import type { History, Invariant, OperationRead, PaymentRead, Violation } from "./history";
import {
  allOperations,
  byKey,
  chargesOf,
  deedsOf,
  groups,
  isOf,
  isSettled,
  nameOf,
  sum,
  wasConflicted,
} from "./lookup";
import { unordered } from "./order";
import { untold } from "./told";

type Ledger = History["ledger"];
type Charge = Ledger["charges"][number];

/**
 * Everything that was promised and did not hold; empty where all did. One fault often breaks several promises: they are
 * reported in the order of INVARIANTS, the one that says most of the fault first.
 */
export function check(history: History): Violation[] {
  return (Object.entries(INVARIANTS) as [Invariant, (history: History) => string[]][]).flatMap(
    ([invariant, find]) => find(history).map((detail) => ({ invariant, detail })),
  );
}

/** How each promise is checked: what breaks it, in words. The order is that of the report. */
const INVARIANTS: Record<Invariant, (history: History) => string[]> = {
  "one charge for each key": chargedTwice,
  "a definite no is definite": broken,
  "what was acknowledged is there": lost,
  "both ledgers agree": disagreements,
  "replays equal the first result": otherAnswers,
  "refunds are bounded at every prefix": exceeded,
  "every operation ends or is parked with a reason": unfinished,
  "no event without a change, no change without its event": untold,
  "each payment is linearizable": unordered,
};

function chargedTwice({ ledger, payments, deeds }: History): string[] {
  const found: string[] = [];
  const operations = allOperations(payments);
  // Whatever the attempt: its key is one. What is of no operation of ours is told apart by its reference.
  const names = new Map(
    operations.flatMap((one) => one.attempts.map(({ reference }) => [reference, nameOf(one)])),
  );
  const by = ({ reference }: { reference: string | null }) => names.get(reference ?? "") ?? reference;
  for (const [name, charges] of groups(ledger.charges, by))
    if (charges.length > 1) found.push(`${name} made ${charges.length} charges`);
  const held = ledger.refunds.filter(({ status }) => status !== "failed");
  for (const [name, refunds] of groups(held, by))
    if (refunds.length > 1) found.push(`${name} made ${refunds.length} refunds`);
  for (const payment of payments) {
    const asked = payment.captureMode === "MANUAL" ? capturedByKeys(payment) : payment.minor;
    const moved = deedsOf(payment, deeds);
    const captured = sum(chargesOf(payment, ledger).map((charge) => charge.captured));
    const taken = captured - moved.capture + moved.revoke;
    if (isSettled(payment) && !wasConflicted(payment) && taken > asked)
      found.push(`${payment.id}: ${taken} were captured, and its keys asked for ${asked}`);
  }
  for (const [name, same] of groups(operations, nameOf))
    if (same.length > 1) found.push(`${same.length} operations of the one key ${name}`);
  return found;
}

const capturedByKeys = ({ operations }: PaymentRead) =>
  sum(
    operations
      .filter(({ kind, state }) => kind === "capture" && state === "SUCCEEDED")
      .map(({ minor }) => minor),
  );

function lost({ calls, payments, ledger }: History): string[] {
  const known = new Map(
    payments.flatMap(({ id, operations }) =>
      operations.map((operation) => [operation.id, { operation, paymentId: id }]),
    ),
  );
  const found: string[] = [];
  for (const { key, answer } of calls) {
    if (answer?.kind !== "operation") continue;
    const { operation, paymentId } = known.get(answer.operationId) ?? {};
    if (operation?.key !== key) found.push(`${key}: its operation ${answer.operationId} is gone`);
    else if (answer.payment.id !== paymentId)
      found.push(`${key}: it showed ${answer.payment.id}, and its operation is of ${paymentId}`);
    else if (answer.result !== null && operation.state !== answer.state)
      found.push(`${key}: ${answer.state} was acknowledged, now it is ${operation.state}`);
  }
  for (const payment of payments)
    for (const operation of payment.operations)
      if (operation.state === "SUCCEEDED" && !isAtProvider(operation, payment, ledger))
        found.push(`${nameOf(operation)} SUCCEEDED, and the provider knows nothing of it`);
  return found;
}

function isAtProvider(operation: OperationRead, payment: PaymentRead, ledger: Ledger): boolean {
  const { kind, result } = operation;
  const charges = chargesOf(payment, ledger);
  // What a decision comes to is seen in the books alone.
  if (kind === "resolve") return true;
  if (kind === "capture") return charges.length > 0;
  if (kind === "create") {
    const hasMoney = (result?.captured ?? 0) > 0 || result?.paymentStatus === "AUTHORIZED";
    return charges.length > 0 || !hasMoney;
  }
  // Money that came late is held again; that both sides know it is a promise of its own.
  if (kind === "cancel") return charges.every((one) => one.status !== "authorized") || wasLate(payment);
  return ledger.refunds.some((refund) => isOf(operation, refund));
}

const wasLate = ({ events }: PaymentRead) => events.some(({ type }) => type.endsWith("_late"));

function disagreements({ ledger, payments }: History): string[] {
  const found: string[] = [];
  const explained = new Set<string>();
  for (const payment of payments) {
    const charges = chargesOf(payment, ledger);
    for (const { id } of charges) explained.add(id);
    if (isSettled(payment)) found.push(...difference(payment, charges, ledger));
  }
  for (const { id, reference } of ledger.charges)
    if (!explained.has(id)) found.push(`the charge ${id} (${reference}) is of no payment`);
  return found;
}

function difference(payment: PaymentRead, [charge]: Charge[], ledger: Ledger): string[] {
  const { id } = payment;
  const ours = [payment.captured, payment.capturable, payment.refunded];
  const theirs = charge ? [charge.captured, charge.capturable, charge.refunded] : [0, 0, 0];
  const found: string[] = [];
  if (String(ours) !== String(theirs))
    found.push(
      `${id}: captured, capturable, refunded are ${String(ours)} here, ${String(theirs)} at the provider`,
    );
  const [asked, made] = [
    `${payment.minor} of ${payment.providerReference}`,
    `${charge?.amount} of ${charge?.paymentIntent}`,
  ];
  if (charge && asked !== made && !wasConflicted(payment))
    found.push(`${id}: the charge is ${asked} here, ${made} at the provider`);
  const given = ledger.refunds.filter((one) => one.charge === charge?.id && one.status !== "failed");
  const known = payment.refunds.filter((one) => one.status !== "FAILED");
  const show = (all: [string | null, number][]) => all.map(String).sort().join(" ");
  const [mine, others] = [
    show(known.map((one) => [one.providerReference, one.minor])),
    show(given.map((one) => [one.id, one.amount])),
  ];
  if (mine !== others)
    found.push(`${id}: its refunds are ${mine || "none"}, the provider's ${others || "none"}`);
  return found;
}

function otherAnswers({ calls, payments }: History): string[] {
  const found: string[] = [];
  const known = groups(allOperations(payments), nameOf);
  for (const [name, repeats] of byKey(calls)) {
    const answers = repeats.flatMap(({ answer }) => (answer?.kind === "operation" ? [answer] : []));
    const ids = new Set(answers.map(({ operationId }) => operationId));
    if (ids.size > 1) found.push(`${name} was answered with ${ids.size} operations`);
    const firsts = answers.filter(({ replayed }) => !replayed);
    if (firsts.length > 1) found.push(`${name} was new ${firsts.length} times`);
    const kept = known.get(name) ?? [];
    const ends = [...answers, ...kept].filter(({ result }) => result !== null);
    const results = new Set(ends.map(({ state, result }) => JSON.stringify([state, result])));
    if (results.size > 1) found.push(`${name} ended in ${results.size} ways: ${[...results].join(" and ")}`);
    const started = repeats.filter(({ answer }) => answer?.kind === "operation");
    const contents = new Set(started.map(({ intent }) => JSON.stringify(intent)));
    if (contents.size > 1) found.push(`${name} was taken with ${contents.size} contents`);
  }
  return found;
}

function exceeded({ payments, ledger }: History): string[] {
  const found = payments.flatMap((payment) =>
    prefixSums(payment).flatMap(({ authorized, captured, refunded, refunding }, nth) => {
      const isBound =
        refunded >= 0 &&
        refunding >= 0 &&
        refunded + refunding <= captured &&
        captured <= authorized &&
        authorized <= payment.minor;
      const sums = `authorized ${authorized}, captured ${captured}, refunded ${refunded} and ${refunding} to come`;
      return isBound || wasConflicted(payment) ? [] : [`${payment.id} after event ${nth + 1}: ${sums}`];
    }),
  );
  for (const { id, captured, refunded, amount } of ledger.charges)
    if (refunded > captured || captured > amount)
      found.push(`the provider's ${id} of ${amount}: captured ${captured}, refunded ${refunded}`);
  return found;
}

function broken({ calls, payments, ledger, deeds }: History): string[] {
  const found: string[] = [];
  const known = new Set(allOperations(payments).map(nameOf));
  for (const [name, repeats] of byKey(calls)) {
    const isRefused = repeats.every(({ answer }) => answer?.kind === "refused");
    if (isRefused && known.has(name))
      found.push(`${name} was refused each time, and there is an operation of it`);
  }
  for (const payment of payments)
    for (const operation of payment.operations) {
      if (operation.state !== "FAILED") continue;
      const isLate = deeds.some(
        (one) => one.kind.startsWith("pay") && one.paymentIntent === payment.providerReference,
      );
      if (!isLate && ledger.charges.some((one) => isOf(operation, one)))
        found.push(`${nameOf(operation)} FAILED, and was charged`);
      if (ledger.refunds.some((one) => isOf(operation, one) && one.status !== "failed"))
        found.push(`${nameOf(operation)} FAILED, and the money went back`);
    }
  return found;
}

function unfinished({ payments }: History): string[] {
  return allOperations(payments).flatMap(({ kind, key, state, lastError, result }) => {
    if (state === "SUCCEEDED" || state === "FAILED")
      return result === null ? [`${kind} ${key} is ${state} without a result`] : [];
    if (state === "PARKED") return lastError ? [] : [`${kind} ${key} is PARKED without a reason`];
    return [`${kind} ${key} is still ${state}`];
  });
}
