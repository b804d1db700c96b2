/** How a payment is paid. */
export type PaymentMethodType = "CARD" | "PIX" | "BOLETO";

/** What a payment is to be paid with, as the provider is asked for it. */
export type AuthorizeMethod =
  | { type: "CARD"; token: string }
  | { type: "PIX"; expiresInSeconds: number }
  | { type: "BOLETO"; expiresInDays: number };

/** Who pays, as far as the provider is told. */
export interface Payer {
  name: string | null;
  email: string | null;
  /** CPF or CNPJ, digits only. */
  taxId: string | null;
}

/** What the payer must do next. */
export interface NextAction {
  kind: "REDIRECT" | "DISPLAY_PIX" | "DISPLAY_BOLETO";
  /** A page of the provider's, where there is one. */
  redirectUrl: string | null;
  /** ISO 8601, UTC. */
  expiresAt: string | null;
}

/** What the payer pays by: it never changes, and stays readable after the payment has ended. */
export type PayerCode =
  | { type: "PIX"; copyPaste: string; expiresAt: string | null }
  | { type: "BOLETO"; digitableLine: string; pdfUrl: string | null; expiresAt: string | null };
