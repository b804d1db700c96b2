import type { App } from "../app";
import { ApiKeyRole } from "../access/access.entity";
import { authenticate } from "../access/caller";
import { issueApiKey } from "../access/issue-api-key";
import { acrossMerchants } from "../db/transaction";
import { accountSecretContext } from "../providers/providers";
import { encodeId, newUuid } from "../shared/ids";
import { readDataFile, writeDataFile } from "./data-dir";

/** The keys of one demo merchant, by role. */
export interface DemoMerchant {
  /** The merchant's public id. */
  merchant: string;
  keys: Record<"admin" | "payments" | "viewer" | "operator", string>;
}

/** What DATA_DIR/credentials.json holds: two merchants, so that their isolation can be tried. */
export type Credentials = DemoMerchant & {
  other: DemoMerchant;
  /** What the sandbox signs its webhooks with, by provider account. */
  webhookSecrets?: Record<string, string>;
};

/** The file in DATA_DIR that holds them. */
export const CREDENTIALS_FILE = "credentials.json";

/**
 * Makes the two demo merchants, their sandbox accounts and their keys, each of them once. Where the keys' file is gone,
 * or belongs to another database, new keys are issued.
 */
export async function ensureDemo(app: App): Promise<Credentials> {
  const first = await ensureMerchant(app, "Umavez demo");
  const second = await ensureMerchant(app, "Umavez demo, the other merchant");
  const kept = readDataFile<Credentials>(app.config, CREDENTIALS_FILE);
  if (kept && (await works(app, kept.keys.admin)) && (await works(app, kept.other.keys.admin))) return kept;
  const credentials = { ...(await issueKeys(app, first)), other: await issueKeys(app, second) };
  writeDataFile(app.config, CREDENTIALS_FILE, credentials);
  return credentials;
}

async function ensureMerchant(app: App, name: string): Promise<string> {
  const [known] = await acrossMerchants<{ id: string }>(
    app.db,
    `select id from merchants where name = $1 order by created_at limit 1`,
    [name],
  );
  const merchantId = known?.id ?? newUuid();
  if (!known)
    await acrossMerchants(app.db, `insert into merchants (id, name) values ($1, $2)`, [merchantId, name]);
  await ensureSandboxAccount(app, merchantId);
  return merchantId;
}

/** One secret key for each merchant is one account at the sandbox. Derived, so that a new DATA_DIR speaks for the same one. */
export async function ensureSandboxAccount(
  app: Pick<App, "db" | "cipher">,
  merchantId: string,
): Promise<void> {
  const [known] = await acrossMerchants<{ id: string; secret: Buffer }>(
    app.db,
    `select id, secret from provider_accounts where merchant_id = $1 and provider = 'sandbox' limit 1`,
    [merchantId],
  );
  const account = { merchantId, id: known?.id ?? newUuid() };
  if (known && opens(app, known.secret, accountSecretContext(account))) return;
  const secret = app.cipher.seal(`sk_test_${merchantId.replaceAll("-", "")}`, accountSecretContext(account));
  await acrossMerchants(
    app.db,
    `insert into provider_accounts (merchant_id, id, provider, name, secret) values ($1, $2, 'sandbox', 'Sandbox', $3)
     on conflict (merchant_id, id) do update set secret = excluded.secret`,
    [merchantId, account.id, secret],
  );
}

function opens(app: Pick<App, "cipher">, sealed: Buffer, context: string): boolean {
  try {
    return app.cipher.open(sealed, context) !== "";
  } catch {
    return false;
  }
}

async function works(app: App, secret: string): Promise<boolean> {
  return authenticate(app.db, `Bearer ${secret}`).then(
    () => true,
    () => false,
  );
}

async function issueKeys(app: App, merchantId: string): Promise<DemoMerchant> {
  const issue = async (role: ApiKeyRole) =>
    (await issueApiKey(app.db, merchantId, { name: `demo ${role.toLowerCase()}`, role })).secret;
  return {
    merchant: encodeId("mer", merchantId),
    keys: {
      admin: await issue("ADMIN"),
      payments: await issue("PAYMENTS"),
      viewer: await issue("VIEWER"),
      operator: await issue("OPERATOR"),
    },
  };
}
