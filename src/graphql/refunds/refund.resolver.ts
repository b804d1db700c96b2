import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql";
import { findRefund } from "../../payments/find-life";
import type { Payment } from "../../payments/payment.entity";
import type { Refund } from "../../payments/refund.entity";
import { assert } from "../../shared/assert";
import { decodeId, encodeId } from "../../shared/ids";
import { MoneyType } from "../basic.types";
import type { Context } from "../context";
import { PaymentType } from "../payments/payment.types";
import { RefundType } from "./refund.types";

/** Refunds: the way in. */
@Resolver(() => RefundType)
export class RefundResolver {
  @Query(() => RefundType, {
    nullable: true,
    description: "One refund; null where the merchant has no such refund.",
  })
  refund(
    @Arg("id", () => ID, { description: "Its id." }) id: string,
    @Ctx() { read }: Context,
  ): Promise<Refund | null> {
    return read("readPayments", (reader) => findRefund(reader, decodeId("re", id)));
  }

  @FieldResolver(() => ID, { description: "Its public id: re_…" })
  id(@Root() { id }: Refund): string {
    return encodeId("re", id);
  }

  @FieldResolver(() => MoneyType, { description: "How much is given back." })
  amount(@Root() { amount, currency }: Refund): MoneyType {
    return MoneyType.of(amount, currency);
  }

  @FieldResolver(() => PaymentType, { description: "Of which payment." })
  async payment(@Root() { paymentId }: Refund, @Ctx() { loaders }: Context): Promise<Payment> {
    const payment = await loaders.payment.load(paymentId);
    assert(payment, "a refund has a payment");
    return payment;
  }
}
