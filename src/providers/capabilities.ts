import type { Money } from "../shared/money";
import type { Capabilities } from "./provider";
import type { ProviderName } from "./provider-account.entity";
import { stripeAmount } from "./stripe/currencies";

/** What can be said of a provider before it is asked: data, and the amounts that it cannot count. */
export interface ProviderFacts extends Capabilities {
  /** Why the provider cannot be asked for an amount; null where it can. */
  refuses(money: Money): string | null;
}

const HOUR = 3_600;

/** What both speak: Stripe's wire. Its keys live 24 hours at least; we stop well before, for clocks that differ. */
const STRIPE_WIRE = {
  methods: {
    CARD: { captureModes: ["AUTOMATIC", "MANUAL"], currencies: null },
    PIX: { captureModes: ["AUTOMATIC"], currencies: ["BRL"] },
    BOLETO: { captureModes: ["AUTOMATIC"], currencies: ["BRL"] },
  },
  keyRetentionSeconds: 20 * HOUR,
  refuses: (money: Money) => {
    const counted = stripeAmount(money);
    return counted.ok ? null : counted.message;
  },
} as const;

/** The facts of each provider, by name. */
export const CAPABILITIES: Readonly<Record<ProviderName, ProviderFacts>> = {
  // The sandbox's list is read-after-write, and it executes what reaches it within 10 s.
  sandbox: { ...STRIPE_WIRE, absenceProvesNothingSeconds: 10 },
  // Stripe's list is read-after-write too. Its own client waits up to 80 s for a reply, so a request may be at work for
  // that long after our deadline; to conclude too early would risk a second charge.
  stripe: { ...STRIPE_WIRE, absenceProvesNothingSeconds: 120 },
};
