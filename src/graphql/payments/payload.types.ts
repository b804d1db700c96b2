import { Field, ObjectType } from "type-graphql";
import type { Operation } from "../../idempotency/operation.entity";
import type { Payment } from "../../payments/payment.entity";
import type { PaymentAnswer } from "../../payments/payment-service";
import { OperationType } from "../operations/operation.types";
import { PaymentType } from "./payment.types";

/** What every mutation that moves money answers. */
@ObjectType()
export abstract class PaymentPayload implements PaymentAnswer {
  @Field(() => PaymentType, { description: "As it stands now." })
  payment!: Payment;

  @Field(() => OperationType, {
    description: "The intent that the key names: whether it succeeded is its `state`.",
  })
  operation!: Operation;

  @Field(() => Boolean, { description: "True when this key had been used before and nothing new was done." })
  replayed!: boolean;
}
