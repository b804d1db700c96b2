import { mayFollow, prefixSums } from "./events";
import type { Call, History, Invariant, OperationRead, PaymentRead, Standing, Violation } from "./history";
import { linearize } from "./linearize";
import { BEFORE, pointsOf } from "./payment-model";

/** Everything that was promised and did not hold; empty where all did. */
export function check(history: History): Violation[] {
  return (Object.entries(INVARIANTS) as [Invariant, (history: History) => string[]][]).flatMap(
    ([invariant, find]) => find(history).map((detail) => ({ invariant, detail })),
  );
}

/** How each promise is checked: what breaks it, in words. */
const INVARIANTS: Record<Invariant, (history: History) => string[]> = {
  "one charge for each key": chargedTwice,
  "what was acknowledged is there": lost,
  "both ledgers agree": disagreements,
  "replays equal the first result": otherAnswers,
  "refunds are bounded at every prefix": exceeded,
  "a definite no is definite": broken,
  "every operation ends or is parked with a reason": unfinished,
  "no event without a change, no change without its event": untold,
  "each payment is linearizable": unordered,
};

type Ledger = History["ledger"];
type Charge = Ledger["charges"][number];

const sum = (amounts: (number | null)[]) =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);

function groups<T>(all: readonly T[], by: (one: T) => string | null): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const name = by(one);
    if (name !== null) found.set(name, [...(found.get(name) ?? []), one]);
  }
  return found;
}

const create = ({ operations }: PaymentRead) => operations.find(({ kind }) => kind === "create");

/** Every charge that any attempt of the payment's create made. */
function chargesOf(payment: PaymentRead, { charges }: Ledger): Charge[] {
  const references = create(payment)?.attempts.map(({ reference }) => reference) ?? [];
  return charges.filter(({ reference }) => reference !== null && references.includes(reference));
}

const isSettled = ({ status, operations }: PaymentRead) =>
  status !== "CONFLICTED" && operations.every(({ state }) => state === "SUCCEEDED" || state === "FAILED");

function chargedTwice({ ledger, payments, deeds }: History): string[] {
  const found = [...groups(ledger.charges, ({ reference }) => reference)].flatMap(([reference, charges]) =>
    charges.length > 1 ? [`${charges.length} charges under ${reference}`] : [],
  );
  const held = ledger.refunds.filter(({ status }) => status !== "failed");
  for (const [reference, refunds] of groups(held, (one) => one.reference))
    if (refunds.length > 1) found.push(`${refunds.length} refunds under ${reference}`);
  for (const payment of payments) {
    const charges = chargesOf(payment, ledger);
    if (charges.length > 1 && !found.length)
      found.push(`${payment.id}: its one key made ${charges.length} charges`);
    const asked = payment.captureMode === "MANUAL" ? capturedByKeys(payment) : payment.minor;
    const moved = deedsOf(payment, deeds);
    const taken = sum(charges.map(({ captured }) => captured)) - moved.capture + moved.revoke;
    if (isSettled(payment) && taken > asked)
      found.push(`${payment.id}: ${taken} were captured, and its keys asked for ${asked}`);
  }
  for (const [key, operations] of groups(allOperations(payments), ({ kind, key }) => `${kind} ${key}`))
    if (operations.length > 1) found.push(`${operations.length} operations of the one key ${key}`);
  return found;
}

const allOperations = (payments: PaymentRead[]) => payments.flatMap(({ operations }) => operations);

const capturedByKeys = ({ operations }: PaymentRead) =>
  sum(
    operations
      .filter(({ kind, state }) => kind === "capture" && state === "SUCCEEDED")
      .map(({ minor }) => minor),
  );

function deedsOf({ providerReference }: PaymentRead, deeds: History["deeds"]) {
  const of = (kind: string) =>
    sum(
      deeds
        .filter((one) => one.paymentIntent === providerReference && one.kind === kind)
        .map(({ minor }) => minor),
    );
  return { capture: of("capture"), revoke: of("revoke"), refund: of("refund") };
}

function lost({ calls, payments, ledger }: History): string[] {
  const known = new Map(allOperations(payments).map((one) => [one.id, one]));
  const found: string[] = [];
  for (const { key, answer } of calls) {
    if (answer?.kind !== "operation") continue;
    const operation = known.get(answer.operationId);
    if (!operation || operation.key !== key)
      found.push(`${key}: its operation ${answer.operationId} is gone`);
    else if (answer.result !== null && operation.state !== answer.state)
      found.push(`${key}: ${answer.state} was acknowledged, now it is ${operation.state}`);
  }
  for (const payment of payments)
    for (const operation of payment.operations)
      if (operation.state === "SUCCEEDED" && !isAtProvider(operation, payment, ledger))
        found.push(`${operation.kind} ${operation.key} SUCCEEDED, and the provider knows nothing of it`);
  return found;
}

function isAtProvider(
  { kind, result, attempts }: OperationRead,
  payment: PaymentRead,
  ledger: Ledger,
): boolean {
  const charges = chargesOf(payment, ledger);
  if (kind === "capture") return charges.length > 0;
  if (kind === "create") {
    const hasMoney = (result?.captured ?? 0) > 0 || result?.paymentStatus === "AUTHORIZED";
    return charges.length > 0 || !hasMoney;
  }
  // Money that came late is held again; that both sides know it is a promise of its own.
  if (kind === "cancel") return charges.every((one) => one.status !== "authorized") || wasLate(payment);
  return ledger.refunds.some(({ reference }) => attempts.some((attempt) => attempt.reference === reference));
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

/** Calls of one kind and key. */
const byKey = (calls: Call[]) => groups(calls, ({ intent, key }) => `${intent.kind} ${key}`);

function otherAnswers({ calls, payments }: History): string[] {
  const found: string[] = [];
  const known = groups(allOperations(payments), ({ kind, key }) => `${kind} ${key}`);
  for (const [name, repeats] of byKey(calls)) {
    const answers = repeats.flatMap(({ answer }) => (answer?.kind === "operation" ? [answer] : []));
    const ids = new Set(answers.map(({ operationId }) => operationId));
    if (ids.size > 1) found.push(`${name} was answered with ${ids.size} operations`);
    const firsts = answers.filter(({ replayed }) => !replayed);
    if (firsts.length > 1) found.push(`${name} was new ${firsts.length} times`);
    const kept = known.get(name)?.flatMap(({ result, state }) => (result ? [{ result, state }] : [])) ?? [];
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
      return isBound || payment.status === "CONFLICTED"
        ? []
        : [`${payment.id} after event ${nth + 1}: ${sums}`];
    }),
  );
  for (const { id, captured, refunded, amount } of ledger.charges)
    if (refunded > captured || captured > amount)
      found.push(`the provider's ${id} of ${amount}: captured ${captured}, refunded ${refunded}`);
  return found;
}

function broken({ calls, payments, ledger, deeds }: History): string[] {
  const found: string[] = [];
  const known = new Set(allOperations(payments).map(({ kind, key }) => `${kind} ${key}`));
  for (const [name, repeats] of byKey(calls)) {
    const isRefused = repeats.every(({ answer }) => answer?.kind === "refused");
    if (isRefused && known.has(name))
      found.push(`${name} was refused each time, and there is an operation of it`);
  }
  for (const payment of payments)
    for (const { kind, key, state, attempts } of payment.operations) {
      if (state !== "FAILED") continue;
      const references = attempts.map(({ reference }) => reference);
      const has = ({ reference }: { reference: string | null }) => references.includes(reference ?? "");
      const isLate = deeds.some(
        (one) => one.kind.startsWith("pay") && one.paymentIntent === payment.providerReference,
      );
      if (kind === "create" && !isLate && ledger.charges.some(has))
        found.push(`${key} FAILED, and was charged`);
      if (kind === "refund" && ledger.refunds.some((one) => has(one) && one.status !== "failed"))
        found.push(`the refund ${key} FAILED, and the money went back`);
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

function untold({ payments, calls }: History): string[] {
  const found: string[] = [];
  for (const payment of payments) {
    const sums = prefixSums(payment);
    let status = "PROCESSING";
    for (const [nth, event] of payment.events.entries()) {
      if (event.sequence !== nth + 1)
        found.push(`${payment.id}: event ${nth + 1} has the number ${event.sequence}`);
      if (!mayFollow(status, event))
        found.push(`${payment.id}: ${event.type} made ${event.status} of ${status}`);
      status = event.status;
    }
    if (payment.events[0]?.type !== "payment.created") found.push(`${payment.id}: its creation is not told`);
    const last = sums.at(-1);
    if (payment.status === "CONFLICTED") continue;
    const isTold = last && hasSums(last, payment);
    if (!isTold) found.push(`${payment.id}: it is ${show(payment)}, its events add up to ${show(last)}`);
    for (const { answer, key } of calls)
      if (answer?.kind === "operation" && answer.payment.id === payment.id)
        if (!sums.some((one) => hasSums(one, answer.payment)))
          found.push(`${key} showed ${payment.id} as ${show(answer.payment)}, which no event told of`);
  }
  return found;
}

type Sums = Pick<PaymentRead, "status" | "captured" | "refunded">;

const hasSums = (sums: Sums, shown: Sums) =>
  sums.status === shown.status && sums.captured === shown.captured && sums.refunded === shown.refunded;

const show = (sums: Sums | undefined) =>
  sums ? `${sums.status}, captured ${sums.captured}, refunded ${sums.refunded}` : "nothing";

function unordered(history: History): string[] {
  return [...goneBack(history), ...history.payments.flatMap((payment) => outOfOrder(payment, history))];
}

/** A version is one standing, and no later look shows an earlier one. */
function goneBack({ calls, payments }: History): string[] {
  const found: string[] = [];
  const looks = calls.flatMap(({ begun, ended, answer }) =>
    answer?.kind === "operation" ? [{ begun, ended, shown: answer.payment }] : [],
  );
  const last = payments.map((shown) => ({ begun: Infinity, ended: Infinity, shown }));
  for (const [id, all] of groups([...looks, ...last], ({ shown }) => shown.id)) {
    for (const [version, same] of groups(all, ({ shown }) => String(shown.version))) {
      const ways = new Set(same.map(({ shown }) => standing(shown)));
      if (ways.size > 1)
        found.push(`${id}: version ${version} was shown in ${ways.size} ways: ${[...ways].join("; ")}`);
    }
    for (const one of all)
      for (const later of all)
        if (later.begun > one.ended && later.shown.version < one.shown.version)
          found.push(`${id}: version ${later.shown.version} was shown after version ${one.shown.version}`);
  }
  return found;
}

const standing = ({ status, captured, capturable, refunded, refundable }: Standing) =>
  `${status}, captured ${captured}, capturable ${capturable}, refunded ${refunded}, refundable ${refundable}`;

function outOfOrder(payment: PaymentRead, history: History): string[] {
  if (payment.status === "CONFLICTED") return [];
  const points = pointsOf(payment, history);
  const found = linearize(points, BEFORE, JSON.stringify);
  if ("order" in found) return [];
  return [
    `${payment.id}: no order explains its history; after ${found.stuckAfter.join(", ") || "nothing"} came none of ${found.before.join(", ")}`,
  ];
}
