import { Args, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { countPayments, listPayments } from "../../payments/list-payments";
import type { Payment } from "../../payments/payment.entity";
import { connectionOf, PageInfoType } from "../basic.types";
import type { Context } from "../context";
import { PaymentFilterInput, PaymentsArgs } from "./payment-list.inputs";
import { PaymentType } from "./payment.types";

/** See its description. */
@ObjectType("PaymentEdge", { description: "A payment at its place in a list." })
class PaymentEdgeType {
  @Field(() => PaymentType, { description: "The payment." })
  node!: Payment;

  @Field(() => String, {
    description: "The place, for `after` and `before`. Good for this list, with its filter and order, alone.",
  })
  cursor!: string;
}

/** See its description. */
@ObjectType("PaymentConnection", { description: "A page of payments." })
class PaymentConnectionType {
  @Field(() => [PaymentEdgeType], { description: "The payments with their places." })
  edges!: PaymentEdgeType[];

  @Field(() => [PaymentType], { description: "The payments alone." })
  nodes!: Payment[];

  @Field(() => PageInfoType, { description: "Where the page stands." })
  pageInfo!: PageInfoType;

  /** What `totalCount` counts. */
  filter!: PaymentFilterInput;
}

/** The list of payments: the way in. */
@Resolver(() => PaymentConnectionType)
export class PaymentListResolver {
  @Query(() => PaymentConnectionType, {
    description:
      "The merchant's payments, newest first. Walked by CREATED_AT, each payment that was there at the start and still matches is met exactly once, whatever is added meanwhile; by UPDATED_AT, payments move while they change.",
  })
  async payments(@Args() wanted: PaymentsArgs, @Ctx() { read }: Context): Promise<PaymentConnectionType> {
    const page = await read("readPayments", (reader) => listPayments(reader, wanted));
    return { ...connectionOf(page), filter: wanted.filter ?? {} };
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "How many payments match the filter, on all pages. Counted only when asked for; null where counting took too long.",
  })
  totalCount(@Root() { filter }: PaymentConnectionType, @Ctx() { read }: Context): Promise<number | null> {
    return read("readPayments", (reader) => countPayments(reader, filter));
  }
}
