import type { App } from "../app";
import { readOnly, type Reader } from "../db/transaction";
import type { Claim } from "../idempotency/claim-key";
import { findOperation } from "../idempotency/find-operations";
import { isAlive, type Lookup, type Snapshot } from "../providers/provider";
import { ProviderAccount } from "../providers/provider-account.entity";
import { Refusal } from "../shared/refusal";
import { keptOf, type ShownConflict } from "./conflict";
import { attemptsOf, findPayment } from "./find-payments";

/**
 * Asks the provider for every charge of a payment that is CONFLICTED, before anything is decided about it.
 * @returns null where there is nothing to decide: T1 finds out why
 * @throws Refusal UNAVAILABLE where the provider does not answer
 */
export async function lookAtConflict(
  app: App,
  merchantId: string,
  claim: Claim,
): Promise<ShownConflict | null> {
  const found = await readOnly(app.db, merchantId, (read) => loadConflict(read, claim));
  if (found === null) return null;
  const { payment, attempts, account } = found;
  const provider = app.providers.of(account);
  // Two questions, one after the other, within the time in which the caller is answered.
  const timeoutMs = Math.min(app.config.providerTimeout, app.config.answerWithin / 2);
  const own = payment.providerReference;
  const [mine, ...others] = await Promise.all([
    own === null ? [] : provider.retrieve(own, timeoutMs).then((seen) => listOf(seen, (one) => [one])),
    ...attempts.map(({ reference, startedAt }) =>
      provider.findByReference(reference, startedAt, timeoutMs).then((seen) => listOf(seen, (all) => all)),
    ),
  ]);
  const charges = distinct([...(mine ?? []), ...others.flat()]);
  const kept = keptOf(payment, charges);
  if (kept === null) return null;
  const refunds = listOf(await provider.findRefunds(kept.reference, timeoutMs), (all) => all);
  return {
    version: payment.version,
    attempts: attempts.map(({ reference }) => reference),
    kept,
    extra: charges.filter((one) => one !== kept && isAlive(one)),
    refunds,
  };
}

/** Nobody is asked for a key that is held, nor about a payment that nothing contradicts. */
async function loadConflict(read: Reader, { kind, idempotencyKey, paymentId }: Claim) {
  if (await findOperation(read, { key: { kind, idempotencyKey } })) return null;
  const payment = await findPayment(read, { id: paymentId });
  if (payment?.status !== "CONFLICTED") return null;
  const { merchantId, manager } = read;
  const create = await findOperation(read, {
    key: { kind: "CREATE_PAYMENT", idempotencyKey: payment.idempotencyKey },
  });
  const attempts = create ? await attemptsOf(read, [create.id]) : [];
  const id = payment.providerAccountId;
  return {
    payment,
    attempts,
    account: await manager.findOneByOrFail(ProviderAccount, { merchantId, id }),
  };
}

function listOf<T, R>(seen: Lookup<T>, of: (value: T) => R[]): R[] {
  if (seen.kind === "found") return of(seen.value);
  if (seen.kind === "absent") return [];
  throw new Refusal(
    "UNAVAILABLE",
    "The provider cannot be asked what is so, and nothing was decided. Send the same key again.",
    { retryAfterMs: 1_000 },
  );
}

function distinct(charges: Snapshot[]): Snapshot[] {
  return [...new Map(charges.map((one) => [one.reference, one])).values()];
}
