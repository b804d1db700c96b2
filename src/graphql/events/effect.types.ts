import { Field, Int, ObjectType } from "type-graphql";
import type { Effect, EffectState } from "../../outbox/effect.entity";
import { PageInfoType } from "../basic.types";
import { EffectStateEnum } from "../enums";
import { DateTimeScalar } from "../scalars";

/** The fields that are columns of the entity; the event is the resolver's. */
@ObjectType("Effect", {
  description: "One consumer's handling of one event; (consumer, event) is its effect key.",
})
export class EffectType implements Pick<Effect, "consumer" | "state" | "attempts" | "lastError" | "doneAt"> {
  @Field(() => String, { description: "Who: partner webhooks, a receipt, whatever was registered." })
  consumer!: string;

  @Field(() => EffectStateEnum, { description: "How far it is." })
  state!: EffectState;

  @Field(() => Int, { description: "How often it was tried." })
  attempts!: number;

  @Field(() => String, { nullable: true, description: "What last stood in its way." })
  lastError!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it took effect." })
  doneAt!: Date | null;
}

/** See its description. */
@ObjectType("EffectEdge", { description: "An effect at its place in a list." })
export class EffectEdgeType {
  @Field(() => EffectType, { description: "The effect." })
  node!: Effect;

  @Field(() => String, { description: "The place, for `after`. Good for this list, with its filter, alone." })
  cursor!: string;
}

/** See its description. */
@ObjectType("EffectConnection", { description: "A page of effects." })
export class EffectConnectionType {
  @Field(() => [EffectEdgeType], { description: "The effects with their places." })
  edges!: EffectEdgeType[];

  @Field(() => [EffectType], { description: "The effects alone." })
  nodes!: Effect[];

  @Field(() => PageInfoType, { description: "Where the page stands." })
  pageInfo!: PageInfoType;
}
