import type { App } from "../app";
import { readOnly } from "../db/transaction";
import { holderOf, type Claim } from "../idempotency/claim-key";
import { recordCollision } from "../idempotency/count-repeats";
import { changedFields, type Intent } from "../idempotency/intent";
import type { Operation } from "../idempotency/operation.entity";
import { pullForward } from "../idempotency/pull-forward";
import { encodeId } from "../shared/ids";
import { Refusal } from "../shared/refusal";
import { intentContext } from "./sealed";

/**
 * The key has been used before. With the same content nothing new is done, and nobody is asked a second time: whoever
 * repeats waits a while for the call in flight.
 * @returns the operation that holds the key
 * @throws Refusal CONFLICT where the content differs
 */
export async function repeatOperation(
  app: App,
  merchantId: string,
  claim: Claim,
  intent: Intent,
): Promise<Operation> {
  const holder = await readOnly(app.db, merchantId, (read) => holderOf(read, claim));
  if (holder.fingerprint !== claim.fingerprint) throw await collision(app, holder, intent);
  const repeated = { merchantId, operationId: holder.id };
  const counted = app.repeats.countReplay(repeated);
  // It may fail before it is waited for: unhandled, that would end the process.
  counted.catch(() => undefined);
  if (holder.state === "PROCESSING") await app.waiting.untilAnswered(repeated, app.config.replayWait);
  if (holder.state === "IN_DOUBT") await pullForward(app.db, repeated);
  await counted;
  return holder;
}

/** The same key with other content: refused, counted and listed. */
async function collision(app: App, holder: Operation, intent: Intent): Promise<Refusal<"CONFLICT">> {
  const { merchantId, id } = holder;
  const changed = holder.intent
    ? changedFields(
        JSON.parse(app.cipher.open(holder.intent, intentContext(merchantId, id))) as Intent,
        intent,
      )
    : null;
  await recordCollision(app.db, { merchantId, operationId: id }, changed, "api_key");
  const where = changed ? ` It differs in ${changed.join(", ")}.` : "";
  return new Refusal("CONFLICT", `This idempotency key was used before with other content.${where}`, {
    reason: "IDEMPOTENCY_KEY_REUSED",
    changedFields: changed,
    operationId: encodeId("op", id),
    paymentId: encodeId("pay", holder.paymentId),
    firstUsedAt: holder.createdAt.toISOString(),
  });
}
