import { ValidateNested } from "class-validator";
import { Args, ArgsType, Ctx, Field, InputType, Query, Resolver } from "type-graphql";
import type { OperationKind, OperationState } from "../../idempotency/operation.entity";
import { listOperations, type OperationFilter } from "../../payments/list-operations";
import { connectionOf } from "../basic.types";
import type { Context } from "../context";
import { OperationKindEnum, OperationStateEnum } from "../enums";
import { DateTimeRangeInput, ForwardArgs } from "../list.inputs";
import { Maybe } from "../rules";
import { OperationConnectionType } from "./operation-list.types";

/** See its description. */
@InputType("OperationFilter", {
  description:
    "Operations to which everything that is given applies. A list means any of its members; an empty one matches nothing.",
})
class OperationFilterInput implements OperationFilter {
  @Field(() => [OperationStateEnum], { nullable: true, description: "How far they are now." })
  @Maybe()
  state?: OperationState[] | null;

  @Field(() => [OperationKindEnum], { nullable: true, description: "What they intend." })
  @Maybe()
  kind?: OperationKind[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Not ended, and older than the time within which an operation should have ended (the lease, 45 seconds by default); or parked. False: the others.",
  })
  @Maybe()
  stuck?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "With at least one refused collision of the key. False: without.",
  })
  @Maybe()
  collided?: boolean | null;

  @Field(() => DateTimeRangeInput, { nullable: true, description: "When the key was first used." })
  @Maybe()
  @ValidateNested()
  createdAt?: DateTimeRangeInput | null;
}

/** The arguments of operations. */
@ArgsType()
class OperationsArgs extends ForwardArgs {
  @Field(() => OperationFilterInput, { nullable: true, description: "Which ones; all when absent." })
  @Maybe()
  @ValidateNested()
  filter?: OperationFilterInput | null;
}

/** The list of operations: the way in. */
@Resolver()
export class OperationListResolver {
  @Query(() => OperationConnectionType, {
    description:
      "The merchant's operations, newest first. A walk meets each operation that was there at its start, and still matches, exactly once.",
  })
  async operations(
    @Args() wanted: OperationsArgs,
    @Ctx() { app, read }: Context,
  ): Promise<OperationConnectionType> {
    const stuckAfter = app.config.lease;
    return connectionOf(
      await read("readPayments", (reader) => listOperations(reader, { ...wanted, stuckAfter })),
    );
  }
}
