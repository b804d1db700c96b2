import { Refusal } from "../shared/refusal";
import type { Money } from "../shared/money";
import type { ProviderAccount } from "./provider-account.entity";
import { CAPABILITIES } from "./capabilities";
import type { PaymentMethodType } from "./payer-action";
import type { MethodFacts } from "./provider";

/** What a payment needs of an account. */
export interface Wanted {
  methodType: PaymentMethodType;
  captureMode: "AUTOMATIC" | "MANUAL";
  money: Money;
  /** The account whose vault made the card's token, where the caller named one. */
  accountId: string | null;
}

/**
 * The account that a new payment goes to: the first by priority that takes it.
 * @throws Refusal BAD_USER_INPUT that names what no account supports
 */
export function chooseAccount(accounts: readonly ProviderAccount[], wanted: Wanted): ProviderAccount {
  const enabled = accounts.filter((account) => account.enabled);
  const named = enabled.filter((account) => wanted.accountId === null || account.id === wanted.accountId);
  if (named.length === 0 && wanted.accountId !== null)
    throw unsupported("input.method.card.providerAccountId", "no account of this merchant has this id");
  const takesMethod = named.flatMap((account) => {
    const facts: MethodFacts | undefined = CAPABILITIES[account.provider].methods[wanted.methodType];
    return facts ? [{ account, facts }] : [];
  });
  if (takesMethod.length === 0)
    throw unsupported(`input.method.${wanted.methodType.toLowerCase()}`, "no account takes this method");
  const takesMode = takesMethod.filter(({ facts }) => facts.captureModes.includes(wanted.captureMode));
  if (takesMode.length === 0)
    throw unsupported("input.captureMode", "no account that takes this method supports this capture mode");
  const { currency } = wanted.money;
  const takesCurrency = takesMode.filter(({ facts }) => facts.currencies?.includes(currency) ?? true);
  if (takesCurrency.length === 0)
    throw unsupported("input.amount.currency", `no account takes ${currency} by this method`);
  const refusals = takesCurrency.map(({ account }) => CAPABILITIES[account.provider].refuses(wanted.money));
  const taken = takesCurrency.flatMap(({ account }, index) => (refusals[index] === null ? [account] : []));
  const first = taken.sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))[0];
  if (first) return first;
  throw unsupported("input.amount", refusals[0] ?? "no account takes this amount");
}

function unsupported(path: string, message: string): Refusal {
  return new Refusal("BAD_USER_INPUT", "No provider account takes this payment.", {
    fields: [{ path, message }],
  });
}
