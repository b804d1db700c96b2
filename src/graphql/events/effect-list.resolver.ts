import { Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { Effect, EffectState } from "../../outbox/effect.entity";
import { listEffects, type EffectFilter } from "../../outbox/list-effects";
import type { PaymentEvent } from "../../payments/payment-event.entity";
import { assert } from "../../shared/assert";
import { connectionOf } from "../basic.types";
import type { Context } from "../context";
import { EffectStateEnum } from "../enums";
import { ForwardArgs } from "../list.inputs";
import { IsText, Maybe } from "../rules";
import { EffectConnectionType, EffectType } from "./effect.types";
import { PaymentEventType } from "./event.types";

/** The arguments of effects. */
@ArgsType()
class EffectsArgs extends ForwardArgs implements EffectFilter {
  @Field(() => [EffectStateEnum], {
    nullable: true,
    description: "Only those that are so far; all when absent. An empty list matches nothing.",
  })
  @Maybe()
  state?: EffectState[] | null;

  @Field(() => String, { nullable: true, description: "Only this consumer's." })
  @Maybe()
  @IsText()
  consumer?: string | null;
}

/** What follows from payments elsewhere: the way in. */
@Resolver(() => EffectType)
export class EffectListResolver {
  @Query(() => EffectConnectionType, {
    description:
      "What follows from the merchant's payments elsewhere, newest first: for ADMIN and OPERATOR. `state: [PARKED]` is what waits for an operator. A walk meets each effect that was there at its start, and still matches, exactly once.",
  })
  async effects(@Args() wanted: EffectsArgs, @Ctx() { read }: Context): Promise<EffectConnectionType> {
    return connectionOf(await read("readEffects", (reader) => listEffects(reader, wanted)));
  }

  @FieldResolver(() => PaymentEventType, { description: "The event that it follows from." })
  async event(@Root() { eventId }: Effect, @Ctx() { loaders }: Context): Promise<PaymentEvent> {
    const event = await loaders.event.load(eventId);
    assert(event, "an effect has an event");
    return event;
  }
}
