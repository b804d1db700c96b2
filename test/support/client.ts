/** What a GraphQL endpoint answered. */
export interface Reply<D = Record<string, unknown>> {
  data: D | null;
  errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

/** Sends one GraphQL request over HTTP, as any client does. */
export async function send<D = Record<string, unknown>>(
  url: string,
  key: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Reply<D>> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Reply<D>;
}

export const CREATE = /* GraphQL */ `
  mutation Create($key: IdempotencyKey!, $input: CreatePaymentInput!) {
    createPayment(idempotencyKey: $key, input: $input) {
      replayed
      payment {
        id
        status
        version
        amount {
          amount
          currency
          minorUnits
        }
        capturedAmount {
          minorUnits
        }
        providerReference
        failure {
          kind
          code
          retryAdvice
        }
        createdAt
      }
      operation {
        id
        state
        replayCount
        collisionCount
        result {
          paymentStatus
          capturedAmount {
            minorUnits
          }
          failure {
            code
          }
          recordedAt
        }
        attempts {
          number
          reference
          providerReference
          outcome
          evidence
        }
      }
    }
  }
`;

export interface Created {
  createPayment: {
    replayed: boolean;
    payment: {
      id: string;
      status: string;
      version: number;
      amount: { amount: string; currency: string; minorUnits: string };
      capturedAmount: { minorUnits: string };
      providerReference: string | null;
      failure: { kind: string; code: string; retryAdvice: string } | null;
      createdAt: string;
    };
    operation: {
      id: string;
      state: string;
      replayCount: number;
      collisionCount: number;
      result: {
        paymentStatus: string;
        capturedAmount: { minorUnits: string };
        failure: { code: string } | null;
        recordedAt: string;
      } | null;
      attempts: {
        number: number;
        reference: string;
        providerReference: string | null;
        outcome: string | null;
        evidence: string | null;
      }[];
    };
  } | null;
}

const CHANGED = /* GraphQL */ `
  replayed
  payment {
    id
    status
    version
    availableActions
    capturedAmount {
      amount
    }
    capturableAmount {
      amount
    }
    refundedAmount {
      amount
    }
    refundableAmount {
      amount
    }
  }
  operation {
    id
    kind
    state
    amount {
      amount
    }
    result {
      paymentStatus
      refundStatus
      capturedAmount {
        amount
      }
      refundedAmount {
        amount
      }
      failure {
        code
      }
    }
  }
`;

export const CAPTURE = `mutation ($key: IdempotencyKey!, $input: CapturePaymentInput!) {
  change: capturePayment(idempotencyKey: $key, input: $input) { ${CHANGED} }
}`;
export const CANCEL = `mutation ($key: IdempotencyKey!, $input: CancelPaymentInput!) {
  change: cancelPayment(idempotencyKey: $key, input: $input) { ${CHANGED} }
}`;
export const REFUND = `mutation ($key: IdempotencyKey!, $input: RefundPaymentInput!) {
  change: refundPayment(idempotencyKey: $key, input: $input) {
    ${CHANGED}
    refund { id status amount { amount } failure { code } providerReference idempotencyKey }
  }
}`;

/** What a capture, a cancel or a refund answers. */
export interface Changed {
  change: {
    replayed: boolean;
    payment: {
      id: string;
      status: string;
      version: number;
      availableActions: string[];
      capturedAmount: { amount: string };
      capturableAmount: { amount: string };
      refundedAmount: { amount: string };
      refundableAmount: { amount: string };
    };
    operation: {
      id: string;
      kind: string;
      state: string;
      amount: { amount: string } | null;
      result: {
        paymentStatus: string;
        refundStatus: string | null;
        capturedAmount: { amount: string };
        refundedAmount: { amount: string };
        failure: { code: string } | null;
      } | null;
    };
    refund?: {
      id: string;
      status: string;
      amount: { amount: string };
      failure: { code: string } | null;
      providerReference: string | null;
      idempotencyKey: string | null;
    };
  } | null;
}

/** The input of a card payment. */
export function card(amount: string, over: Record<string, unknown> = {}, token = "pm_card_visa") {
  return { amount: { amount, currency: "BRL" }, method: { card: { token } }, ...over };
}

/** What the sandbox holds: every charge that took effect. */
export interface Ledger {
  charges: {
    id: string;
    paymentIntent: string;
    reference: string | null;
    amount: number;
    currency: string;
    captured: number;
    /** Held, and not taken yet. */
    capturable: number;
    refunded: number;
    status: string;
  }[];
  refunds: { id: string; charge: string; reference: string | null; amount: number; status: string }[];
  calls: { create: number; capture: number; cancel: number; refund: number };
}

/** @param after the id of a charge: only what came after it */
export async function ledgerOf(sandboxUrl: string, after: string | null = null): Promise<Ledger> {
  const rest = after === null ? "" : `?afterCharge=${after}`;
  const response = await fetch(`${sandboxUrl}/_sandbox/ledger${rest}`);
  if (!response.ok) throw new Error(await response.text());
  const ledger = (await response.json()) as Ledger;
  if (ledger.charges.length >= CHARGES_AT_ONCE) throw new Error("the ledger is longer than is read at once");
  return ledger;
}

/** The sandbox gives so many at most: a part of its ledger must not pass for the whole. */
const CHARGES_AT_ONCE = 10_000;

/** Sets any subset of the sandbox's faults. */
export async function setFaults(sandboxUrl: string, faults: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${sandboxUrl}/_sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** What a payer does at the sandbox. Returns the status of the answer: 409 where it can no longer be done. */
export async function payAtSandbox(
  sandboxUrl: string,
  paymentIntent: string | null,
  outcome: "complete" | "fail",
  late = false,
): Promise<number> {
  const body = JSON.stringify({ paymentIntent, outcome, late });
  return (await fetch(`${sandboxUrl}/_sandbox/pay`, { method: "POST", body })).status;
}

/** Lets the sandbox's clock go on. */
export async function advanceClock(sandboxUrl: string, advanceSeconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds });
  const response = await fetch(`${sandboxUrl}/_sandbox/clock`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
}

/** Asks again until `holds` does. Bounded: a test that waits for ever proves nothing. */
export async function until<T>(
  ask: () => Promise<T>,
  holds: (value: T) => boolean,
  withinMs: number,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (performance.now() > end)
      throw new Error(`did not hold within ${withinMs} ms: ${JSON.stringify(value).slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
