import type { AuthorizeRequest, Snapshot } from "../../../src/providers/provider";
import { createParams } from "../../../src/providers/stripe/create-params";
import { readIntent } from "../../../src/providers/stripe/intent";
import { intent, SENT } from "./fixtures";

const ASKED = new Date("2026-01-02T03:04:05Z");
const UNTIL = 1_767_229_200;
const UNTIL_ISO = "2026-01-01T01:00:00.000Z";

function read(changes: Record<string, unknown>): Snapshot {
  const reading = readIntent(intent({ amount_received: 0, latest_charge: null, ...changes }), ASKED);
  if (reading.kind === "unreadable") throw new Error(reading.detail);
  return reading.snapshot;
}

const waiting = (next_action: unknown) => read({ status: "requires_action", next_action });

const pix = (changes: object) => ({
  type: "pix_display_qr_code",
  pix_display_qr_code: {
    data: "00020101",
    hosted_instructions_url: "https://pix.example/1",
    image_url_png: "https://pix.example/1.png",
    expires_at: UNTIL,
    ...changes,
  },
});
const boleto = (changes: object) => ({
  type: "boleto_display_details",
  boleto_display_details: {
    number: "99990.00012 34567.890123 45678.901234 5 12340000001050",
    pdf: "https://boleto.example/1.pdf",
    hosted_voucher_url: "https://boleto.example/1",
    expires_at: UNTIL,
    ...changes,
  },
});
const redirect = (url: unknown) => ({ type: "redirect_to_url", redirect_to_url: { url, return_url: null } });

const REDIRECT = { kind: "REDIRECT", redirectUrl: null, expiresAt: null };
const DISPLAY_PIX = { kind: "DISPLAY_PIX", redirectUrl: "https://pix.example/1", expiresAt: UNTIL_ISO };
const DISPLAY_BOLETO = {
  kind: "DISPLAY_BOLETO",
  redirectUrl: "https://boleto.example/1",
  expiresAt: UNTIL_ISO,
};
const LINE = "99990000123456789012345678901234512340000001050";

test.each<[name: string, action: unknown, nextAction: object, code: object | null]>([
  ["a Pix code", pix({}), DISPLAY_PIX, { type: "PIX", copyPaste: "00020101", expiresAt: UNTIL_ISO }],
  [
    "a Pix code without a page or an end",
    pix({ hosted_instructions_url: undefined, expires_at: undefined }),
    { kind: "DISPLAY_PIX", redirectUrl: null, expiresAt: null },
    { type: "PIX", copyPaste: "00020101", expiresAt: null },
  ],
  [
    "a Pix code whose page is a script",
    pix({ hosted_instructions_url: "javascript:alert(1)" }),
    { ...DISPLAY_PIX, redirectUrl: null },
    { type: "PIX", copyPaste: "00020101", expiresAt: UNTIL_ISO },
  ],
  [
    "a Pix code with an end that is no date",
    pix({ expires_at: 1e300 }),
    { ...DISPLAY_PIX, expiresAt: null },
    { type: "PIX", copyPaste: "00020101", expiresAt: null },
  ],
  ["a Pix without its code", pix({ data: undefined }), REDIRECT, null],
  [
    "a boleto, its line as digits alone",
    boleto({}),
    DISPLAY_BOLETO,
    { type: "BOLETO", digitableLine: LINE, pdfUrl: "https://boleto.example/1.pdf", expiresAt: UNTIL_ISO },
  ],
  [
    "a boleto without a paper",
    boleto({ pdf: null, hosted_voucher_url: null, expires_at: null }),
    { kind: "DISPLAY_BOLETO", redirectUrl: null, expiresAt: null },
    { type: "BOLETO", digitableLine: LINE, pdfUrl: null, expiresAt: null },
  ],
  ["a boleto without its line", boleto({ number: null }), REDIRECT, null],
  [
    "a page",
    redirect("https://bank.example/3ds"),
    { ...REDIRECT, redirectUrl: "https://bank.example/3ds" },
    null,
  ],
  ["a page that is a script", redirect("javascript:alert(1)"), REDIRECT, null],
  ["what only Stripe's script can do", { type: "use_stripe_sdk", use_stripe_sdk: {} }, REDIRECT, null],
  ["nothing", null, REDIRECT, null],
  ["a text", "pix", REDIRECT, null],
])("the next action is read: %s", (_, action, nextAction, code) => {
  expect(waiting(action)).toMatchObject({ state: "requires_action", nextAction, code });
});

test("an action is read only while there is one", () => {
  expect(read({ status: "canceled", next_action: pix({}) })).toMatchObject({ nextAction: null, code: null });
});

test.each<[name: string, changes: Record<string, unknown>, state: string, failure: string | null]>([
  ["nobody paid in time", failedBy("payment_intent_payment_attempt_expired"), "expired", null],
  [
    "authentication failed",
    failedBy("payment_intent_authentication_failure"),
    "failed",
    "authentication_failed",
  ],
  ["the payer declined", failedBy("payment_method_customer_decline"), "failed", "other"],
  ["failed for no reason", { status: "requires_payment_method" }, "failed", "other"],
  ["called off by the merchant", canceledFor("requested_by_customer"), "canceled", null],
  ["called off without a reason", canceledFor(null), "canceled", null],
  ["called off by our clock", canceledFor("abandoned"), "expired", null],
  ["run out at Stripe", canceledFor("automatic"), "expired", null],
  [
    "paid after an attempt that had expired",
    { ...failedBy("payment_intent_payment_attempt_expired"), status: "succeeded", amount_received: 1050 },
    "captured",
    null,
  ],
])("how an intent ended: %s", (_, changes, state, failure) => {
  const snapshot = read(changes);
  expect({ state: snapshot.state, failure: snapshot.failure?.code ?? null }).toEqual({ state, failure });
});

function failedBy(code: string) {
  return { status: "requires_payment_method", last_payment_error: { type: "invalid_request_error", code } };
}

function canceledFor(cancellation_reason: string | null) {
  return { status: "canceled", cancellation_reason };
}

const NOBODY = { name: null, email: null, taxId: null };
const ANA = { name: "Ana", email: "ana@example.com", taxId: "11144477735" };
const params = (over: Partial<AuthorizeRequest>) => createParams({ ...SENT, ...over }, 1_050);

test("a card is asked for by its token, with the address to come back to and nobody's name", () => {
  const returnUrl = "https://gateway.example/return/uvz1";
  const asked = params({ returnUrl });
  expect(asked).toMatchObject({ payment_method: "pm_card_visa", return_url: returnUrl });
  expect(asked.allowed_payment_method_types).toEqual(["card"]);
  expect(asked.payment_method_data).toBeUndefined();
});

test("a Pix is asked for with its time, and with the payer as far as we know them", () => {
  const method = { type: "PIX" as const, expiresInSeconds: 900 };
  const asked = params({ method, payer: ANA });
  expect(asked).toMatchObject({
    payment_method_data: { type: "pix", billing_details: { name: "Ana", tax_id: "11144477735" } },
    payment_method_options: { pix: { expires_after_seconds: 900 } },
    allowed_payment_method_types: ["pix"],
  });
  expect(asked).not.toHaveProperty("return_url");
  expect(params({ method, payer: NOBODY }).payment_method_data).toEqual({ type: "pix", billing_details: {} });
});

test("a boleto is asked for with its days and the payer's tax id", () => {
  expect(params({ method: { type: "BOLETO", expiresInDays: 5 }, payer: ANA })).toMatchObject({
    payment_method_data: {
      type: "boleto",
      boleto: { tax_id: "11144477735" },
      billing_details: { name: "Ana", email: "ana@example.com" },
    },
    payment_method_options: { boleto: { expires_after_days: 5 } },
    allowed_payment_method_types: ["boleto"],
  });
});
