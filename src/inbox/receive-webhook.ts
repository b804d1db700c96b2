import type { App } from "../app";
import { acrossMerchants } from "../db/transaction";
import { ProviderAccount } from "../providers/provider-account.entity";
import { webhookSecretContext } from "../providers/providers";
import type { WebhookHeaders, WebhookReading } from "../providers/webhook";
import { decodeId, newUuid } from "../shared/ids";

/** What becomes of a webhook: kept, or turned away. Nothing is said of why a signature does not fit. */
export type Received = "stored" | "unknown_account" | "refused";

/**
 * Stores what a provider tells, for the worker to apply, and no more: its sender is answered at once, and what is not
 * stored is not acknowledged. The key is (provider account, event id): the copies of an event are one row. A copy of
 * one that is not applied yet makes it due now.
 * @param account the public id in the address
 * @throws Refusal UNAVAILABLE where it could not be stored: the provider sends it again
 */
export async function receiveWebhook(
  app: App,
  account: string,
  raw: Buffer,
  headers: WebhookHeaders,
): Promise<Received> {
  const found = await findAccount(app, decodeId("pa", account));
  if (!found?.webhookSecret) return "unknown_account";
  const provider = app.providers.of(found);
  const secret = app.cipher.open(found.webhookSecret, webhookSecretContext(found));
  const reading = provider.readWebhook(raw, headers, secret, app.clock.now());
  if (reading.kind === "refused" || reading.livemode !== provider.livemode) return "refused";
  await store(app, found, reading);
  return "stored";
}

/** The address names the account, and the account its merchant. */
async function findAccount(app: App, id: string | null): Promise<ProviderAccount | null> {
  if (id === null) return null;
  const [row] = await acrossMerchants<{ merchant_id: string; secret: Buffer; webhook_secret: Buffer | null }>(
    app.db,
    `select merchant_id, provider, secret, webhook_secret from provider_accounts where id = $1`,
    [id],
  );
  if (!row) return null;
  const { merchant_id: merchantId, webhook_secret: webhookSecret, ...rest } = row;
  return Object.assign(new ProviderAccount(), { ...rest, id, merchantId, webhookSecret });
}

async function store(
  app: App,
  { merchantId, id }: ProviderAccount,
  { eventId, type, subject }: Extract<WebhookReading, { kind: "event" }>,
): Promise<void> {
  await acrossMerchants(
    app.db,
    `insert into inbox (merchant_id, id, provider_account_id, event_id, type, subject, state)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id, provider_account_id, event_id) do update
       set state = 'RECEIVED', due_at = now()
       where inbox.state in ('RECEIVED', 'UNATTRIBUTED') and inbox.lease_token is null`,
    [
      merchantId,
      newUuid(),
      id,
      eventId,
      type,
      JSON.stringify(subject),
      subject.kind === "none" ? "IGNORED" : "RECEIVED",
    ],
  );
}
