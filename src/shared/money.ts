/** An exact amount in minor units of one currency. No float ever touches it. */
export interface Money {
  /** Whole minor units: 1050n is 10.50 BRL, 1000n is 1000 JPY, 1250n is 1.250 KWD. */
  minor: bigint;
  /** ISO 4217, upper case. */
  currency: string;
}
