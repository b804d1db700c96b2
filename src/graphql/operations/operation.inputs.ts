import { ValidateNested } from "class-validator";
import { ArgsType, Directive, Field, ID, InputType } from "type-graphql";
import type { OperationKind } from "../../idempotency/operation.entity";
import { OperationKindEnum } from "../enums";
import { IsKey, IsReference, Maybe } from "../rules";
import { IdempotencyKeyScalar } from "../scalars";

/** See its description. */
@InputType("OperationKeyInput", { description: "A key in its scope." })
export class OperationKeyInput {
  @Field(() => OperationKindEnum, { description: "What it was used for." })
  kind!: OperationKind;

  @Field(() => IdempotencyKeyScalar, { description: "The key." })
  @IsKey()
  idempotencyKey!: string;

  @Field(() => String, {
    nullable: true,
    description: "Looks among the keys of the client sessions of that order instead of the merchant's own.",
  })
  @Maybe()
  @IsReference()
  sessionOrderReference?: string | null;
}

/** See its description. */
@Directive("@oneOf")
@InputType("OperationBy", { description: "Names one operation: by exactly one of them." })
export class OperationByInput {
  @Field(() => ID, { nullable: true, description: "Its id." })
  @Maybe()
  id?: string | null;

  @Field(() => OperationKeyInput, { nullable: true, description: "Its key." })
  @Maybe()
  @ValidateNested()
  key?: OperationKeyInput | null;
}

/** The arguments of operation. */
@ArgsType()
export class OperationArgs {
  @Field(() => OperationByInput, { description: "Which one." })
  @ValidateNested()
  by!: OperationByInput;
}
