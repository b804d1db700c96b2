import { toDataURL } from "qrcode";
import { Args, Ctx, FieldResolver, ID, Mutation, ObjectType, Query, Resolver, Root } from "type-graphql";
import { findPayment } from "../../payments/find-payments";
import type { Payment } from "../../payments/payment.entity";
import { PaymentService } from "../../payments/payment-service";
import { decodeId, encodeId } from "../../shared/ids";
import { MoneyType } from "../basic.types";
import type { Context } from "../context";
import { PaymentPayload } from "./payload.types";
import { CreatePaymentArgs, PaymentArgs } from "./payment.inputs";
import { PaymentMethodUnion, PaymentType, PixMethodType } from "./payment.types";

/** See its description. */
@ObjectType("CreatePaymentPayload", {
  description: "What createPayment answers, the first time and on every repeat.",
})
class CreatePaymentPayload extends PaymentPayload {}

/** Payments: the way in. Rules are the domain's. */
@Resolver(() => PaymentType)
export class PaymentResolver {
  @Mutation(() => CreatePaymentPayload, {
    nullable: true,
    description:
      "Makes a payment, once for each idempotency key. The same key with the same content answers with the same payment, and nothing is done twice; with other content it is a CONFLICT. A declined payment is data (`payment.failure`), not an error.",
  })
  async createPayment(
    @Args() { idempotencyKey, input }: CreatePaymentArgs,
    @Ctx() { app, caller }: Context,
  ): Promise<CreatePaymentPayload> {
    return new PaymentService(app).createPayment(await caller(), idempotencyKey, input);
  }

  @Query(() => PaymentType, {
    nullable: true,
    description: "One payment; null where the merchant has no such payment. A null never licenses a new key.",
  })
  async payment(@Args() { by }: PaymentArgs, @Ctx() { read }: Context): Promise<Payment | null> {
    const id = by.id == null ? undefined : decodeId("pay", by.id);
    const { idempotencyKey, orderReference, providerReference } = by;
    return read("readPayments", async (reader) =>
      id === null
        ? null
        : findPayment(reader, {
            id,
            idempotencyKey: idempotencyKey ?? undefined,
            orderReference: orderReference ?? undefined,
            providerReference: providerReference ?? undefined,
          }),
    );
  }

  @FieldResolver(() => ID, { description: "Its public id: pay_…" })
  id(@Root() payment: Payment): string {
    return encodeId("pay", payment.id);
  }

  @FieldResolver(() => MoneyType, { description: "What was asked for." })
  amount(@Root() { amount, currency }: Payment): MoneyType {
    return MoneyType.of(amount, currency);
  }

  @FieldResolver(() => MoneyType, { description: "What has been taken." })
  capturedAmount(@Root() { captured, currency }: Payment): MoneyType {
    return MoneyType.of(captured, currency);
  }

  @FieldResolver(() => MoneyType, { description: "What has been given back." })
  refundedAmount(@Root() { refunded, currency }: Payment): MoneyType {
    return MoneyType.of(refunded, currency);
  }

  @FieldResolver(() => PaymentMethodUnion, { description: "How it is paid, with what may be shown of it." })
  method(@Root() { methodType, card, payerCode }: Payment): typeof PaymentMethodUnion {
    // Which member of the union it is, is read from `type`.
    const shown = { type: methodType, ...(methodType === "CARD" ? (card ?? NO_CARD) : payerCode) };
    return shown as typeof PaymentMethodUnion;
  }
}

const NO_CARD = { brand: null, last4: null, expiryMonth: null, expiryYear: null };

/** Pix codes: the picture is made where somebody asks for it. */
@Resolver(() => PixMethodType)
export class PixMethodResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "The QR code as a picture: a data URI.",
  })
  async qrCodePng(@Root() { copyPaste }: PixMethodType): Promise<string | null> {
    return copyPaste ? toDataURL(copyPaste, { errorCorrectionLevel: "M" }) : null;
  }
}
