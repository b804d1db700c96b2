import type { Call, Deed, History, Intent, OperationRead, PaymentRead, Result, Standing } from "./history";
import { BEFORE, byAmounts } from "./model";

type Charge = History["ledger"]["charges"][number];
type EventAmount = { minor?: number; refundId?: string };

/** What a create comes to at once. */
export type Begun = "AUTHORIZED" | "CAPTURED" | "REQUIRES_ACTION" | "FAILED" | "PARKED";

/**
 * One payment's history, told by hand as a gateway that keeps every promise would have it. Each line is over before the
 * next begins. Minor units.
 */
export class Story {
  private now = 0;
  protected authorized = 0;
  private readonly calls: Call[] = [];
  private readonly deeds: Deed[] = [];
  protected readonly charges: Charge[] = [];
  private readonly refunds: History["ledger"]["refunds"] = [];
  protected readonly payment: PaymentRead;

  /** @param name tells its ids from those of other stories */
  constructor(
    protected readonly name: string,
    captureMode: "AUTOMATIC" | "MANUAL",
    minor = 10_000,
  ) {
    const standing = { id: `pay_${name}`, version: 1, status: "PROCESSING" };
    const nothing = { captured: 0, capturable: 0, refunded: 0, refundable: 0 };
    const parts = { availableActions: [], providerReference: null, operations: [], refunds: [], events: [] };
    this.payment = { ...standing, ...nothing, ...parts, minor, captureMode };
  }

  create(key: string, begun: Begun): this {
    const { minor, captureMode } = this.payment;
    return this.operate(key, { kind: "create", minor, captureMode }, (operation) => {
      this.tell("payment.created", operation.id);
      if (begun === "PARKED") return this.park(operation);
      this.payment.providerReference = `pi_${this.name}`;
      if (begun === "AUTHORIZED" || begun === "CAPTURED") this.charge(begun);
      this.move(begun, `payment.${begun.toLowerCase()}`, operation.id);
      operation.state = begun === "FAILED" ? "FAILED" : "SUCCEEDED";
    });
  }

  /** @param minor null is the rest */
  capture(key: string, minor: number | null, final = false): this {
    const intent: Intent = { kind: "capture", paymentId: this.payment.id, minor, final };
    return this.operate(key, intent, (operation) => {
      const { payment } = this;
      operation.minor = minor ?? payment.capturable;
      payment.captured += operation.minor;
      if (final) this.authorized = payment.captured;
      const isAll = this.authorized === payment.captured;
      const type = isAll ? "payment.captured" : "payment.partially_captured";
      this.move(this.byAmounts(), type, operation.id, { minor: operation.minor });
    });
  }

  /** The provider refuses it. */
  failCapture(key: string, minor: number): this {
    const intent: Intent = { kind: "capture", paymentId: this.payment.id, minor, final: false };
    return this.operate(key, intent, (operation) => {
      Object.assign(operation, { minor, state: "FAILED" });
      this.move(this.payment.status, "payment.capture_failed", operation.id, { minor });
    });
  }

  cancel(key: string): this {
    return this.operate(key, { kind: "cancel", paymentId: this.payment.id }, (operation) => {
      this.authorized = 0;
      for (const charge of this.charges) charge.status = "canceled";
      this.move("CANCELED", "payment.canceled", operation.id);
    });
  }

  /**
   * @param minor null is the rest
   * @param isRefused by the provider
   */
  refund(key: string, minor: number | null, isRefused = false): this {
    const intent: Intent = { kind: "refund", paymentId: this.payment.id, minor };
    return this.operate(key, intent, (operation) => {
      operation.minor = minor ?? this.payment.refundable;
      if (isRefused) operation.state = "FAILED";
      this.giveBack(operation.minor, operation);
    });
  }

  /** Its answer is lost, and nobody finds out that the money went back: an operator is to decide. */
  parkRefund(key: string, minor: number): this {
    const intent: Intent = { kind: "refund", paymentId: this.payment.id, minor };
    return this.operate(key, intent, (operation) => {
      const { payment } = this;
      const id = `re_${this.name}_${key}`;
      Object.assign(operation, { minor, state: "PARKED", lastError: "timeout: nobody knows" });
      payment.refunds.push({ id, status: "IN_DOUBT", minor, key, providerReference: null });
      payment.refundable -= minor;
      payment.version += 1;
      for (const charge of this.charges) {
        const reference = operation.attempts[0]?.reference ?? null;
        charge.refunded += minor;
        this.refunds.push({ id: "there", charge: charge.id, reference, amount: minor, status: "succeeded" });
      }
      this.tell("refund.created", operation.id, { minor, refundId: id });
      this.tell("refund.in_doubt", operation.id, { minor, refundId: id });
      this.tell("operation.parked", operation.id);
    });
  }

  /** Whoever sent the last call never has its answer. */
  loseAnswer(): this {
    for (const call of this.calls.slice(-1)) call.answer = null;
    return this;
  }

  /** The same key with the same content. */
  again(key: string): this {
    const operation = this.payment.operations.find((one) => one.key === key) as OperationRead;
    const { intent } = this.calls.find((one) => one.key === key) as Call;
    return this.answer(key, intent, this.tick(), this.answerOf(operation, true));
  }

  refuse(key: string, intent: Intent, code: string, reason: string | null = null): this {
    return this.answer(key, intent, this.tick(), { kind: "refused", code, reason });
  }

  /** The payer does what the payment waits for. */
  pay(): this {
    this.charge("CAPTURED");
    this.move("CAPTURED", "payment.captured", this.createId);
    return this.deed("pay", 0);
  }

  /** The payer does something else, or nothing in time. */
  end(how: "fail" | "expire"): this {
    const status = how === "fail" ? "FAILED" : "EXPIRED";
    this.move(status, `payment.${status.toLowerCase()}`, this.createId);
    return this.deed(how, 0);
  }

  /** The payer pays in the moment in which the clock calls it off: what was held is released. */
  payTooLate(): this {
    this.charge("AUTHORIZED");
    this.authorized = 0;
    for (const charge of this.charges) charge.status = "canceled";
    this.move("EXPIRED", "payment.expired", this.createId);
    return this.deed("expire", 0).deed("pay", 0);
  }

  /** The payer pays what has come to nothing. */
  payLate(): this {
    const status = this.payment.captureMode === "MANUAL" ? "AUTHORIZED" : "CAPTURED";
    this.charge(status);
    this.move(status, `payment.${status.toLowerCase()}_late`, this.createId);
    return this.deed("pay_late", 0);
  }

  /** At the provider's dashboard. */
  refundThere(minor: number): this {
    this.giveBack(minor, null);
    return this.deed("refund", minor);
  }

  /** The payer's bank takes a part back. */
  revoke(minor: number): this {
    this.payment.captured -= minor;
    this.authorized -= minor;
    const status = this.authorized === 0 ? "FAILED" : this.byAmounts();
    this.move(status, "payment.capture_failed", this.createId, { minor });
    return this.deed("revoke", minor);
  }

  /** A copy that may be changed. */
  history(): History {
    const { calls, deeds, charges, refunds, payment } = this;
    const ledger = { charges, refunds, calls: { create: 0, capture: 0, cancel: 0, refund: 0 } };
    return structuredClone({ calls, deeds, ledger, payments: [payment] });
  }

  /** The first refund could not be paid out after all. */
  comeBack(): this {
    for (const refund of this.payment.refunds.slice(0, 1)) {
      const { id, minor } = refund;
      refund.status = "FAILED";
      for (const there of this.refunds.slice(0, 1)) there.status = "failed";
      this.payment.refunded -= minor;
      const operationId = this.payment.operations.find(({ key }) => key === refund.key)?.id ?? null;
      this.move(this.byAmounts(), "refund.reversed", operationId, { minor, refundId: id });
    }
    return this;
  }

  protected get createId(): string | null {
    return this.payment.operations[0]?.id ?? null;
  }

  private tick(): number {
    return (this.now += 10);
  }

  private operate(key: string, intent: Intent, act: (operation: OperationRead) => void): this {
    const begun = this.tick();
    const { kind } = intent;
    const reference = `uvz-${this.name}-${kind}-${key}`;
    const operation: OperationRead = {
      ...{ id: `op_${this.name}_${key}`, kind, key, state: "SUCCEEDED", result: null, lastError: null },
      minor: kind === "create" ? intent.minor : null,
      attempts: [{ reference, providerReference: null, outcome: null }],
    };
    this.payment.operations.push(operation);
    if (kind !== "create") this.payment.version += 1;
    act(operation);
    if (operation.state !== "PARKED") operation.result = this.resultOf(operation);
    return this.answer(key, intent, begun, this.answerOf(operation, false));
  }

  private answer(key: string, intent: Intent, begun: number, answer: Call["answer"]): this {
    this.calls.push({ key, intent, begun, ended: this.tick(), answer });
    return this;
  }

  private answerOf({ id: operationId, state, result }: OperationRead, replayed: boolean): Call["answer"] {
    const { id, version, status, captured, capturable, refunded, refundable } = this.payment;
    const payment: Standing = { id, version, status, captured, capturable, refunded, refundable };
    return { kind: "operation", operationId, state, replayed, result, payment };
  }

  protected resultOf({ kind, state }: OperationRead): Result {
    const { status: paymentStatus, captured, refunded } = this.payment;
    const failure = state === "FAILED" ? "other" : null;
    return { paymentStatus, captured, refunded, refundStatus: kind === "refund" ? state : null, failure };
  }

  private park(operation: OperationRead): void {
    Object.assign(operation, { state: "PARKED", lastError: "timeout: nobody knows" });
    this.move("IN_DOUBT", "payment.in_doubt", operation.id);
    this.tell("operation.parked", operation.id);
  }

  protected charge(status: "AUTHORIZED" | "CAPTURED"): void {
    const { minor, providerReference } = this.payment;
    this.authorized = minor;
    this.payment.captured = status === "CAPTURED" ? minor : 0;
    this.charges.push({
      ...{ id: `ch_${this.name}`, paymentIntent: providerReference ?? "", currency: "BRL", amount: minor },
      ...{ captured: 0, capturable: 0, refunded: 0, status: status.toLowerCase() },
      reference: this.payment.operations[0]?.attempts[0]?.reference ?? null,
    });
  }

  /** By an operation, or by nobody of ours. */
  private giveBack(minor: number, operation: OperationRead | null): void {
    const { payment, refunds } = this;
    const [nth, operationId] = [refunds.length + 1, operation?.id ?? null];
    const [id, there] = [`re_${this.name}_${nth}`, `there_${this.name}_${nth}`];
    const isRefused = operation?.state === "FAILED";
    const reference = operation?.attempts[0]?.reference ?? null;
    const status = isRefused ? "FAILED" : "SUCCEEDED";
    payment.refunds.push({ id, status, minor, key: operation?.key ?? null, providerReference: there });
    const charge = this.charges[0]?.id ?? "";
    refunds.push({ id: there, charge, reference, amount: minor, status: status.toLowerCase() });
    this.tell("refund.created", operationId, { minor, refundId: id });
    if (!isRefused) payment.refunded += minor;
    const isUndecided = payment.status === "CONFLICTED";
    this.move(
      isUndecided ? payment.status : this.byAmounts(),
      `refund.${status.toLowerCase()}`,
      operationId,
      { minor, refundId: id },
    );
  }

  protected byAmounts(): string {
    const { captured, refunded } = this.payment;
    return byAmounts({ ...BEFORE, authorized: this.authorized, captured, refunded });
  }

  /** The payment stands somewhere else, and the provider's books with it. */
  protected move(status: string, type: string, operationId: string | null, what: EventAmount = {}): void {
    const { payment, authorized } = this;
    const { captured, refunded } = payment;
    const isOpen = status === "AUTHORIZED" || status === "PARTIALLY_CAPTURED";
    const [capturable, refundable] = [isOpen ? authorized - captured : 0, captured - refunded];
    Object.assign(payment, { status, capturable, refundable, version: payment.version + 1 });
    for (const charge of this.charges) Object.assign(charge, { captured, capturable, refunded });
    this.tell(type, operationId, what);
  }

  private tell(type: string, operationId: string | null, { minor, refundId }: EventAmount = {}): void {
    const { events, status, minor: whole } = this.payment;
    const sequence = events.length + 1;
    events.push({ type, sequence, status, minor: minor ?? whole, operationId, refundId: refundId ?? null });
  }

  protected deed(kind: Deed["kind"], minor: number): this {
    const [begun, ended] = [this.tick(), this.tick()];
    this.deeds.push({ paymentIntent: this.payment.providerReference ?? "", kind, minor, begun, ended });
    return this;
  }
}
