import type { Caller } from "../access/caller";
import type { App } from "../app";
import type { Intent } from "../idempotency/intent";
import type { AuthorizeRequest } from "../providers/provider";
import { newUuid } from "../shared/ids";
import { callWithin } from "./advance-payment";
import { referenceOf, type NewPayment } from "./claim-payment";
import { methodToAsk, moneyOf, payerToTell, type CreatePaymentRequest } from "./create-payment-request";
import { newClaim } from "./new-claim";
import { serializeRequest } from "./provider-request";
import { payerContext, requestContext } from "./sealed";

/** A payment as T1 will write it, and the request that follows it to the provider. */
export interface Prepared {
  wanted: NewPayment;
  toProvider: AuthorizeRequest;
}

/** Where a payer comes back to us from a page of the provider's; the attempt's reference follows. */
export const RETURN_PATH = "/return/";

/** Makes everything that T1 needs before it begins, so that a retry of T1 repeats no work and changes nothing. */
export function preparePayment(
  app: App,
  caller: Caller,
  idempotencyKey: string,
  { request, intent }: { request: CreatePaymentRequest; intent: Intent },
): Prepared {
  const { merchantId } = caller;
  const paymentId = newUuid();
  const claim = newClaim(app, { kind: "CREATE_PAYMENT", merchantId, idempotencyKey, intent, paymentId });
  const reference = referenceOf(merchantId, claim, 1);
  const method = methodToAsk(request);
  const toProvider: AuthorizeRequest = {
    reference,
    amount: moneyOf(request.amount),
    captureMode: request.captureMode ?? "AUTOMATIC",
    method,
    payer: payerToTell(request),
    returnUrl: method.type === "CARD" ? `${app.publicUrl}${RETURN_PATH}${reference}` : null,
    description: request.description ?? null,
  };
  const wanted: NewPayment = {
    claim,
    request,
    money: toProvider.amount,
    payer: request.payer
      ? app.cipher.seal(JSON.stringify(request.payer), payerContext(merchantId, claim.paymentId))
      : null,
    sealedRequest: app.cipher.seal(
      serializeRequest(toProvider),
      requestContext(merchantId, claim.operationId),
    ),
    sendWithin: callWithin(app),
    actor: "api_key",
  };
  return { wanted, toProvider };
}
