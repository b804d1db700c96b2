import { Field, Int, ObjectType } from "type-graphql";
import type { PaymentEvent } from "../../payments/payment-event.entity";
import type { PaymentStatus } from "../../payments/payment-state";
import { NodeType, PageInfoType } from "../basic.types";
import { PaymentStatusEnum } from "../enums";
import { DateTimeScalar } from "../scalars";

/** The fields that are columns of the entity; the others are the resolver's. */
@ObjectType("PaymentEvent", {
  implements: NodeType,
  description: "One line of a payment's history. It never changes.",
})
export class PaymentEventType
  extends NodeType
  implements Pick<PaymentEvent, "type" | "sequence" | "status" | "actor" | "occurredAt">
{
  @Field(() => String, {
    description:
      "payment.created, payment.captured, refund.succeeded, … The list may grow: keep a default branch.",
  })
  type!: PaymentEvent["type"];

  @Field(() => Int, { description: "1, 2, 3, … without a gap within one payment." })
  sequence!: number;

  @Field(() => PaymentStatusEnum, { description: "The payment's status after this event." })
  status!: PaymentStatus;

  @Field(() => String, { description: "Who or what caused it: api_key, recovery, …" })
  actor!: PaymentEvent["actor"];

  @Field(() => DateTimeScalar, { description: "When." })
  occurredAt!: Date;
}

/** See its description. */
@ObjectType("PaymentEventEdge", { description: "An event at its place in a list." })
export class PaymentEventEdgeType {
  @Field(() => PaymentEventType, { description: "The event." })
  node!: PaymentEvent;

  @Field(() => String, { description: "The place, for `after`. Good for this list alone." })
  cursor!: string;
}

/** See its description. */
@ObjectType("PaymentEventConnection", { description: "A page of events." })
export class PaymentEventConnectionType {
  @Field(() => [PaymentEventEdgeType], { description: "The events with their places." })
  edges!: PaymentEventEdgeType[];

  @Field(() => [PaymentEventType], { description: "The events alone." })
  nodes!: PaymentEvent[];

  @Field(() => PageInfoType, { description: "Where the page stands." })
  pageInfo!: PageInfoType;
}
