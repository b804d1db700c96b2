/** What a tab begins with. */
export interface Tab {
  query: string;
  variables: string;
  headers: string;
}

/** A mutation of this name, for this card, which asks for these fields beside those of every payment. */
function mutation(
  name: string,
  comment: string,
  { token = "pm_card_visa", payment = "", more = "" },
): string {
  return `${comment}
mutation ${name}(
  $key: IdempotencyKey!
  $amount: Decimal!
) {
  createPayment(
    idempotencyKey: $key
    input: {
      amount: { amount: $amount, currency: "BRL" }
      method: { card: { token: "${token}" } }
    }
  ) {
    replayed
    payment {
      id
      status
      amount {
        amount
        currency
      }${payment}
    }${more}
  }
}`;
}

const CREATE = mutation(
  "CreatePayment",
  `# Takes 10.50 from a card.
# Expect CAPTURED, and replayed: false.
# Run it twice: nothing is charged again.`,
  {},
);

const REPLAY = mutation(
  "ReplayPayment",
  `# CreatePayment's key and content once more,
# as a client sends that has lost the answer.
# Expect the same id, and replayed: true.`,
  {},
);

const CONFLICT = mutation(
  "ConflictingPayment",
  `# CreatePayment's key, another amount. Expect
# CONFLICT; changedFields names the amount.
# Nothing is charged.`,
  {},
);

const DECLINED = mutation(
  "DeclinedPayment",
  `# A card without funds. Expect FAILED, and why:
# a decline is data, not an error.
# To try again is a new intent: take a new key.`,
  {
    token: "pm_card_visa_chargeDeclinedInsufficientFunds",
    payment: `
      failure {
        code
        message
        retryAdvice
      }`,
  },
);

const IN_DOUBT = mutation(
  "PaymentInDoubt",
  `# The provider charges, and its answer is lost.
# Expect IN_DOUBT: nobody claims to know.
# Run it again, a few seconds later: CAPTURED,
# charged once. evidence says how that is known.`,
  {
    token: "pm_sandbox_replyLost",
    more: `
    operation {
      state
      nextAttemptAt
      attempts {
        outcome
        evidence
      }
    }`,
  },
);

const DASHBOARD = `# The newest payments of this key's merchant.
# Expect CreatePayment's among them, once.
query DashboardPayments($first: Int!) {
  payments(first: $first) {
    nodes {
      id
      status
      amount {
        amount
        currency
      }
      failure {
        code
      }
      idempotencyKey
      createdAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`;

/** Random enough to be used once; `crypto.randomUUID` is missing on plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `playground-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** The tabs that a visit begins with. Create, replay and conflict share a key that is new with each visit. */
export function visitTabs(headers: string): [Tab, ...Tab[]] {
  const key = newKey();
  const tab = (query: string, variables: unknown): Tab => ({ query, variables: json(variables), headers });
  return [
    tab(CREATE, { key, amount: "10.50" }),
    tab(REPLAY, { key, amount: "10.50" }),
    tab(CONFLICT, { key, amount: "99.00" }),
    tab(DECLINED, { key: newKey(), amount: "10.50" }),
    tab(IN_DOUBT, { key: newKey(), amount: "10.50" }),
    tab(DASHBOARD, { first: 10 }),
  ];
}

/** What the headers editor begins with. */
export function headersWith(key: string): string {
  return json({ Authorization: `Bearer ${key}` });
}
