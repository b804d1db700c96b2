import { Ctx, FieldResolver, ID, Resolver, Root } from "type-graphql";
import type { Operation } from "../../idempotency/operation.entity";
import type { Payment } from "../../payments/payment.entity";
import type { PaymentEvent } from "../../payments/payment-event.entity";
import type { Refund } from "../../payments/refund.entity";
import { assert } from "../../shared/assert";
import { encodeId } from "../../shared/ids";
import { MoneyType } from "../basic.types";
import type { Context } from "../context";
import { OperationType } from "../operations/operation.types";
import { PaymentType } from "../payments/payment.types";
import { RefundType } from "../refunds/refund.types";
import { PaymentEventType } from "./event.types";

/** What an event is about. */
@Resolver(() => PaymentEventType)
export class EventResolver {
  @FieldResolver(() => ID, { description: "Its public id: evt_…" })
  id(@Root() { id }: PaymentEvent): string {
    return encodeId("evt", id);
  }

  @FieldResolver(() => PaymentType, { description: "Of which payment, as it stands now." })
  async payment(@Root() { paymentId }: PaymentEvent, @Ctx() { loaders }: Context): Promise<Payment> {
    const payment = await loaders.payment.load(paymentId);
    assert(payment, "an event has a payment");
    return payment;
  }

  @FieldResolver(() => RefundType, { nullable: true, description: "The refund that it is about." })
  async refund(@Root() { refundId }: PaymentEvent, @Ctx() { loaders }: Context): Promise<Refund | null> {
    return refundId === null ? null : ((await loaders.refund.load(refundId)) ?? null);
  }

  @FieldResolver(() => OperationType, { nullable: true, description: "The operation that it belongs to." })
  async operation(
    @Root() { operationId }: PaymentEvent,
    @Ctx() { loaders }: Context,
  ): Promise<Operation | null> {
    return operationId === null ? null : ((await loaders.operation.load(operationId)) ?? null);
  }

  @FieldResolver(() => MoneyType, { nullable: true, description: "What moved, or what it is about." })
  async amount(
    @Root() { amount, paymentId }: PaymentEvent,
    @Ctx() { loaders }: Context,
  ): Promise<MoneyType | null> {
    const payment = amount === null ? undefined : await loaders.payment.load(paymentId);
    return amount === null || !payment ? null : MoneyType.of(amount, payment.currency);
  }
}
