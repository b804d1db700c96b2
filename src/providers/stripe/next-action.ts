import { z } from "zod";
import type { NextAction, PayerCode } from "../payer-action";

/** What a payer has to do, and by what. */
export interface Waits {
  nextAction: NextAction;
  /** Null for a page alone. */
  code: PayerCode | null;
}

/**
 * Reads `next_action` from whatever came. An action that is none of ours is one that only Stripe's own script could do:
 * the payer is given no address.
 */
export function readNextAction(action: unknown): Waits {
  const pix = pixSchema.safeParse(action).data?.pix_display_qr_code;
  if (pix) {
    const expiresAt = instantOf(pix.expires_at);
    const redirectUrl = pix.hosted_instructions_url ?? null;
    const code: PayerCode = { type: "PIX", copyPaste: pix.data, expiresAt };
    return { nextAction: { kind: "DISPLAY_PIX", redirectUrl, expiresAt }, code };
  }
  const boleto = boletoSchema.safeParse(action).data?.boleto_display_details;
  if (boleto) {
    const expiresAt = instantOf(boleto.expires_at);
    const redirectUrl = boleto.hosted_voucher_url ?? null;
    const digitableLine = boleto.number;
    const code: PayerCode = { type: "BOLETO", digitableLine, pdfUrl: boleto.pdf ?? null, expiresAt };
    return { nextAction: { kind: "DISPLAY_BOLETO", redirectUrl, expiresAt }, code };
  }
  const redirectUrl = redirectSchema.safeParse(action).data?.redirect_to_url.url ?? null;
  return { nextAction: { kind: "REDIRECT", redirectUrl, expiresAt: null }, code: null };
}

function instantOf(seconds: number | null | undefined): string | null {
  return seconds == null ? null : new Date(seconds * 1_000).toISOString();
}

/** A page that cannot be opened is none. */
const page = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null);

/** The bound keeps it a date that JavaScript can hold. */
const instant = z.int().nonnegative().max(8_640_000_000_000).nullish().catch(null);

const pixSchema = z.object({
  pix_display_qr_code: z.object({
    data: z.string().min(1),
    hosted_instructions_url: page,
    expires_at: instant,
  }),
});

const boletoSchema = z.object({
  boleto_display_details: z.object({
    // Shown with dots and spaces at times; what is typed are the digits.
    number: z
      .string()
      .transform((text) => text.replace(/\D/g, ""))
      .refine((digits) => digits.length > 0),
    pdf: page,
    hosted_voucher_url: page,
    expires_at: instant,
  }),
});

const redirectSchema = z.object({ redirect_to_url: z.object({ url: z.url({ protocol: /^https?$/ }) }) });
