import { Field, InputType } from "type-graphql";
import { Maybe } from "./rules";
import { DateTimeScalar } from "./scalars";

/** See its description. */
@InputType("DateTimeRange", { description: "A stretch of time; open where an end is absent." })
export class DateTimeRangeInput {
  @Field(() => DateTimeScalar, { nullable: true, description: "Inclusive." })
  @Maybe()
  from?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Exclusive." })
  @Maybe()
  to?: Date | null;
}
