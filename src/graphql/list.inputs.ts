import { ArgsType, Field, InputType, Int } from "type-graphql";
import { PAGE_AT_MOST, PAGE_SIZE } from "../db/page";
import { IsText, IsWithin, Maybe } from "./rules";
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

/** The arguments of a list that goes one way. */
@ArgsType()
export class ForwardArgs {
  @Field(() => Int, { nullable: true, defaultValue: PAGE_SIZE, description: "How many at most: 1 to 100." })
  @Maybe()
  @IsWithin(1, PAGE_AT_MOST)
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Those after this place: the `endCursor` of the page before.",
  })
  @Maybe()
  @IsText()
  after?: string | null;
}

/** A history's page size where none is asked for. */
export const EVENTS_SIZE = 50;

/** The arguments of a history. */
@ArgsType()
export class EventsArgs extends ForwardArgs {
  @Field(() => Int, { nullable: true, defaultValue: EVENTS_SIZE, description: "How many at most: 1 to 100." })
  @Maybe()
  @IsWithin(1, PAGE_AT_MOST)
  declare first?: number | null;
}
