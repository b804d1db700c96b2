import { createHmac } from "node:crypto";
import fs from "node:fs";
import { decodeId, encodeId } from "../../src/shared/ids";
import type { House } from "../support/gateway";

/** The demo merchant's sandbox account, as the provider's side knows it. */
export interface Account {
  /** `pa_…` */
  id: string;
  /** What the sandbox signs with. */
  secret: string;
  /** The secret key at the sandbox. */
  key: string;
}

/** The account of a house whose webhooks are registered. */
export async function accountOf({ app, credentials, dataDir }: House): Promise<Account> {
  const merchantId = decodeId("mer", credentials.merchant) ?? "";
  const kept = JSON.parse(fs.readFileSync(`${dataDir}/credentials.json`, "utf8")) as {
    webhookSecrets: Record<string, string>;
  };
  const [row] = await app.db.query<{ id: string }[]>(
    "select id from provider_accounts where merchant_id = $1",
    [merchantId],
  );
  const id = encodeId("pa", row?.id ?? "");
  return { id, secret: kept.webhookSecrets[id] ?? "", key: `sk_test_${merchantId.replaceAll("-", "")}` };
}

/** A signature as Stripe makes it. */
export function sign(body: string, secret: string, at = Math.floor(Date.now() / 1_000)): string {
  return `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;
}

/** An event of Stripe's about an object. */
export function eventAbout(object: Record<string, unknown>, over: Record<string, unknown> = {}): string {
  const id = `evt_${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const type = `${String(object.object)}.updated`;
  return JSON.stringify({ id, object: "event", type, livemode: false, data: { object }, ...over });
}

/** Posts a body to an account's address. */
export async function post(
  house: House,
  account: Pick<Account, "id">,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  const response = await fetch(`${house.url}/webhooks/${account.id}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** Posts an event, signed. */
export function deliver(house: House, account: Account, body: string): Promise<number> {
  return post(house, account, body, { "stripe-signature": sign(body, account.secret) });
}

/** Calls the provider as somebody at its dashboard would. */
export async function atProvider(
  house: House,
  account: Account,
  path: string,
  form?: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${house.sandboxUrl}${path}`, {
    method: form ? "POST" : "GET",
    headers: { authorization: `Bearer ${account.key}` },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Record<string, unknown>;
}
