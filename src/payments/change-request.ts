import type { Intent } from "../idempotency/intent";
import type { Money } from "../shared/money";
import type { ConflictVerdict } from "./conflict";
import { decimalOf, moneyOf } from "./create-payment-request";

type Maybe<T> = T | null | undefined;
type AmountInput = { amount: string; currency: string };

/** What a capture asks for. */
export interface CapturePaymentRequest {
  /** The public id, as it came. */
  paymentId: string;
  /** The whole remainder when absent. */
  amount?: Maybe<AmountInput>;
  /** Whether what is left uncaptured is released; true when absent. */
  final?: Maybe<boolean>;
}

/** What a cancel asks for. */
export interface CancelPaymentRequest {
  paymentId: string;
  reason?: Maybe<string>;
}

/** What a refund asks for. */
export interface RefundPaymentRequest {
  paymentId: string;
  /** The whole remainder when absent. */
  amount?: Maybe<AmountInput>;
  reason?: Maybe<string>;
}

/** What an operator decides about a payment whose evidence contradicts itself. */
export interface ResolveConflictRequest {
  paymentId: string;
  verdict: ConflictVerdict;
  /** The attempt whose charge is the extra one, where there are several. */
  attemptReference?: Maybe<string>;
  reason: string;
}

/** A capture, a cancel, a refund or a decision about a conflict. */
export type ChangeRequest =
  | { kind: "CAPTURE_PAYMENT"; input: CapturePaymentRequest }
  | { kind: "CANCEL_PAYMENT"; input: CancelPaymentRequest }
  | { kind: "REFUND_PAYMENT"; input: RefundPaymentRequest }
  | { kind: "RESOLVE_CONFLICT"; input: ResolveConflictRequest };

/** What a change is about, in money: an amount, or whatever is left. */
export function amountOfChange(change: ChangeRequest): Money | "rest" {
  const amount = "amount" in change.input ? change.input.amount : null;
  return amount ? moneyOf(amount) : "rest";
}

/** The content of a change (semantics section 2). `rest` is a value of its own: never resolved before it is compared. */
export function intentOfChange(change: ChangeRequest): Intent {
  const money = amountOfChange(change);
  const { paymentId } = change.input;
  if (change.kind === "CANCEL_PAYMENT") return { paymentId };
  if (change.kind === "RESOLVE_CONFLICT") {
    const { verdict, attemptReference } = change.input;
    return { paymentId, verdict, ...(attemptReference == null ? {} : { attemptReference }) };
  }
  const amount: Intent =
    money === "rest"
      ? { amount: "rest" }
      : {
          "amount.amount": decimalOf(change.input.amount?.amount ?? ""),
          "amount.currency": money.currency,
        };
  const isFinal = change.kind === "REFUND_PAYMENT" || (change.input.final ?? true);
  return { paymentId, ...amount, ...(isFinal ? {} : { final: "false" }) };
}
