import type { OperationKind } from "../idempotency/operation.entity";
import {
  isAlive,
  isCalledOff,
  isUnsettled,
  type CallOptions,
  type Failure,
  type Lookup,
  type NotHappened,
  type Outcome,
  type Provider,
  type RefundSnapshot,
  type Snapshot,
} from "../providers/provider";
import { assert } from "../shared/assert";
import type { Attempt } from "./attempt.entity";
import type { Payment } from "./payment.entity";
import type { ProviderRequests } from "./provider-request";

/** What a look at the provider showed of an attempt. */
export type Seen =
  | {
      kind: "found";
      outcome: Outcome | Outcome<RefundSnapshot>;
      /** True where a contradiction was seen: an operator decides. */
      confirmed?: boolean;
    }
  | Exclude<Lookup<never>, { kind: "found" }>;

/** What is looked at. */
export interface Sought<K extends OperationKind> {
  payment: Payment;
  attempt: Attempt;
  request: ProviderRequests[K];
  timeoutMs: number;
}

/** How one kind of operation speaks with a provider. */
interface Steps<K extends OperationKind> {
  /** Does it, under the attempt's reference. */
  send(
    provider: Provider,
    request: ProviderRequests[K],
    call: CallOptions,
  ): Promise<Outcome | Outcome<RefundSnapshot>>;
  /** Looks whether it was done, by a consistent read. */
  look(provider: Provider, sought: Sought<K>): Promise<Seen>;
}

/** How each kind of operation is done and found again. Everything else is the same for all of them. */
export const STEPS: { [K in OperationKind]: Steps<K> } = {
  CREATE_PAYMENT: {
    send: (provider, request, call) => provider.authorize(request, call),
    look: lookForPayment,
  },
  CAPTURE_PAYMENT: {
    send: (provider, request, call) => provider.capture(request, call),
    look: (provider, { attempt, request, timeoutMs }) =>
      lookAtPayment(provider, request.payment, timeoutMs, (snapshot) => {
        if (snapshot.capturedBy === attempt.reference) return "happened";
        return snapshot.state === "authorized" ? "not_yet" : "impossible";
      }),
  },
  CANCEL_PAYMENT: {
    send: (provider, request, call) => provider.cancel(request, call),
    look: (provider, { request, timeoutMs }) =>
      lookAtPayment(provider, request.payment, timeoutMs, (snapshot) => {
        if (isCalledOff(snapshot, request)) return "happened";
        return snapshot.state === "captured" || snapshot.state === "failed" ? "impossible" : "not_yet";
      }),
  },
  REFUND_PAYMENT: {
    send: (provider, request, call) => provider.refund(request, call),
    look: lookForRefund,
  },
  RESOLVE_CONFLICT: {
    send: async (provider, request, call) => {
      if (request.does === "refund") return provider.refund(request, call);
      if (request.does === "cancel") return provider.cancel(request, call);
      return answerOf(await lookAtCharge(provider, request.payment, call.timeoutMs));
    },
    look: (provider, sought) => {
      const { request, timeoutMs } = sought;
      if (request.does === "refund") return lookForRefund(provider, { ...sought, request });
      if (request.does === "cancel") return STEPS.CANCEL_PAYMENT.look(provider, { ...sought, request });
      return lookAtCharge(provider, request.payment, timeoutMs);
    },
  },
};

/** By the provider's own id where we know it, else by our reference. */
async function lookForPayment(
  provider: Provider,
  { attempt, timeoutMs }: Sought<"CREATE_PAYMENT">,
): Promise<Seen> {
  if (attempt.providerReference !== null) {
    const one = await provider.retrieve(attempt.providerReference, timeoutMs);
    if (one.kind === "found") return judgePayments([one.value], attempt);
    if (one.kind === "unknown") return one;
  }
  const several = await provider.findByReference(attempt.reference, attempt.startedAt, timeoutMs);
  if (several.kind !== "found") return several;
  return several.value.length === 0 ? { kind: "absent" } : judgePayments(several.value, attempt);
}

/** What was found, as an outcome. More than one that moves money is the duplicate alarm. */
function judgePayments(found: Snapshot[], attempt: Attempt): Seen {
  const alive = found.filter(isAlive);
  const snapshot = alive[0] ?? found[0];
  assert(snapshot, "something was found");
  if (alive.length > 1) {
    const detail = `the provider has ${alive.length} payments under ${attempt.reference}: ${alive.map((one) => one.reference).join(", ")}`;
    const outcome: Outcome = { kind: "unknown", cause: "several_found", seen: snapshot, detail };
    return { kind: "found", outcome, confirmed: true };
  }
  const evidence = attempt.providerReference === snapshot.reference ? "retrieved" : "found_by_reference";
  return { kind: "found", outcome: { kind: "happened", snapshot, evidence } };
}

/** A capture or cancel is no object of its own: the payment shows whether it was done, or can no longer be. */
async function lookAtPayment(
  provider: Provider,
  reference: string,
  timeoutMs: number,
  judge: (snapshot: Snapshot) => "happened" | "not_yet" | "impossible",
): Promise<Seen> {
  const seen = await provider.retrieve(reference, timeoutMs);
  if (seen.kind !== "found") return seen;
  const verdict = judge(seen.value);
  if (verdict === "not_yet") return { kind: "absent" };
  if (verdict === "impossible") return { kind: "found", outcome: impossible(seen.value) };
  return { kind: "found", outcome: { kind: "happened", snapshot: seen.value, evidence: "retrieved" } };
}

/** Where a charge that is accepted as it is stands. One that the provider still works on is none yet. */
async function lookAtCharge(provider: Provider, reference: string, timeoutMs: number): Promise<Seen> {
  const seen = await provider.retrieve(reference, timeoutMs);
  if (seen.kind !== "found") return seen;
  const { value: snapshot } = seen;
  if (isUnsettled(snapshot.state))
    return { kind: "unknown", cause: "conflict", detail: `${reference} is ${snapshot.state} again` };
  return { kind: "found", outcome: { kind: "happened", snapshot, evidence: "retrieved" } };
}

/** A look that is all there is to do, as the outcome of doing it. */
function answerOf(seen: Seen): Outcome | Outcome<RefundSnapshot> {
  if (seen.kind === "found") return seen.outcome;
  const { cause, detail } =
    seen.kind === "unknown" ? seen : ({ cause: "not_found", detail: "not found at the provider" } as const);
  return { kind: "unknown", cause, seen: null, detail };
}

function impossible({ state }: Snapshot): NotHappened {
  const failure: Failure = {
    kind: "INVALID",
    code: "other",
    message: `The provider no longer allows it: there the payment is ${state}.`,
    retryAdvice: "NEVER",
  };
  return { kind: "not_happened", failure, elsewhere: false, evidence: "retrieved", reference: null };
}

async function lookForRefund(
  provider: Provider,
  { attempt, request, timeoutMs }: Sought<"REFUND_PAYMENT">,
): Promise<Seen> {
  const all = await provider.findRefunds(request.payment, timeoutMs);
  if (all.kind !== "found") return all;
  const ours = all.value.filter((one) => one.ours === attempt.reference);
  const [snapshot] = ours;
  if (!snapshot) return { kind: "absent" };
  const same = snapshot.amount.minor === request.amount.minor;
  if (ours.length === 1 && same)
    return { kind: "found", outcome: { kind: "happened", snapshot, evidence: "found_by_reference" } };
  const detail = `the provider has ${ours.length} refunds under ${attempt.reference}, the first of ${snapshot.amount.minor}`;
  const cause = same ? "several_found" : "other_amount";
  return { kind: "found", outcome: { kind: "unknown", cause, seen: snapshot, detail }, confirmed: true };
}
