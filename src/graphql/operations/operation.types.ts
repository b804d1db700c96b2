import { Field, Int, ObjectType } from "type-graphql";
import type {
  KeyCollision,
  Operation,
  OperationKind,
  OperationState,
} from "../../idempotency/operation.entity";
import type { Attempt, AttemptOutcome } from "../../payments/attempt.entity";
import type { NextAction } from "../../providers/payer-action";
import type { Failure } from "../../providers/provider";
import type { PaymentStatus } from "../../payments/payment-state";
import type { RefundStatus } from "../../payments/refund.entity";
import { NodeType } from "../basic.types";
import {
  AttemptOutcomeEnum,
  OperationKindEnum,
  OperationStateEnum,
  PaymentStatusEnum,
  RefundStatusEnum,
} from "../enums";
import { FailureType, NextActionType } from "../payments/payment.types";
import { DateTimeScalar, IdempotencyKeyScalar } from "../scalars";

/** See its description. */
@ObjectType("KeyCollision", { description: "One refused use of a key with other content." })
export class KeyCollisionType implements Pick<KeyCollision, "at" | "changedFields" | "actor"> {
  @Field(() => DateTimeScalar, { description: "When." })
  at!: Date;

  @Field(() => [String], {
    nullable: true,
    description: "Dotted input paths that differed, never their values; null once the content was erased.",
  })
  changedFields!: string[] | null;

  @Field(() => String, { description: "What kind of credential sent it: api_key, client_session." })
  actor!: string;
}

/** See its description. */
@ObjectType("ProviderAttempt", { description: "One conversation with one provider about one operation." })
export class ProviderAttemptType implements Pick<
  Attempt,
  | "number"
  | "provider"
  | "reference"
  | "providerReference"
  | "outcome"
  | "evidence"
  | "detail"
  | "startedAt"
  | "finishedAt"
> {
  @Field(() => Int, { description: "1, 2, … within the operation." })
  number!: number;

  @Field(() => String, { description: "The provider that was asked." })
  provider!: string;

  @Field(() => String, {
    description: "Sent to the provider both as its idempotency key and as our searchable reference.",
  })
  reference!: string;

  @Field(() => String, { nullable: true, description: "The provider's own id, once it is known." })
  providerReference!: string | null;

  @Field(() => AttemptOutcomeEnum, {
    nullable: true,
    description: "What it came to; null while nobody has an answer.",
  })
  outcome!: AttemptOutcome | null;

  @Field(() => String, {
    nullable: true,
    description: "How we know: reply, replayed_reply, retrieved, found_by_reference, absence, never_sent, …",
  })
  evidence!: string | null;

  @Field(() => String, { nullable: true, description: "For operators." })
  detail!: string | null;

  @Field(() => DateTimeScalar, { description: "When it was written down, which is before anything is sent." })
  startedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its outcome became definite." })
  finishedAt!: Date | null;
}

/** See its description; the amounts are the resolver's. */
@ObjectType("OperationResult", {
  description: "What an operation ended with: frozen, the same on every answer.",
})
export class OperationResultType {
  @Field(() => PaymentStatusEnum, { description: "The payment's status at that moment." })
  paymentStatus!: PaymentStatus;

  @Field(() => RefundStatusEnum, {
    nullable: true,
    description: "The refund's status at that moment; null for others.",
  })
  refundStatus!: RefundStatus | null;

  @Field(() => FailureType, { nullable: true, description: "Why it did not happen." })
  failure!: Failure | null;

  @Field(() => NextActionType, { nullable: true, description: "What the payer had to do." })
  nextAction!: NextAction | null;

  @Field(() => DateTimeScalar, { description: "When it ended." })
  recordedAt!: string;
}

/** The fields that are columns of the entity; the others are the resolver's. */
@ObjectType("Operation", {
  implements: NodeType,
  description: "One intent, named by (merchant, kind, key).",
})
export class OperationType
  extends NodeType
  implements
    Pick<
      Operation,
      "kind" | "state" | "idempotencyKey" | "lastError" | "createdAt" | "completedAt" | "replayableUntil"
    >
{
  @Field(() => OperationKindEnum, { description: "What it intends." })
  kind!: OperationKind;

  @Field(() => OperationStateEnum, { description: "How far it is." })
  state!: OperationState;

  @Field(() => IdempotencyKeyScalar, { description: "The key that names it." })
  idempotencyKey!: string;

  @Field(() => OperationResultType, {
    nullable: true,
    description:
      "What the operation ended with: frozen, the same on every answer. Null until it ends, and again once the replay window has closed and it was erased.",
  })
  result!: object | null;

  @Field(() => String, { nullable: true, description: "What last stood in its way, for operators." })
  lastError!: string | null;

  @Field(() => DateTimeScalar, { description: "When the key was first used." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it ended." })
  completedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    description: "Until when a replay finds the stored result. The key itself never frees.",
  })
  replayableUntil!: Date;
}
