import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Stripe from "stripe";
import { startSandbox, type Sandbox } from "../../src/sandbox/server";
import { advanceClock, ledgerOf, payAtSandbox } from "../support/client";

let dataDir: string;
let sandbox: Sandbox;
let stripe: Stripe;
beforeEach(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-payer-"));
  sandbox = await startSandbox({ port: 0, dataDir });
  stripe = new Stripe("sk_test_aaaaaaaa1", {
    host: "127.0.0.1",
    port: sandbox.port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
});
afterEach(async () => {
  await sandbox.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const BASE = { amount: 1_050, currency: "brl", confirm: true, metadata: { umavez_reference: "ref" } };

const pix = (email = "ana@example.com", seconds = 60) =>
  stripe.paymentIntents.create({
    ...BASE,
    allowed_payment_method_types: ["pix"],
    payment_method_data: { type: "pix", billing_details: { email } },
    payment_method_options: { pix: { expires_after_seconds: seconds } },
  });

const boleto = (taxId = "11144477735", days = 3) =>
  stripe.paymentIntents.create({
    ...BASE,
    allowed_payment_method_types: ["boleto"],
    payment_method_data: { type: "boleto", boleto: { tax_id: taxId }, billing_details: { name: "Ana" } },
    payment_method_options: { boleto: { expires_after_days: days } },
  });

const RETURN_URL = "http://127.0.0.1:9/back?a=1";
const secured = (over: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    ...BASE,
    allowed_payment_method_types: ["card"],
    payment_method: "pm_card_authenticationRequired",
    return_url: RETURN_URL,
    ...over,
  });

const get = async (id: string) => stripe.paymentIntents.retrieve(id);
const pageOf = ({ next_action: next }: Stripe.PaymentIntent) =>
  next?.redirect_to_url?.url ??
  next?.pix_display_qr_code?.hosted_instructions_url ??
  next?.boleto_display_details?.hosted_voucher_url ??
  "";
const press = (page: string, outcome: string) =>
  fetch(page, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });

/** CRC-16/CCITT-FALSE by its table-free definition: the check value of "123456789" is 29B1. */
function crcOf(text: string): string {
  let crc = 0xffff;
  for (const one of text) {
    crc ^= one.charCodeAt(0) << 8;
    for (let i = 0; i < 8; i += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** The fields of an EMV code: id, length, value, to the very end. */
function emvOf(code: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < code.length;) {
    const length = Number(code.slice(at + 2, at + 4));
    fields[code.slice(at, at + 2)] = code.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return fields;
}

test("a Pix intent waits for its payer, with a code that banks can read", async () => {
  const intent = await pix();
  expect(intent).toMatchObject({ status: "requires_action", amount_received: 0, latest_charge: null });
  expect(intent.next_action?.type).toBe("pix_display_qr_code");
  const code = intent.next_action?.pix_display_qr_code;
  expect(code?.expires_at).toBe(intent.created + 60);
  const data = code?.data ?? "";
  expect(crcOf("123456789")).toBe("29B1");
  expect(data.slice(-4)).toBe(crcOf(data.slice(0, -4)));
  expect(emvOf(data)).toMatchObject({ "00": "01", "53": "986", "54": "10.50", "58": "BR" });
  expect(emvOf(emvOf(data)["26"] ?? "")["00"]).toBe("br.gov.bcb.pix");
  expect((await ledgerOf(sandbox.url)).charges).toEqual([]);
});

test("a boleto has 47 digits whose check digits hold, and expires at the end of a day in São Paulo", async () => {
  const intent = await boleto();
  const details = intent.next_action?.boleto_display_details;
  const line = details?.number ?? "";
  expect(line).toMatch(/^\d{47}$/);
  expect(line.slice(-10)).toBe("0000001050");
  for (const [from, to] of [
    [0, 10],
    [10, 21],
    [21, 32],
  ] as const) {
    // Luhn's rule: with its check digit last, the sum is a multiple of ten.
    const digits = [...line.slice(from, to)].reverse().map(Number);
    const sum = digits.reduce((total, digit, i) => {
      const product = digit * (i % 2 === 0 ? 1 : 2);
      return total + (product > 9 ? product - 9 : product);
    }, 0);
    expect(sum % 10).toBe(0);
  }
  const ends = new Date((details?.expires_at ?? 0) * 1_000);
  expect(ends.toISOString()).toMatch(/T02:59:59/);
  const days = (ends.getTime() / 1_000 - intent.created) / 86_400;
  expect(days).toBeGreaterThanOrEqual(3);
  expect(days).toBeLessThan(4);
});

test("a boleto without the payer's tax id is refused, and so are other currencies and a later capture", async () => {
  await expect(boleto("1")).rejects.toMatchObject({ code: "tax_id_invalid" });
  const usd = { ...BASE, currency: "usd", payment_method_data: { type: "pix" as const } };
  await expect(stripe.paymentIntents.create(usd)).rejects.toMatchObject({
    code: "payment_method_currency_mismatch",
  });
  const later = { ...usd, currency: "brl", capture_method: "manual" as const };
  await expect(stripe.paymentIntents.create(later)).rejects.toMatchObject({ param: "capture_method" });
});

test("payers act by their e-mail, on the sandbox's own clock", async () => {
  const made = {
    now: await pix("succeed_immediately@example.com"),
    later: await pix("succeed_later.1@example.com", 3_600),
    expired: await pix("expire_immediately@example.com"),
    never: await pix("never_pay@example.com"),
  };
  for (const intent of Object.values(made)) expect(intent.status).toBe("requires_action");
  const statuses = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(made).map(async ([name, { id }]) => [name, (await get(id)).status])),
    ) as Record<string, string>;
  expect(await statuses()).toEqual({
    now: "succeeded",
    later: "requires_action",
    expired: "requires_payment_method",
    never: "requires_action",
  });
  await advanceClock(sandbox.url, 61);
  expect(await statuses()).toMatchObject({ later: "succeeded", never: "requires_payment_method" });
  const expired = await get(made.never.id);
  expect(expired.last_payment_error?.code).toBe("payment_intent_payment_attempt_expired");
  expect(expired.next_action).toBeNull();
});

test("the page has two buttons, runs nothing and leads nowhere else", async () => {
  const page = pageOf(await pix());
  const response = await fetch(page);
  const html = await response.text();
  expect(html.match(/<button[^>]*value="(complete|fail)"/g)).toHaveLength(2);
  expect(html).not.toContain("<script");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  // The address is the secret: without it there is no page.
  expect((await fetch(page.slice(0, -1))).status).toBe(404);
  expect((await fetch(page, { method: "PUT" })).status).toBe(405);
  expect((await press(page, "other")).status).toBe(400);
});

test("3-D Secure: complete charges and goes back with the intent, fail refuses it", async () => {
  const [done, failed] = [await secured(), await secured({ capture_method: "manual" })];
  expect(done.next_action?.redirect_to_url?.return_url).toBe(RETURN_URL);
  const back = await press(pageOf(done), "complete");
  expect(back.status).toBe(303);
  const to = new URL(back.headers.get("location") ?? "");
  expect(to.origin + to.pathname).toBe("http://127.0.0.1:9/back");
  expect(Object.fromEntries(to.searchParams)).toMatchObject({ a: "1", payment_intent: done.id });
  expect(await get(done.id)).toMatchObject({ status: "succeeded", amount_received: 1_050 });
  expect((await press(pageOf(failed), "fail")).status).toBe(303);
  const refused = await get(failed.id);
  expect(refused.status).toBe("requires_payment_method");
  expect(refused.last_payment_error?.code).toBe("payment_intent_authentication_failure");
  expect((await ledgerOf(sandbox.url)).charges).toMatchObject([{ paymentIntent: done.id, captured: 1_050 }]);
});

test("3-D Secure before a later capture only holds the money", async () => {
  const intent = await secured({ capture_method: "manual" });
  await press(pageOf(intent), "complete");
  expect(await get(intent.id)).toMatchObject({ status: "requires_capture", amount_capturable: 1_050 });
});

test("3-D Secure without a return address is refused, before anything is made", async () => {
  await expect(secured({ return_url: undefined })).rejects.toMatchObject({ param: "return_url" });
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
});

test("an open page cannot be paid after its intent was canceled or has expired", async () => {
  const canceled = await secured();
  await stripe.paymentIntents.cancel(canceled.id, { cancellation_reason: "abandoned" });
  expect((await press(pageOf(canceled), "complete")).status).toBe(409);
  const expired = await pix();
  await advanceClock(sandbox.url, 61);
  expect((await press(pageOf(expired), "complete")).status).toBe(409);
  expect(await payAtSandbox(sandbox.url, expired.id, "complete")).toBe(409);
  expect((await get(canceled.id)).cancellation_reason).toBe("abandoned");
  expect((await ledgerOf(sandbox.url)).charges).toEqual([]);
});

test("money that comes late is money: the ledger has it and the intent succeeds, after a restart too", async () => {
  const [expired, canceled] = [await pix(), await pix()];
  await stripe.paymentIntents.cancel(canceled.id);
  await advanceClock(sandbox.url, 61);
  for (const { id } of [expired, canceled]) {
    expect(await payAtSandbox(sandbox.url, id, "complete", true)).toBe(200);
    expect((await get(id)).status).toBe("succeeded");
    expect(await payAtSandbox(sandbox.url, id, "complete", true)).toBe(409);
  }
  const before = await ledgerOf(sandbox.url);
  expect(before.charges).toMatchObject([{ captured: 1_050, reference: "ref" }, { captured: 1_050 }]);
  await sandbox.close();
  sandbox = await startSandbox({ port: 0, dataDir });
  expect(await ledgerOf(sandbox.url)).toEqual(before);
});
