// What users of the package import. Each name is told where it is declared.
export { askBy } from "./ask.ts";
export type { Attempt, Kind, Scope, TextStorage } from "./attempt.ts";
export type { GatewayError } from "./answer.ts";
export type { Outcome, Send, Waits } from "./flight.ts";
export { createIntents } from "./intents.ts";
export type { Ask, CallOptions, Intents, IntentsOptions } from "./intents.ts";
export type { Locks } from "./locks.ts";
export { once, memoryEffects, EffectBusyError } from "./once.ts";
export type { EffectStore, Once } from "./once.ts";
export { EarlierIntentError, OutcomeUnknownError, RefusedError } from "./problems.ts";
export { createSender } from "./sender.ts";
export type { GraphqlReply, OperationDocument, Sender, SenderOptions } from "./sender.ts";
export { verifyWebhook, WebhookError } from "./webhook.ts";
export type { WebhookCheck, WebhookHeaders, WebhookMessage } from "./webhook.ts";
