import { OperationByKey } from "./generated.ts";
import type { Ask } from "./intents.ts";
import type { Sender } from "./sender.ts";

/** Asks the gateway what became of a key, for `createIntents({ ask })`. */
export function askBy(send: Sender): Ask {
  return ({ key, scope, signal }) =>
    send(OperationByKey, { key: { idempotencyKey: key, kind: KINDS[scope.kind] } }, signal);
}

const KINDS = {
  create: "CREATE_PAYMENT",
  capture: "CAPTURE_PAYMENT",
  cancel: "CANCEL_PAYMENT",
  refund: "REFUND_PAYMENT",
} as const;
