import { ValidateNested } from "class-validator";
import { ArgsType, Field, InputType, Int } from "type-graphql";
import { PAGE_AT_MOST, type PageWanted } from "../../db/page";
import type { PaymentFilter, PaymentOrder } from "../../payments/list-payments";
import type { PaymentMethodType } from "../../providers/payer-action";
import type { PaymentStatus } from "../../payments/payment-state";
import {
  OrderDirectionEnum,
  PaymentMethodTypeEnum,
  PaymentOrderFieldEnum,
  PaymentStatusEnum,
} from "../enums";
import { DateTimeRangeInput } from "../list.inputs";
import {
  AreCurrencies,
  AreTexts,
  IsAmount,
  IsCurrency,
  IsReference,
  IsText,
  IsWithin,
  Maybe,
} from "../rules";
import { CurrencyCodeScalar, DecimalScalar } from "../scalars";

/** See its description. */
@InputType("AmountRange", { description: "Amounts of one currency, both ends included." })
export class AmountRangeInput {
  @Field(() => CurrencyCodeScalar, { description: "Payments in another one do not match." })
  @IsCurrency()
  currency!: string;

  @Field(() => DecimalScalar, { nullable: true, description: "More than zero; open where absent." })
  @Maybe()
  @IsAmount()
  min?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "More than zero; open where absent." })
  @Maybe()
  @IsAmount()
  max?: string | null;
}

/** See its description. */
@InputType("PaymentFilter", {
  description:
    "Payments to which everything that is given applies. A list means any of its members; an empty one matches nothing.",
})
export class PaymentFilterInput implements PaymentFilter {
  @Field(() => [PaymentStatusEnum], { nullable: true, description: "Where they stand now." })
  @Maybe()
  status?: PaymentStatus[] | null;

  @Field(() => [PaymentMethodTypeEnum], { nullable: true, description: "How they are paid." })
  @Maybe()
  methodType?: PaymentMethodType[] | null;

  @Field(() => [CurrencyCodeScalar], { nullable: true, description: "Of which currencies." })
  @Maybe()
  @AreCurrencies()
  currency?: string[] | null;

  @Field(() => [String], { nullable: true, description: "Which provider was asked: sandbox, stripe, …" })
  @Maybe()
  @AreTexts()
  provider?: string[] | null;

  @Field(() => DateTimeRangeInput, { nullable: true, description: "When they were accepted." })
  @Maybe()
  @ValidateNested()
  createdAt?: DateTimeRangeInput | null;

  @Field(() => AmountRangeInput, { nullable: true, description: "How much was asked for." })
  @Maybe()
  @ValidateNested()
  amount?: AmountRangeInput | null;

  @Field(() => String, { nullable: true, description: "Of which order." })
  @Maybe()
  @IsReference()
  orderReference?: string | null;

  @Field(() => String, { nullable: true, description: "Of which customer." })
  @Maybe()
  @IsReference()
  customerReference?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Finds by id, key, order, customer or provider reference: by the whole of it, in upper and lower case as it is.",
  })
  @Maybe()
  @IsText()
  search?: string | null;
}

/** See its description. */
@InputType("PaymentOrder", { description: "By what a list of payments is ordered, and from which end." })
export class PaymentOrderInput implements PaymentOrder {
  @Field(() => PaymentOrderFieldEnum, { description: "By which time." })
  field!: PaymentOrder["field"];

  @Field(() => OrderDirectionEnum, { description: "From which end." })
  direction!: PaymentOrder["direction"];
}

/** The arguments of payments. */
@ArgsType()
export class PaymentsArgs implements PageWanted {
  @Field(() => Int, {
    nullable: true,
    description: "How many at most, from the list's start or from `after` on: 1 to 100; 20 when absent.",
  })
  @Maybe()
  @IsWithin(1, PAGE_AT_MOST)
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Those after this place: the `endCursor` of the page before.",
  })
  @Maybe()
  @IsText()
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "How many at most, back from the list's end or from `before`: 1 to 100. Not beside `first`.",
  })
  @Maybe()
  @IsWithin(1, PAGE_AT_MOST)
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Those before this place: the `startCursor` of the page behind.",
  })
  @Maybe()
  @IsText()
  before?: string | null;

  @Field(() => PaymentFilterInput, { nullable: true, description: "Which ones; all when absent." })
  @Maybe()
  @ValidateNested()
  filter?: PaymentFilterInput | null;

  @Field(() => PaymentOrderInput, {
    nullable: true,
    description: "In which order; newest first when absent.",
  })
  @Maybe()
  @ValidateNested()
  orderBy?: PaymentOrderInput | null;
}
