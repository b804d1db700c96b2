import { createUnionType, Field, Int, ObjectType } from "type-graphql";
import type { NextAction, PaymentMethodType } from "../../providers/payer-action";
import type { CardDetails, Failure } from "../../providers/provider";
import type { CaptureMode, Payment } from "../../payments/payment.entity";
import type { PaymentStatus } from "../../payments/payment-state";
import { NodeType } from "../basic.types";
import {
  CaptureModeEnum,
  FailureKindEnum,
  NextActionKindEnum,
  PaymentMethodTypeEnum,
  PaymentStatusEnum,
  RetryAdviceEnum,
} from "../enums";
import { DateTimeScalar, IdempotencyKeyScalar, MetadataScalar } from "../scalars";

/** See its description. */
@ObjectType("CardMethod", {
  description: "What may be shown of the card. Null where the provider has not told it yet.",
})
export class CardMethodType implements CardDetails {
  @Field(() => String, { nullable: true, description: "The scheme, such as visa." })
  brand!: string | null;

  @Field(() => String, { nullable: true, description: "The last four digits." })
  last4!: string | null;

  @Field(() => Int, { nullable: true, description: "1 to 12." })
  expiryMonth!: number | null;

  @Field(() => Int, { nullable: true, description: "Four digits." })
  expiryYear!: number | null;
}

/** See its description. */
@ObjectType("PixMethod", { description: "A Pix code. It stays readable after the payment has ended." })
export class PixMethodType {
  @Field(() => String, {
    nullable: true,
    description: "The copy-and-paste payload of the QR code; null where the provider has not told it yet.",
  })
  copyPaste!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be paid." })
  expiresAt!: string | null;
}

/** See its description. */
@ObjectType("BoletoMethod", { description: "A boleto. It stays readable after the payment has ended." })
export class BoletoMethodType {
  @Field(() => String, {
    nullable: true,
    description: "The digits that the payer types; null where the provider has not told them yet.",
  })
  digitableLine!: string | null;

  @Field(() => String, { nullable: true, description: "Where the provider has it for printing." })
  pdfUrl!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be paid." })
  expiresAt!: string | null;
}

const METHODS = { CARD: CardMethodType, PIX: PixMethodType, BOLETO: BoletoMethodType };

/** See its description. */
export const PaymentMethodUnion = createUnionType({
  name: "PaymentMethod",
  description:
    "How a payment is paid, with what is particular to it. More members may come: keep a default branch.",
  types: () => [CardMethodType, PixMethodType, BoletoMethodType] as const,
  resolveType: (value) => METHODS[(value as unknown as { type: PaymentMethodType }).type],
});

/** See its description. */
@ObjectType("NextAction", { description: "What the payer has to do before the payment goes on." })
export class NextActionType implements NextAction {
  @Field(() => NextActionKindEnum, { description: "What is to be done." })
  kind!: NextAction["kind"];

  @Field(() => String, { nullable: true, description: "The page to open, where there is one." })
  redirectUrl!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be done." })
  expiresAt!: string | null;
}

/** See its description. */
@ObjectType("Failure", { description: "Why a payment definitely did not happen." })
export class FailureType implements Failure {
  @Field(() => FailureKindEnum, { description: "What kind of no it was." })
  kind!: Failure["kind"];

  @Field(() => String, {
    description:
      "One of: insufficient_funds, do_not_honour, expired_card, incorrect_cvc, lost_card, stolen_card, invalid_card, processing_error, authentication_failed, risk_rejected, limit_exceeded, unsupported, provider_unavailable, other.",
  })
  code!: Failure["code"];

  @Field(() => String, { description: "For people; its words may change." })
  message!: string;

  @Field(() => RetryAdviceEnum, { description: "Whether a new attempt makes sense." })
  retryAdvice!: Failure["retryAdvice"];
}

/** The fields that are columns of the entity; the others are the resolver's. */
@ObjectType("Payment", {
  implements: NodeType,
  description:
    "One payment of the merchant's, as it stands now. The same on every answer that carries its id and version.",
})
export class PaymentType
  extends NodeType
  implements
    Pick<
      Payment,
      | "version"
      | "captureMode"
      | "methodType"
      | "idempotencyKey"
      | "orderReference"
      | "customerReference"
      | "description"
      | "metadata"
      | "provider"
      | "providerReference"
      | "createdAt"
      | "updatedAt"
      | "authorizedAt"
      | "capturedAt"
      | "expiresAt"
      | "status"
    >
{
  @Field(() => PaymentStatusEnum, { description: "Where it stands." })
  status!: PaymentStatus;

  @Field(() => Int, { description: "Grows by one with every change; never goes backwards." })
  version!: number;

  @Field(() => CaptureModeEnum, { description: "When the money is taken." })
  captureMode!: CaptureMode;

  @Field(() => PaymentMethodTypeEnum, { description: "How it is paid." })
  methodType!: PaymentMethodType;

  @Field(() => NextActionType, {
    nullable: true,
    description: "What the payer has to do; null where nothing.",
  })
  nextAction!: NextAction | null;

  @Field(() => FailureType, { nullable: true, description: "Why it did not happen; null unless it FAILED." })
  failure!: Failure | null;

  @Field(() => IdempotencyKeyScalar, { description: "The key that it was created with." })
  idempotencyKey!: string;

  @Field(() => String, { nullable: true, description: "Your order's reference." })
  orderReference!: string | null;

  @Field(() => String, { nullable: true, description: "Your customer's reference." })
  customerReference!: string | null;

  @Field(() => String, { nullable: true, description: "What the payer may read on a statement or receipt." })
  description!: string | null;

  @Field(() => MetadataScalar, { description: "Your own notes." })
  metadata!: Record<string, string>;

  @Field(() => String, { nullable: true, description: "The provider that was asked: sandbox, stripe, …" })
  provider!: string;

  @Field(() => String, { nullable: true, description: "The provider's own id; null until it is known." })
  providerReference!: string | null;

  @Field(() => DateTimeScalar, { description: "When it was accepted." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the money was first held." })
  authorizedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When money was first taken." })
  capturedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it runs out unpaid; null where it does not.",
  })
  expiresAt!: Date | null;
}
