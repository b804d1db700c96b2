import { Args, ArgsType, Ctx, Field, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import { PAGE_AT_MOST, withRows } from "../../db/page";
import type { Effect } from "../../outbox/effect.entity";
import { listFeed } from "../../outbox/find-feed";
import { eventsOf } from "../../payments/find-life";
import type { PaymentEvent } from "../../payments/payment-event.entity";
import { assert } from "../../shared/assert";
import { connectionOf } from "../basic.types";
import type { Context } from "../context";
import { AreTexts, IsText, IsWithin, Maybe } from "../rules";
import { EffectType } from "./effect.types";
import { PaymentEventConnectionType, PaymentEventType } from "./event.types";

/** A feed's page size where none is asked for. */
const EVENTS_SIZE = 50;

/** The arguments of events. */
@ArgsType()
class FeedArgs {
  @Field(() => Int, { nullable: true, defaultValue: EVENTS_SIZE, description: "How many at most: 1 to 100." })
  @Maybe()
  @IsWithin(1, PAGE_AT_MOST)
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Those after this place: the `endCursor` of the page before. Keep it, and go on from it later.",
  })
  @Maybe()
  @IsText()
  after?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "Only events of these types, such as payment.captured.",
  })
  @Maybe()
  @AreTexts()
  types?: string[] | null;
}

/** The merchant's events: the way in. */
@Resolver(() => EffectType)
export class EventListResolver {
  @Query(() => PaymentEventConnectionType, {
    description:
      "The merchant's events in the order in which they were committed, oldest first. Whoever goes on from the last cursor misses none and sees none twice.",
  })
  async events(@Args() wanted: FeedArgs, @Ctx() { read }: Context): Promise<PaymentEventConnectionType> {
    const first = wanted.first ?? EVENTS_SIZE;
    return connectionOf(
      await read("readPayments", async (reader) => {
        const page = await listFeed(reader, { ...wanted, first });
        return withRows(
          page,
          await eventsOf(
            reader,
            page.edges.map((edge) => edge.node),
          ),
        );
      }),
    );
  }

  @FieldResolver(() => PaymentEventType, { description: "The event that it follows from." })
  async event(@Root() { eventId }: Effect, @Ctx() { loaders }: Context): Promise<PaymentEvent> {
    const event = await loaders.event.load(eventId);
    assert(event, "an effect has an event");
    return event;
  }
}
