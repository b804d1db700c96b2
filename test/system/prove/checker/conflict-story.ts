import type { OperationRead } from "./history";
import { sum } from "./lookup";
import { Story } from "./story";

/** A payment of which the provider shows something else than was asked for. */
export class ConflictStory extends Story {
  /** The payer pays more than is asked for: an operator is to decide. */
  payMore(minor: number): this {
    this.charge("CAPTURED");
    this.move("CONFLICTED", "payment.conflicted", this.createId);
    this.payment.captured = 0;
    for (const charge of this.charges) Object.assign(charge, { amount: minor, captured: minor });
    return this.deed("pay", 0);
  }

  /** An operator looks: what the provider shows becomes the payment's amounts, and nothing is decided. */
  adopt(): this {
    this.authorized = this.payment.captured = sum(this.charges.map(({ captured }) => captured));
    return this;
  }

  /** What was charged is accepted as it is. */
  accept(): this {
    const attempts = [{ reference: `uvz-${this.name}-resolve`, providerReference: null, outcome: null }];
    const key = "accept";
    const operation: OperationRead = {
      ...{ id: `op_${this.name}_${key}`, kind: "resolve", key, state: "SUCCEEDED", lastError: null },
      ...{ minor: null, attempts, result: null },
    };
    this.payment.operations.push(operation);
    this.move(this.byAmounts(), "payment.conflict_resolved", operation.id, { minor: this.payment.captured });
    operation.result = this.resultOf(operation);
    return this;
  }
}
