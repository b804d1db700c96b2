import { Field, ObjectType } from "type-graphql";
import type { Refund, RefundStatus } from "../../payments/refund.entity";
import type { Failure } from "../../providers/provider";
import { NodeType, PageInfoType } from "../basic.types";
import { RefundStatusEnum } from "../enums";
import { FailureType } from "../payments/payment.types";
import { DateTimeScalar, IdempotencyKeyScalar } from "../scalars";

/** The fields that are columns of the entity; the others are the resolver's. */
@ObjectType("Refund", { implements: NodeType, description: "Money of one payment that is given back." })
export class RefundType
  extends NodeType
  implements
    Pick<Refund, "status" | "reason" | "idempotencyKey" | "providerReference" | "createdAt" | "updatedAt">
{
  @Field(() => RefundStatusEnum, { description: "How far it is." })
  status!: RefundStatus;

  @Field(() => String, { nullable: true, description: "Yours." })
  reason!: string | null;

  @Field(() => FailureType, { nullable: true, description: "Why the money did not go back." })
  failure!: Failure | null;

  @Field(() => IdempotencyKeyScalar, {
    nullable: true,
    description: "The key that it was made with; null when it was made at the provider.",
  })
  idempotencyKey!: string | null;

  @Field(() => String, { nullable: true, description: "The provider's own id; null until it is known." })
  providerReference!: string | null;

  @Field(() => DateTimeScalar, { description: "When it was accepted." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it last changed." })
  updatedAt!: Date;
}

/** See its description. */
@ObjectType("RefundEdge", { description: "A refund at its place in a list." })
export class RefundEdgeType {
  @Field(() => RefundType, { description: "The refund." })
  node!: Refund;

  @Field(() => String, { description: "The place, for `after`. Good for this list alone." })
  cursor!: string;
}

/** See its description. */
@ObjectType("RefundConnection", { description: "A page of refunds." })
export class RefundConnectionType {
  @Field(() => [RefundEdgeType], { description: "The refunds with their places." })
  edges!: RefundEdgeType[];

  @Field(() => [RefundType], { description: "The refunds alone." })
  nodes!: Refund[];

  @Field(() => PageInfoType, { description: "Where the page stands." })
  pageInfo!: PageInfoType;
}
