import { Args, ArgsType, Ctx, Field, Query, Resolver } from "type-graphql";
import { withRows } from "../../db/page";
import { listFeed } from "../../outbox/find-feed";
import { eventsOf } from "../../payments/find-life";
import { connectionOf } from "../basic.types";
import type { Context } from "../context";
import { EVENTS_SIZE, EventsArgs } from "../list.inputs";
import { AreTexts, Maybe } from "../rules";
import { PaymentEventConnectionType } from "./event.types";

/** The arguments of events. */
@ArgsType()
class FeedArgs extends EventsArgs {
  @Field(() => [String], {
    nullable: true,
    description: "Only events of these types, such as payment.captured.",
  })
  @Maybe()
  @AreTexts()
  types?: string[] | null;
}

/** The merchant's events: the way in. */
@Resolver()
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
}
