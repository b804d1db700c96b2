import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { Effect } from "../../outbox/effect.entity";
import type { Payment } from "../../payments/payment.entity";
import { availableActions, capturable, refundable, type PaymentAction } from "../../payments/payment-state";
import { connectionOf, MoneyType } from "../basic.types";
import type { Context } from "../context";
import { PaymentActionEnum } from "../enums";
import { EffectType } from "../events/effect.types";
import { PaymentEventConnectionType } from "../events/event.types";
import { EVENTS_SIZE, EventsArgs, ForwardArgs } from "../list.inputs";
import { OperationConnectionType } from "../operations/operation-list.types";
import { RefundConnectionType } from "../refunds/refund.types";
import { PaymentType } from "./payment.types";

/** What may be done with a payment, and what has been. */
@Resolver(() => PaymentType)
export class PaymentLifeResolver {
  @FieldResolver(() => MoneyType, {
    description: "What is held and can still be taken: neither taken nor being taken.",
  })
  capturableAmount(@Root() payment: Payment): MoneyType {
    return MoneyType.of(capturable(payment), payment.currency);
  }

  @FieldResolver(() => MoneyType, {
    description: "What can still be given back: captured, and neither refunded, being refunded nor disputed.",
  })
  refundableAmount(@Root() payment: Payment): MoneyType {
    return MoneyType.of(refundable(payment), payment.currency);
  }

  @FieldResolver(() => MoneyType, { description: "What the payer disputes, or got back by a dispute." })
  disputedAmount(@Root() { disputed, currency }: Payment): MoneyType {
    return MoneyType.of(disputed, currency);
  }

  @FieldResolver(() => [PaymentActionEnum], { description: "What may be done with it now." })
  availableActions(@Root() payment: Payment): PaymentAction[] {
    return availableActions(payment);
  }

  @FieldResolver(() => [EffectType], {
    description: "What follows from this payment elsewhere, and how far it is.",
  })
  effects(@Root() { id }: Payment, @Ctx() { loaders }: Context): Promise<Effect[]> {
    return loaders.effects.load(id);
  }

  @FieldResolver(() => OperationConnectionType, {
    description: "The intents about this payment, in the order in which their keys were first used.",
  })
  async operations(
    @Root() { id }: Payment,
    @Args() wanted: ForwardArgs,
    @Ctx() { loaders }: Context,
  ): Promise<OperationConnectionType> {
    return connectionOf(await loaders.operationsOf(wanted).load(id));
  }

  @FieldResolver(() => RefundConnectionType, {
    description: "Its refunds, in the order in which they were made.",
  })
  async refunds(
    @Root() { id }: Payment,
    @Args() wanted: ForwardArgs,
    @Ctx() { loaders }: Context,
  ): Promise<RefundConnectionType> {
    return connectionOf(await loaders.refundsOf(wanted).load(id));
  }

  @FieldResolver(() => PaymentEventConnectionType, { description: "Its history, oldest first." })
  async events(
    @Root() { id }: Payment,
    @Args() { first, after }: EventsArgs,
    @Ctx() { loaders }: Context,
  ): Promise<PaymentEventConnectionType> {
    return connectionOf(await loaders.eventsOf({ first: first ?? EVENTS_SIZE, after }).load(id));
  }
}
