/** The conditions of one statement on one merchant's rows, with the values of its parameters: `$1` is the merchant. */
export class Where {
  readonly values: unknown[] = [];
  private readonly conditions: string[] = [];

  constructor(merchantId: string) {
    this.and(merchantId, (merchant) => `merchant_id = ${merchant}`);
  }

  /** Adds the condition that `of` makes of the value's parameter. An absent value asks for nothing. */
  and(value: unknown, of: (parameter: string) => string): this {
    if (value === undefined || value === null) return this;
    this.values.push(value);
    this.conditions.push(of(`$${this.values.length}`));
    return this;
  }

  /** Adds a condition without a value. */
  andThat(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  get text(): string {
    return this.conditions.join(" and ");
  }
}
