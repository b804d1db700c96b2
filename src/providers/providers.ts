import type { Config } from "../config";
import type { Clock } from "../shared/clock";
import type { Cipher } from "../shared/encryption";
import type { ProviderAccount } from "./provider-account.entity";
import type { Provider } from "./provider";
import { createStripeProvider } from "./stripe/stripe-provider";

/** The connectors of this process: one for each provider account, made when it is first needed. */
export class Providers {
  private readonly made = new Map<string, Provider>();
  private readonly silent = new Set<string>();

  constructor(
    private readonly config: Config,
    private readonly cipher: Cipher,
    private readonly clock: Clock,
  ) {}

  /** The connector that speaks for an account. */
  of(account: ProviderAccount): Provider {
    const known = `${account.id}/${account.secret.toString("base64")}`;
    const provider = this.made.get(known) ?? this.make(account);
    this.made.set(known, provider);
    return provider;
  }

  /**
   * Notes whether an account's provider answered just now.
   * @returns true where it answers again after it had fallen silent
   */
  noteAnswer(account: ProviderAccount, answered: boolean): boolean {
    if (!answered) this.silent.add(account.id);
    return answered && this.silent.delete(account.id);
  }

  private make(account: ProviderAccount): Provider {
    const url = account.provider === "sandbox" ? this.config.sandboxUrl : undefined;
    return createStripeProvider({
      name: account.provider,
      secretKey: this.cipher.open(account.secret, accountSecretContext(account)),
      url,
      clock: this.clock,
    });
  }
}

/** What binds an account's encrypted webhook secret to its row. */
export function webhookSecretContext(account: { merchantId: string; id: string }): string {
  return `provider_accounts/${account.merchantId}/${account.id}/webhook`;
}

/** What binds an account's encrypted secret to its row. */
export function accountSecretContext(account: { merchantId: string; id: string }): string {
  return `provider_accounts/${account.merchantId}/${account.id}`;
}
