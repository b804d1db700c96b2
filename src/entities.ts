import { ApiKey, Merchant } from "./access/access.entity";
import {
  KeyCollision,
  Operation,
  OperationCounter,
  UnfinishedOperation,
} from "./idempotency/operation.entity";
import { Attempt } from "./payments/attempt.entity";
import { PaymentEvent } from "./payments/payment-event.entity";
import { Effect } from "./outbox/effect.entity";
import { Payment } from "./payments/payment.entity";
import { Refund } from "./payments/refund.entity";
import { ProviderAccount } from "./providers/provider-account.entity";

/** Every table's class, for the gateway's DataSource and for TypeORM's command line. */
export const entities = [
  Merchant,
  ApiKey,
  ProviderAccount,
  Operation,
  UnfinishedOperation,
  OperationCounter,
  KeyCollision,
  Payment,
  Refund,
  Effect,
  Attempt,
  PaymentEvent,
];
