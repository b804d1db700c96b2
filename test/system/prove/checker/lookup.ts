import type { Call, History, OperationRead, PaymentRead } from "./history";

/** Null counts as nothing. */
export const sum = (amounts: (number | null)[]) =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);

/** In the order in which their names come first; what has none is left out. */
export function groups<T>(all: readonly T[], by: (one: T) => string | null): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const name = by(one);
    if (name !== null) found.set(name, [...(found.get(name) ?? []), one]);
  }
  return found;
}

/** What an idempotency key names. */
export const nameOf = ({ kind, key }: Pick<OperationRead, "kind" | "key">) => `${kind} ${key}`;

/** Calls of one kind and key. */
export const byKey = (calls: Call[]) =>
  groups(calls, ({ intent, key }) => nameOf({ kind: intent.kind, key }));

export const allOperations = (payments: PaymentRead[]) => payments.flatMap(({ operations }) => operations);

/** Whether one of the operation's attempts made it. */
export const isOf = ({ attempts }: OperationRead, { reference }: { reference: string | null }) =>
  attempts.some((attempt) => attempt.reference === reference);

/** Every charge that any attempt of the payment's create made. */
export function chargesOf({ operations }: PaymentRead, { charges }: History["ledger"]) {
  const create = operations.find(({ kind }) => kind === "create");
  return charges.filter((charge) => create && isOf(create, charge));
}

/** Minor units that others than the gateway moved at the provider. */
export function deedsOf({ providerReference }: PaymentRead, deeds: History["deeds"]) {
  const of = (kind: string) =>
    sum(
      deeds
        .filter((one) => one.paymentIntent === providerReference && one.kind === kind)
        .map(({ minor }) => minor),
    );
  return { capture: of("capture"), revoke: of("revoke") };
}

/** True where nothing runs or waits for an operator. */
export const isSettled = ({ status, operations }: PaymentRead) =>
  status !== "CONFLICTED" && operations.every(({ state }) => state === "SUCCEEDED" || state === "FAILED");

/** From a contradiction on, the provider's amounts are what an operator makes of them, not what was asked for. */
export const wasConflicted = ({ events }: PaymentRead) =>
  events.some(({ type }) => type === "payment.conflicted");
