import { Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from "type-graphql";
import { findOperation } from "../../idempotency/find-operations";
import type { KeyCollision, Operation } from "../../idempotency/operation.entity";
import type { Attempt } from "../../payments/attempt.entity";
import type { OperationResult } from "../../payments/operation-result";
import type { Payment } from "../../payments/payment.entity";
import type { Refund } from "../../payments/refund.entity";
import { assert } from "../../shared/assert";
import { decodeId, encodeId } from "../../shared/ids";
import { MoneyType } from "../basic.types";
import type { Context } from "../context";
import { PaymentType } from "../payments/payment.types";
import { RefundType } from "../refunds/refund.types";
import { DateTimeScalar } from "../scalars";
import { OperationArgs } from "./operation.inputs";
import { KeyCollisionType, OperationResultType, OperationType, ProviderAttemptType } from "./operation.types";

/** Operations: the way in. */
@Resolver(() => OperationType)
export class OperationResolver {
  @Query(() => OperationType, {
    nullable: true,
    description: "One operation; null where the merchant has no such operation.",
  })
  async operation(@Args() { by }: OperationArgs, @Ctx() { read }: Context): Promise<Operation | null> {
    const id = by.id == null ? undefined : decodeId("op", by.id);
    return read("readPayments", async (reader) =>
      id === null ? null : findOperation(reader, { id, key: by.key ?? undefined }),
    );
  }

  @FieldResolver(() => ID, { description: "Its public id: op_…" })
  id(@Root() operation: Operation): string {
    return encodeId("op", operation.id);
  }

  @FieldResolver(() => PaymentType, { description: "The payment that it is about." })
  async payment(@Root() { paymentId }: Operation, @Ctx() { loaders }: Context): Promise<Payment> {
    const payment = await loaders.payment.load(paymentId);
    assert(payment, "an operation has a payment");
    return payment;
  }

  @FieldResolver(() => RefundType, { nullable: true, description: "The refund that it is about." })
  async refund(@Root() { refundId }: Operation, @Ctx() { loaders }: Context): Promise<Refund | null> {
    return refundId === null ? null : ((await loaders.refund.load(refundId)) ?? null);
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: "What is to be paid, taken or given back; null for a cancel.",
  })
  async amount(@Root() operation: Operation, @Ctx() { loaders }: Context): Promise<MoneyType | null> {
    const payment = await loaders.payment.load(operation.paymentId);
    const amount = operation.kind === "CREATE_PAYMENT" ? payment?.amount : operation.amount;
    return payment && amount != null ? MoneyType.of(amount, payment.currency) : null;
  }

  @FieldResolver(() => [ProviderAttemptType], {
    description: "The conversations with providers, oldest first.",
  })
  attempts(@Root() { id }: Operation, @Ctx() { loaders }: Context): Promise<Attempt[]> {
    return loaders.attempts.load(id);
  }

  @FieldResolver(() => Int, { description: "How often this key was sent again with the same content." })
  async replayCount(@Root() { id }: Operation, @Ctx() { loaders }: Context): Promise<number> {
    return Number((await loaders.counter.load(id))?.replays ?? 0);
  }

  @FieldResolver(() => Int, {
    description: "How often this key was sent again with other content, and refused.",
  })
  async collisionCount(@Root() { id }: Operation, @Ctx() { loaders }: Context): Promise<number> {
    return Number((await loaders.counter.load(id))?.collisions ?? 0);
  }

  @FieldResolver(() => [KeyCollisionType], {
    description: "The last 20 refused uses of this key, newest first.",
  })
  collisions(@Root() { id }: Operation, @Ctx() { loaders }: Context): Promise<KeyCollision[]> {
    return loaders.collisions.load(id);
  }

  @FieldResolver(() => DateTimeScalar, {
    nullable: true,
    description: "When the gateway takes it up next by itself; null where nothing is left to do.",
  })
  async nextAttemptAt(@Root() { id }: Operation, @Ctx() { loaders }: Context): Promise<Date | null> {
    return (await loaders.unfinished.load(id))?.dueAt ?? null;
  }
}

/** The amounts of a frozen result. */
@Resolver(() => OperationResultType)
export class OperationResultResolver {
  @FieldResolver(() => MoneyType, { description: "What had been taken by then." })
  capturedAmount(@Root() { capturedAmount, currency }: OperationResult): MoneyType {
    return MoneyType.of(BigInt(capturedAmount), currency);
  }

  @FieldResolver(() => MoneyType, { description: "What had been given back by then." })
  refundedAmount(@Root() { refundedAmount, currency }: OperationResult): MoneyType {
    return MoneyType.of(BigInt(refundedAmount), currency);
  }
}
