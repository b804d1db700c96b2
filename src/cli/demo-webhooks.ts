import type { App } from "../app";
import { acrossMerchants } from "../db/transaction";
import { WEBHOOK_PATH } from "../http/webhooks";
import { accountSecretContext, webhookSecretContext } from "../providers/providers";
import { encodeId } from "../shared/ids";
import { writeDataFile } from "./data-dir";
import { CREDENTIALS_FILE, type Credentials } from "./demo";

/** What the gateway follows of what the provider tells. */
const EVENTS = [
  "payment_intent.succeeded",
  "payment_intent.amount_capturable_updated",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "payment_intent.requires_action",
  "payment_intent.processing",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.closed",
];

/**
 * Registers the gateway's address at the sandbox for each sandbox account, and keeps what the sandbox signs with:
 * encrypted in the database, and for whoever tries the demo in the credentials' file.
 */
export async function registerDemoWebhooks(
  app: App,
  gatewayUrl: string,
  credentials: Credentials,
): Promise<void> {
  const accounts = await acrossMerchants<{ merchant_id: string; id: string; secret: Buffer }>(
    app.db,
    `select merchant_id, id, secret from provider_accounts where provider = 'sandbox'`,
  );
  const secrets: Record<string, string> = {};
  for (const { merchant_id: merchantId, id, secret } of accounts) {
    const account = { merchantId, id };
    const key = app.cipher.open(secret, accountSecretContext(account));
    const url = `${gatewayUrl}${WEBHOOK_PATH}/${encodeId("pa", id)}`;
    const signedWith = await register(`${app.config.sandboxUrl}/v1/webhook_endpoints`, key, url);
    secrets[encodeId("pa", id)] = signedWith;
    await acrossMerchants(
      app.db,
      `update provider_accounts set webhook_secret = $3 where merchant_id = $1 and id = $2`,
      [merchantId, id, app.cipher.seal(signedWith, webhookSecretContext(account))],
    );
  }
  writeDataFile(app.config, CREDENTIALS_FILE, { ...credentials, webhookSecrets: secrets });
}

async function register(endpoints: string, key: string, url: string): Promise<string> {
  const form = new URLSearchParams({ url });
  for (const type of EVENTS) form.append("enabled_events[]", type);
  const response = await fetch(endpoints, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
    signal: AbortSignal.timeout(5_000),
  });
  const { secret } = (await response.json()) as { secret?: string };
  if (!response.ok || !secret)
    throw new Error(`the sandbox took no webhook endpoint: status ${response.status}`);
  return secret;
}
