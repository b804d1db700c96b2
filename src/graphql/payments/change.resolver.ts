import { Args, Ctx, Field, Mutation, ObjectType, Resolver } from "type-graphql";
import { PaymentService, type RefundAnswer } from "../../payments/payment-service";
import type { Refund } from "../../payments/refund.entity";
import type { Context } from "../context";
import { RefundType } from "../refunds/refund.types";
import {
  CancelPaymentArgs,
  CapturePaymentArgs,
  RefundPaymentArgs,
  ResolveConflictArgs,
} from "./change.inputs";
import { PaymentPayload } from "./payload.types";

/** See its description. */
@ObjectType("CapturePaymentPayload", {
  description: "What capturePayment answers, the first time and on every repeat.",
})
class CapturePaymentPayload extends PaymentPayload {}

/** See its description. */
@ObjectType("CancelPaymentPayload", {
  description: "What cancelPayment answers, the first time and on every repeat.",
})
class CancelPaymentPayload extends PaymentPayload {}

/** See its description. */
@ObjectType("RefundPaymentPayload", {
  description: "What refundPayment answers, the first time and on every repeat.",
})
class RefundPaymentPayload extends PaymentPayload implements RefundAnswer {
  @Field(() => RefundType, { description: "The refund that the key names, as it stands now." })
  refund!: Refund;
}

/** See its description. */
@ObjectType("ResolveConflictPayload", {
  description: "What resolveConflict answers, the first time and on every repeat.",
})
class ResolveConflictPayload extends PaymentPayload {}

/** What follows on a payment: the way in. Rules are the domain's. */
@Resolver()
export class ChangeResolver {
  @Mutation(() => CapturePaymentPayload, {
    nullable: true,
    description:
      "Takes money that is held, once for each key. One capture or cancel of a payment runs at a time: meanwhile another is a CONFLICT with the reason OPERATION_IN_PROGRESS, to be sent again with the same key.",
  })
  async capturePayment(
    @Args() { idempotencyKey, input }: CapturePaymentArgs,
    @Ctx() { app, caller }: Context,
  ): Promise<CapturePaymentPayload> {
    return new PaymentService(app).capturePayment(await caller(), idempotencyKey, input);
  }

  @Mutation(() => CancelPaymentPayload, {
    nullable: true,
    description:
      "Calls a payment off before its money is taken, once for each key; of one that was captured in part the rest is released.",
  })
  async cancelPayment(
    @Args() { idempotencyKey, input }: CancelPaymentArgs,
    @Ctx() { app, caller }: Context,
  ): Promise<CancelPaymentPayload> {
    return new PaymentService(app).cancelPayment(await caller(), idempotencyKey, input);
  }

  @Mutation(() => RefundPaymentPayload, {
    nullable: true,
    description:
      "Gives money back, once for each key. Refunds of one payment may run side by side, and together never give back more than was taken.",
  })
  async refundPayment(
    @Args() { idempotencyKey, input }: RefundPaymentArgs,
    @Ctx() { app, caller }: Context,
  ): Promise<RefundPaymentPayload> {
    return new PaymentService(app).refundPayment(await caller(), idempotencyKey, input);
  }

  @Mutation(() => ResolveConflictPayload, {
    nullable: true,
    description:
      "Decides about a payment that is CONFLICTED, once for each key: an operator's (ADMIN, OPERATOR). The provider is asked what is so first. Where nothing contradicts what was asked for any more, the payment leaves CONFLICTED with what it has charged, and its create ends. A refund that this takes is `operation.refund`.",
  })
  async resolveConflict(
    @Args() { idempotencyKey, input }: ResolveConflictArgs,
    @Ctx() { app, caller }: Context,
  ): Promise<ResolveConflictPayload> {
    return new PaymentService(app).resolveConflict(await caller(), idempotencyKey, input);
  }
}
