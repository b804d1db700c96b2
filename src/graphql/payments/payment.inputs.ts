import { ValidateNested } from "class-validator";
import { ArgsType, Directive, Field, ID, InputType, Int } from "type-graphql";
import type { CreatePaymentRequest } from "../../payments/create-payment-request";
import type { CaptureMode } from "../../payments/payment.entity";
import { CaptureModeEnum } from "../enums";
import {
  IsAmount,
  IsCardToken,
  IsCurrency,
  IsEmailAddress,
  IsKey,
  IsMetadata,
  IsReference,
  IsReturnUrl,
  IsTaxId,
  IsText,
  IsWithin,
  Maybe,
} from "../rules";
import { CurrencyCodeScalar, DecimalScalar, IdempotencyKeyScalar, MetadataScalar } from "../scalars";

/** See its description. */
@InputType("MoneyInput", {
  description: "An exact amount of one currency: more than zero, at most 2^53 − 1 minor units.",
})
export class MoneyInput {
  @Field(() => DecimalScalar, {
    description: 'Such as "10.50"; at most as many decimals as the currency has.',
  })
  @IsAmount()
  amount!: string;

  @Field(() => CurrencyCodeScalar, { description: "ISO 4217, upper case." })
  @IsCurrency()
  currency!: string;
}

/** See its description. */
@InputType("CardInput", { description: "A card, as a token." })
export class CardInput {
  @Field(() => String, { description: "A token of the provider's own vault. Card numbers are refused." })
  @IsCardToken()
  token!: string;

  @Field(() => ID, {
    nullable: true,
    description: "Whose vault made the token; required where several accounts take cards.",
  })
  @Maybe()
  @IsText()
  providerAccountId?: string | null;
}

/** See its description. */
@InputType("PixInput", {
  description: "Pix: a code that the payer scans or copies. BRL only, captured at once.",
})
export class PixInput {
  @Field(() => Int, { nullable: true, description: "60 to 86,400 seconds; 3,600 when absent." })
  @Maybe()
  @IsWithin(60, 86_400)
  expiresInSeconds?: number | null;
}

/** See its description. */
@InputType("BoletoInput", {
  description: "Boleto: the payer pays it at a bank. BRL only, captured at once; payer.taxId is required.",
})
export class BoletoInput {
  @Field(() => Int, { nullable: true, description: "1 to 60 days; 3 when absent." })
  @Maybe()
  @IsWithin(1, 60)
  expiresInDays?: number | null;
}

/** See its description. */
@Directive("@oneOf")
@InputType("PaymentMethodInput", { description: "How it is to be paid: exactly one of them." })
export class PaymentMethodInput {
  @Field(() => CardInput, { nullable: true, description: "By card." })
  @Maybe()
  @ValidateNested()
  card?: CardInput | null;

  @Field(() => PixInput, { nullable: true, description: "By Pix." })
  @Maybe()
  @ValidateNested()
  pix?: PixInput | null;

  @Field(() => BoletoInput, { nullable: true, description: "By boleto." })
  @Maybe()
  @ValidateNested()
  boleto?: BoletoInput | null;
}

/** See its description. */
@InputType("PayerInput", { description: "Who pays. Kept encrypted." })
export class PayerInput {
  @Field(() => String, { nullable: true, description: "At most 500 characters." })
  @Maybe()
  @IsText()
  name?: string | null;

  @Field(() => String, { nullable: true, description: "An e-mail address." })
  @Maybe()
  @IsEmailAddress()
  email?: string | null;

  @Field(() => String, { nullable: true, description: "CPF or CNPJ, digits only; required for boleto." })
  @Maybe()
  @IsTaxId()
  taxId?: string | null;
}

/** See its description. */
@InputType("OrderInput", { description: "The order that is paid." })
export class OrderInput {
  @Field(() => String, { description: "Yours: 1 to 100 bytes of UTF-8 without control characters." })
  @IsReference()
  reference!: string;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: "By default an order has one live payment at most; true allows another beside it.",
  })
  @Maybe()
  allowAnotherPayment?: boolean | null;
}

/** See its description. */
@InputType("CreatePaymentInput", {
  description:
    "A payment to make. Its content, which the key stands for, is: amount, method, capture mode, order, customer reference and the payer's tax id. The rest is not compared.",
})
export class CreatePaymentInput implements CreatePaymentRequest {
  @Field(() => MoneyInput, { description: "How much." })
  @ValidateNested()
  amount!: MoneyInput;

  @Field(() => PaymentMethodInput, { description: "By what." })
  @ValidateNested()
  method!: PaymentMethodInput;

  @Field(() => CaptureModeEnum, {
    nullable: true,
    defaultValue: CaptureModeEnum.AUTOMATIC,
    description: "Whether the money is taken at once.",
  })
  @Maybe()
  captureMode?: CaptureMode | null;

  @Field(() => OrderInput, { nullable: true, description: "For which order." })
  @Maybe()
  @ValidateNested()
  order?: OrderInput | null;

  @Field(() => String, {
    nullable: true,
    description: "Yours: 1 to 100 bytes of UTF-8 without control characters.",
  })
  @Maybe()
  @IsReference()
  customerReference?: string | null;

  @Field(() => PayerInput, { nullable: true, description: "Who pays." })
  @Maybe()
  @ValidateNested()
  payer?: PayerInput | null;

  @Field(() => String, { nullable: true, description: "What the payer may read; at most 500 characters." })
  @Maybe()
  @IsText()
  description?: string | null;

  @Field(() => MetadataScalar, { nullable: true, description: "Your own notes." })
  @Maybe()
  @IsMetadata()
  metadata?: Record<string, string> | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Where the payer comes back to from a page of the provider's: https, or http on a loopback address.",
  })
  @Maybe()
  @IsReturnUrl()
  returnUrl?: string | null;
}

/** The key of every mutation that moves money. */
@ArgsType()
export abstract class KeyArgs {
  @Field(() => IdempotencyKeyScalar, {
    description:
      "Names this intent, for ever, among those of its kind. Send the same key again after a timeout, a 5xx or no answer at all; take a new one only for a new intent.",
  })
  @IsKey()
  idempotencyKey!: string;
}

/** The arguments of createPayment. */
@ArgsType()
export class CreatePaymentArgs extends KeyArgs {
  @Field(() => CreatePaymentInput, { description: "What to pay." })
  @ValidateNested()
  input!: CreatePaymentInput;
}

/** See its description. */
@Directive("@oneOf")
@InputType("PaymentBy", { description: "Names one payment: by exactly one of them." })
export class PaymentByInput {
  @Field(() => ID, { nullable: true, description: "Its id." })
  @Maybe()
  id?: string | null;

  @Field(() => IdempotencyKeyScalar, { nullable: true, description: "The key that it was created with." })
  @Maybe()
  @IsKey()
  idempotencyKey?: string | null;

  @Field(() => String, { nullable: true, description: "The live or latest payment of that order." })
  @Maybe()
  @IsReference()
  orderReference?: string | null;

  @Field(() => String, { nullable: true, description: "The provider's own id." })
  @Maybe()
  @IsReference()
  providerReference?: string | null;
}

/** The arguments of payment. */
@ArgsType()
export class PaymentArgs {
  @Field(() => PaymentByInput, { description: "Which one." })
  @ValidateNested()
  by!: PaymentByInput;
}
