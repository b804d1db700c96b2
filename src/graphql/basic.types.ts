import { Field, ID, InterfaceType, ObjectType } from "type-graphql";
import type { Page } from "../db/page";
import { exponentOf } from "../shared/currencies";
import { formatAmount, type Money } from "../shared/money";
import { CurrencyCodeScalar, DecimalScalar } from "./scalars";

/** See its description. */
@InterfaceType("Node", {
  description: "What has an id that `node(id:)` finds.",
  resolveType: (value: object) => {
    if ("version" in value) return "Payment";
    if ("secretHash" in value) return "ApiKey";
    if ("sequence" in value) return "PaymentEvent";
    if ("refundId" in value) return "Operation";
    if ("reason" in value) return "Refund";
    return "Merchant";
  },
})
export abstract class NodeType {
  @Field(() => ID, {
    description: "Unique among all things: a prefix that says what it is of, and 26 characters.",
  })
  id!: string;
}

/** See its description. */
@ObjectType("Money", { description: "An exact amount of one currency." })
export class MoneyType implements Money {
  minor!: bigint;

  @Field(() => DecimalScalar, {
    name: "amount",
    description: 'In the currency\'s own number of decimals: "10.50" BRL, "1000" JPY, "1.250" KWD.',
  })
  get amount(): string {
    return formatAmount(this);
  }

  @Field(() => CurrencyCodeScalar, { description: "The currency's ISO 4217 code." })
  currency!: string;

  @Field(() => String, { description: "The same amount as a whole number of minor units, in a string." })
  get minorUnits(): string {
    return this.minor.toString();
  }

  /** Of minor units of a currency that the gateway knows. */
  static of(minor: bigint, currency: string): MoneyType {
    if (exponentOf(currency) === undefined)
      throw new Error(`assertion failed: ${currency} is a known currency`);
    return Object.assign(new MoneyType(), { minor, currency });
  }
}

/** See its description. */
@ObjectType("PageInfo", { description: "Where a page stands in its list (Relay's connections)." })
export class PageInfoType {
  @Field(() => Boolean, { description: "Whether there is more after this page." })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: "Whether there is more before this page." })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: "The first edge's cursor; null on an empty page." })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The last edge's cursor: send it as `after` for the next page.",
  })
  endCursor!: string | null;
}

/** A page in the shape of Relay's connections. */
export function connectionOf<T>({ edges, hasNextPage, hasPreviousPage }: Page<T>) {
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  const pageInfo: PageInfoType = { hasNextPage, hasPreviousPage, startCursor, endCursor };
  return { edges, nodes: edges.map((edge) => edge.node), pageInfo };
}
