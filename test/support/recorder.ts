import type {
  Answer,
  Call,
  Deed,
  History,
  Intent,
  OperationRead,
  PaymentRead,
  Result,
  Standing,
} from "../system/prove/checker/history";
import { ledgerOf, send } from "./client";

/** Where a recorded gateway is, and as whom it is called. */
export interface Recorded {
  url: string;
  apiKey: string;
  sandboxUrl: string;
}

/** Calls a gateway, and keeps what was asked, answered and done as the checker's history. */
export class Recorder {
  readonly calls: Call[] = [];
  readonly deeds: Deed[] = [];
  /** The provider's last charge that is none of ours. */
  private after: string | null = null;

  constructor(private readonly at: Recorded) {}

  /**
   * One call of a mutation. It never rejects: a lost answer is a call without one.
   * @param input a create's input; the others' is made of the intent
   * @param url of another process of the same gateway
   */
  async call(
    key: string,
    intent: Intent,
    input: Record<string, unknown> = {},
    url = this.at.url,
  ): Promise<Call> {
    const call: Call = { key, intent, begun: performance.now(), ended: Infinity, answer: null };
    this.calls.push(call);
    const variables = { key, input: intent.kind === "create" ? input : inputOf(intent) };
    call.answer = await send<Mutated>(url, this.at.apiKey, DOCUMENTS[intent.kind], variables).then(
      answerOf,
      () => null,
    );
    call.ended = performance.now();
    return call;
  }

  /** Something that is done at the provider: kept where the provider took it. */
  async deed(what: Omit<Deed, "begun" | "ended">, act: () => Promise<boolean>): Promise<boolean> {
    const begun = performance.now();
    const isTaken = await act();
    if (isTaken) this.deeds.push({ ...what, begun, ended: performance.now() });
    return isTaken;
  }

  /** What the provider's books hold already is of others: it is left out from here on. */
  async begin(): Promise<void> {
    this.after = (await ledgerOf(this.at.sandboxUrl)).charges.at(-1)?.id ?? null;
  }

  /** The history so far, with these payments as the gateway shows them and the provider's books. */
  async history(paymentIds: string[]): Promise<History> {
    const payments: PaymentRead[] = [];
    for (const id of paymentIds) payments.push(await readPayment(this.at, id));
    const ledger = await ledgerOf(this.at.sandboxUrl, this.after);
    return { calls: this.calls, deeds: this.deeds, ledger, payments };
  }
}

/** The ids of every payment of the merchant. */
export async function allPaymentIds({ url, apiKey }: Recorded): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const reply: Awaited<ReturnType<typeof send<Listed>>> = await send<Listed>(url, apiKey, LIST, { after });
    if (!reply.data) throw new Error(`payments cannot be listed: ${JSON.stringify(reply.errors)}`);
    const { nodes, pageInfo } = reply.data.payments;
    ids.push(...nodes.map(({ id }) => id));
    if (!pageInfo.hasNextPage) return ids;
    after = pageInfo.endCursor;
  }
}

const LIST = `query ($after: String) {
  payments(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
}`;
interface Listed {
  payments: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const MONEY = "{ minorUnits }";
const STANDING = `id status version capturedAmount ${MONEY} capturableAmount ${MONEY}
  refundedAmount ${MONEY} refundableAmount ${MONEY}`;
const RESULT = `result { paymentStatus refundStatus capturedAmount ${MONEY} refundedAmount ${MONEY} failure { code } }`;
const MUTATED = `{ replayed payment { ${STANDING} } operation { id state ${RESULT} } }`;

const mutation = (name: string, input: string) => `mutation ($key: IdempotencyKey!, $input: ${input}!) {
  change: ${name}(idempotencyKey: $key, input: $input) ${MUTATED}
}`;
const DOCUMENTS: Record<Intent["kind"], string> = {
  create: mutation("createPayment", "CreatePaymentInput"),
  capture: mutation("capturePayment", "CapturePaymentInput"),
  cancel: mutation("cancelPayment", "CancelPaymentInput"),
  refund: mutation("refundPayment", "RefundPaymentInput"),
};

interface Money {
  minorUnits: string;
}
interface ShownStanding {
  id: string;
  status: string;
  version: number;
  capturedAmount: Money;
  capturableAmount: Money;
  refundedAmount: Money;
  refundableAmount: Money;
}
interface ShownResult {
  paymentStatus: string;
  refundStatus: string | null;
  capturedAmount: Money;
  refundedAmount: Money;
  failure: { code: string } | null;
}
interface Mutated {
  change: {
    replayed: boolean;
    payment: ShownStanding;
    operation: { id: string; state: string; result: ShownResult | null };
  };
}

const minorOf = ({ minorUnits }: Money) => Number(minorUnits);

/** Of amounts in BRL, which has two decimals. */
function inputOf(intent: Exclude<Intent, { kind: "create" }>): Record<string, unknown> {
  const { paymentId } = intent;
  if (intent.kind === "cancel") return { paymentId };
  const amount = intent.minor === null ? null : { amount: (intent.minor / 100).toFixed(2), currency: "BRL" };
  return intent.kind === "capture" ? { paymentId, amount, final: intent.final } : { paymentId, amount };
}

/** Where nobody knows whether the call started something, it is as without an answer. */
const UNKNOWN = ["UNAVAILABLE", "INTERNAL_SERVER_ERROR"];

function answerOf({ data, errors }: Awaited<ReturnType<typeof send<Mutated>>>): Answer | null {
  const extensions = errors?.[0]?.extensions;
  if (extensions) {
    const { code, reason } = extensions as { code: string; reason?: string };
    return UNKNOWN.includes(code) ? null : { kind: "refused", code, reason: reason ?? null };
  }
  if (!data?.change) return null;
  const { replayed, payment, operation } = data.change;
  const { id: operationId, state, result } = operation;
  return {
    kind: "operation",
    operationId,
    state,
    replayed,
    result: resultOf(result),
    payment: standingOf(payment),
  };
}

function standingOf(shown: ShownStanding): Standing {
  const { id, status, version } = shown;
  return {
    ...{ id, status, version },
    captured: minorOf(shown.capturedAmount),
    capturable: minorOf(shown.capturableAmount),
    refunded: minorOf(shown.refundedAmount),
    refundable: minorOf(shown.refundableAmount),
  };
}

function resultOf(shown: ShownResult | null): Result | null {
  if (shown === null) return null;
  const { paymentStatus, refundStatus, failure } = shown;
  return {
    ...{ paymentStatus, refundStatus },
    captured: minorOf(shown.capturedAmount),
    refunded: minorOf(shown.refundedAmount),
    failure: failure?.code ?? null,
  };
}

const LIFE = `query ($id: ID!) { payment(by: { id: $id }) {
  ${STANDING} amount ${MONEY} captureMode availableActions providerReference
  operations(first: 100) { nodes {
    id kind idempotencyKey state amount ${MONEY} ${RESULT} lastError attempts { reference providerReference outcome }
  } pageInfo { hasNextPage } }
  refunds(first: 100) {
    nodes { id status amount ${MONEY} idempotencyKey providerReference } pageInfo { hasNextPage }
  }
  events(first: 100) {
    nodes { type sequence status amount ${MONEY} operation { id } refund { id } } pageInfo { hasNextPage }
  }
} }`;

interface Shown<T> {
  nodes: T[];
  pageInfo: { hasNextPage: boolean };
}

interface ShownLife extends ShownStanding {
  amount: Money;
  captureMode: PaymentRead["captureMode"];
  availableActions: string[];
  providerReference: string | null;
  operations: Shown<ShownOperation>;
  refunds: Shown<{
    id: string;
    status: string;
    amount: Money;
    idempotencyKey: string | null;
    providerReference: string | null;
  }>;
  events: Shown<{
    type: string;
    sequence: number;
    status: string;
    amount: Money | null;
    operation: { id: string } | null;
    refund: { id: string } | null;
  }>;
}
interface ShownOperation {
  id: string;
  kind: string;
  idempotencyKey: string;
  state: string;
  amount: Money | null;
  result: ShownResult | null;
  lastError: string | null;
  attempts: { reference: string; providerReference: string | null; outcome: string | null }[];
}

/**
 * A payment and all that belongs to it.
 * @throws where it cannot be read whole: what is missing would pass for what did not happen
 */
export async function readPayment({ url, apiKey }: Recorded, id: string): Promise<PaymentRead> {
  const { data, errors } = await send<{ payment: ShownLife | null }>(url, apiKey, LIFE, { id });
  if (!data?.payment) throw new Error(`${id} cannot be read: ${JSON.stringify(errors)}`);
  const { payment } = data;
  const { operations, refunds, events } = payment;
  if ([operations, refunds, events].some(({ pageInfo }) => pageInfo.hasNextPage))
    throw new Error(`${id} has more than is read at once`);
  const { captureMode, availableActions, providerReference } = payment;
  return {
    ...standingOf(payment),
    minor: minorOf(payment.amount),
    ...{ captureMode, availableActions, providerReference },
    operations: operations.nodes.map(({ amount, result, idempotencyKey, kind, ...operation }) => ({
      ...operation,
      kind: kind.split("_")[0]?.toLowerCase() as OperationRead["kind"],
      key: idempotencyKey,
      minor: amount && minorOf(amount),
      result: resultOf(result),
    })),
    refunds: refunds.nodes.map(({ amount, idempotencyKey, ...refund }) => ({
      ...refund,
      minor: minorOf(amount),
      key: idempotencyKey,
    })),
    events: events.nodes.map(({ amount, operation, refund, ...event }) => ({
      ...event,
      minor: amount ? minorOf(amount) : 0,
      operationId: operation?.id ?? null,
      refundId: refund?.id ?? null,
    })),
  };
}
