import { ValidateNested } from "class-validator";
import { ArgsType, Field, ID, InputType } from "type-graphql";
import type {
  CancelPaymentRequest,
  CapturePaymentRequest,
  RefundPaymentRequest,
  ResolveConflictRequest,
} from "../../payments/change-request";
import type { ConflictVerdict } from "../../payments/conflict";
import { ConflictVerdictEnum } from "../enums";
import { IsText, Maybe } from "../rules";
import { KeyArgs, MoneyInput } from "./payment.inputs";

/** See its description. */
@InputType("CapturePaymentInput", {
  description: "Money to take of what is held. Its content is: payment, amount (or the rest), final.",
})
export class CapturePaymentInput implements CapturePaymentRequest {
  @Field(() => ID, { description: "Of which payment." })
  @IsText()
  paymentId!: string;

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      "How much; the whole remainder when absent. At most what is capturable, in the payment's currency.",
  })
  @Maybe()
  @ValidateNested()
  amount?: MoneyInput | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: "Release what is left uncaptured. False keeps it for further captures.",
  })
  @Maybe()
  final?: boolean | null;
}

/** See its description. */
@InputType("CancelPaymentInput", { description: "A payment to call off. Its content is: payment." })
export class CancelPaymentInput implements CancelPaymentRequest {
  @Field(() => ID, { description: "Which payment." })
  @IsText()
  paymentId!: string;

  @Field(() => String, { nullable: true, description: "Yours; at most 500 characters. Not compared." })
  @Maybe()
  @IsText()
  reason?: string | null;
}

/** See its description. */
@InputType("RefundPaymentInput", {
  description: "Money to give back. Its content is: payment, amount (or the rest).",
})
export class RefundPaymentInput implements RefundPaymentRequest {
  @Field(() => ID, { description: "Of which payment." })
  @IsText()
  paymentId!: string;

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      "How much; the whole remainder when absent. At most what is refundable, in the payment's currency.",
  })
  @Maybe()
  @ValidateNested()
  amount?: MoneyInput | null;

  @Field(() => String, { nullable: true, description: "Yours; at most 500 characters. Not compared." })
  @Maybe()
  @IsText()
  reason?: string | null;
}

/** See its description. */
@InputType("ResolveConflictInput", {
  description: "A decision about a payment that is CONFLICTED. Its content is: payment, verdict, attempt.",
})
export class ResolveConflictInput implements ResolveConflictRequest {
  @Field(() => ID, { description: "Which payment." })
  @IsText()
  paymentId!: string;

  @Field(() => ConflictVerdictEnum, { description: "What is to be done." })
  verdict!: ConflictVerdict;

  @Field(() => String, {
    nullable: true,
    description:
      "The attempt whose charge is the extra one, where there are several: `ProviderAttempt.reference` of the create.",
  })
  @Maybe()
  @IsText()
  attemptReference?: string | null;

  @Field(() => String, {
    description: "Why; at most 500 characters. Kept with the operation, and not compared.",
  })
  @IsText()
  reason!: string;
}

/** The arguments of capturePayment. */
@ArgsType()
export class CapturePaymentArgs extends KeyArgs {
  @Field(() => CapturePaymentInput, { description: "What to take." })
  @ValidateNested()
  input!: CapturePaymentInput;
}

/** The arguments of cancelPayment. */
@ArgsType()
export class CancelPaymentArgs extends KeyArgs {
  @Field(() => CancelPaymentInput, { description: "What to call off." })
  @ValidateNested()
  input!: CancelPaymentInput;
}

/** The arguments of refundPayment. */
@ArgsType()
export class RefundPaymentArgs extends KeyArgs {
  @Field(() => RefundPaymentInput, { description: "What to give back." })
  @ValidateNested()
  input!: RefundPaymentInput;
}

/** The arguments of resolveConflict. */
@ArgsType()
export class ResolveConflictArgs extends KeyArgs {
  @Field(() => ResolveConflictInput, { description: "What is decided." })
  @ValidateNested()
  input!: ResolveConflictInput;
}
