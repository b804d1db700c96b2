import { Field, ObjectType } from "type-graphql";
import type { Operation } from "../../idempotency/operation.entity";
import { PageInfoType } from "../basic.types";
import { OperationType } from "./operation.types";

/** See its description. */
@ObjectType("OperationEdge", { description: "An operation at its place in a list." })
export class OperationEdgeType {
  @Field(() => OperationType, { description: "The operation." })
  node!: Operation;

  @Field(() => String, { description: "The place, for `after`. Good for this list, with its filter, alone." })
  cursor!: string;
}

/** See its description. */
@ObjectType("OperationConnection", { description: "A page of operations." })
export class OperationConnectionType {
  @Field(() => [OperationEdgeType], { description: "The operations with their places." })
  edges!: OperationEdgeType[];

  @Field(() => [OperationType], { description: "The operations alone." })
  nodes!: Operation[];

  @Field(() => PageInfoType, { description: "Where the page stands." })
  pageInfo!: PageInfoType;
}
