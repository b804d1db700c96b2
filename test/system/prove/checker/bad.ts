import type { Answer, Call, EventRead, History, Invariant } from "./history";
import { check } from "./invariants";

type Told = Call & { answer: Extract<Answer, { kind: "operation" }> };

/** A history with hands on its parts. Each throws where there is no such part. */
export class Parts {
  constructor(readonly history: History) {}

  get payment() {
    return found(this.history.payments[0]);
  }
  get charge() {
    return found(this.history.ledger.charges[0]);
  }
  /** The provider's first refund. */
  get refund() {
    return found(this.history.ledger.refunds[0]);
  }
  get ledger() {
    return this.history.ledger;
  }
  operation(key: string) {
    return found(this.payment.operations.find((one) => one.key === key));
  }
  /** The nth answer to a key that tells of its operation. */
  told(key: string, nth = 0) {
    const all = this.history.calls.filter(
      (call): call is Told => call.key === key && call.answer?.kind === "operation",
    );
    return found(all[nth]);
  }
  /** The refund of a key, as the gateway shows it. */
  known(key: string) {
    return found(this.payment.refunds.find((one) => one.key === key));
  }
  refused(key: string) {
    return found(this.history.calls.find((call) => call.key === key && call.answer?.kind === "refused"));
  }
  /** The nth event of a type. */
  event(type: string, nth = 0) {
    return found(this.payment.events.filter((one) => one.type === type)[nth]);
  }
  /** Puts the nth event of a type in a second time, changed or not. */
  repeat(type: string, over: Partial<EventRead> = {}, nth = 0) {
    const { events } = this.payment;
    const event = this.event(type, nth);
    events.splice(events.indexOf(event) + 1, 0, { ...event, ...over });
    this.renumber();
  }
  /** Leaves out the first event of a type. */
  drop(type: string) {
    const { events } = this.payment;
    events.splice(events.indexOf(this.event(type)), 1);
    this.renumber();
  }
  /** Events are numbered without holes again. */
  renumber() {
    this.payment.events.forEach((event, nth) => (event.sequence = nth + 1));
  }
}

/** One way to break a sound history. */
export interface Bad {
  name: string;
  of: () => History;
  change(parts: Parts): void;
  /** All that it breaks: the first is what is meant, and the others cannot be kept then. */
  breaks: [Invariant, ...Invariant[]];
  /** What is said of it, in the words of the first. */
  detail: RegExp;
}

/** Each is found, for what it is and for nothing else. */
export function testAll(bad: Bad[]): void {
  test.each(bad)("$breaks.0: $name", ({ of, change, breaks, detail }) => {
    const history = of();
    change(new Parts(history));
    const violations = check(history);
    expect([...new Set(violations.map(({ invariant }) => invariant))].sort()).toEqual([...breaks].sort());
    const details = violations.filter(({ invariant }) => invariant === breaks[0]).map((one) => one.detail);
    expect(details).toContainEqual(expect.stringMatching(detail));
  });
}

/** Two histories at once. */
export function both(one: History, other: History): History {
  return {
    calls: [...one.calls, ...other.calls],
    deeds: [...one.deeds, ...other.deeds],
    ledger: {
      calls: one.ledger.calls,
      charges: [...one.ledger.charges, ...other.ledger.charges],
      refunds: [...one.ledger.refunds, ...other.ledger.refunds],
    },
    payments: [...one.payments, ...other.payments],
  };
}

function found<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("the history has no such part");
  return part;
}
