// Made by `npm run codegen` of schema/operations: change those.
import type { OperationDocument } from "./sender.ts";

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  T | { [P in keyof T]?: P extends " $fragmentName" | "__typename" ? T[P] : never };
/** What the holder of an API key may do. */
export type ApiKeyRole =
  /** Everything of its merchant. */
  | "ADMIN"
  /** Read, reprocess, resolve. */
  | "OPERATOR"
  /** Create, capture, cancel, refund, read. */
  | "PAYMENTS"
  /** Read only: partner dashboards. */
  | "VIEWER";

/** Boleto: the payer pays it at a bank. BRL only, captured at once; payer.taxId is required. */
export type BoletoInput = {
  /** 1 to 60 days; 3 when absent. */
  readonly expiresInDays?: number | null | undefined;
};

/** A payment to call off. Its content is: payment. */
export type CancelPaymentInput = {
  /** Which payment. */
  readonly paymentId: string;
  /** Yours; at most 500 characters. Not compared. */
  readonly reason?: string | null | undefined;
};

/** When the money is taken. */
export type CaptureMode =
  /** At once, with the authorization. */
  | "AUTOMATIC"
  /** Later, by a capture. */
  | "MANUAL";

/** Money to take of what is held. Its content is: payment, amount (or the rest), final. */
export type CapturePaymentInput = {
  /** How much; the whole remainder when absent. At most what is capturable, in the payment's currency. */
  readonly amount?: MoneyInput | null | undefined;
  /** Release what is left uncaptured. False keeps it for further captures. */
  readonly final?: boolean | null | undefined;
  /** Of which payment. */
  readonly paymentId: string;
};

/** A card, as a token. */
export type CardInput = {
  /** Whose vault made the token; required where several accounts take cards. */
  readonly providerAccountId?: string | null | undefined;
  /** A token of the provider's own vault. Card numbers are refused. */
  readonly token: string;
};

/** A payment to make. Its content, which the key stands for, is: amount, method, capture mode, order, customer reference and the payer's tax id. The rest is not compared. */
export type CreatePaymentInput = {
  /** How much. */
  readonly amount: MoneyInput;
  /** Whether the money is taken at once. */
  readonly captureMode?: CaptureMode | null | undefined;
  /** Yours: 1 to 100 bytes of UTF-8 without control characters. */
  readonly customerReference?: string | null | undefined;
  /** What the payer may read; at most 500 characters. */
  readonly description?: string | null | undefined;
  /** Your own notes. */
  readonly metadata?: Record<string, string> | null | undefined;
  /** By what. */
  readonly method: PaymentMethodInput;
  /** For which order. */
  readonly order?: OrderInput | null | undefined;
  /** Who pays. */
  readonly payer?: PayerInput | null | undefined;
  /** Where the payer comes back to from a page of the provider's: https, or http on a loopback address. */
  readonly returnUrl?: string | null | undefined;
};

/** What kind of credential was sent. */
export type CredentialKind =
  /** An API key of the merchant's servers or people. */
  | "API_KEY"
  /** A browser's session for one order. */
  | "CLIENT_SESSION";

/** An exact amount of one currency: more than zero, at most 2^53 − 1 minor units. */
export type MoneyInput = {
  /** Such as "10.50"; at most as many decimals as the currency has. */
  readonly amount: string;
  /** ISO 4217, upper case. */
  readonly currency: string;
};

/** What the payer has to do. */
export type NextActionKind =
  /** Pay a boleto. */
  | "DISPLAY_BOLETO"
  /** Scan or copy a Pix code. */
  | "DISPLAY_PIX"
  /** Open a page of the provider's. */
  | "REDIRECT";

/** A key in its scope. */
export type OperationKeyInput = {
  /** The key. */
  readonly idempotencyKey: string;
  /** What it was used for. */
  readonly kind: OperationKind;
  /** Looks among the keys of the client sessions of that order instead of the merchant's own. */
  readonly sessionOrderReference?: string | null | undefined;
};

/** What an operation intends: part of the scope of its key. */
export type OperationKind =
  /** Call a payment off, or release what is left of it. */
  | "CANCEL_PAYMENT"
  /** Take money that is held. */
  | "CAPTURE_PAYMENT"
  /** Make a payment. */
  | "CREATE_PAYMENT"
  /** Give money back. */
  | "REFUND_PAYMENT"
  /** Decide about evidence that contradicts itself. */
  | "RESOLVE_CONFLICT";

/** How far an operation is. */
export type OperationState =
  /** Accepted by the provider, which reports the end later. Polled, never repeated. */
  | "AWAITING_PROVIDER"
  /** It definitely did not happen. */
  | "FAILED"
  /** Sent, answer unknown: recovery asks the provider. */
  | "IN_DOUBT"
  /** Recovery has run out of safe steps: waits for an operator. */
  | "PARKED"
  /** Recorded, or being sent to the provider under a lease. */
  | "PROCESSING"
  /** It took effect. */
  | "SUCCEEDED";

/** The order that is paid. */
export type OrderInput = {
  /** By default an order has one live payment at most; true allows another beside it. */
  readonly allowAnotherPayment?: boolean | null | undefined;
  /** Yours: 1 to 100 bytes of UTF-8 without control characters. */
  readonly reference: string;
};

/** Who pays. Kept encrypted. */
export type PayerInput = {
  /** An e-mail address. */
  readonly email?: string | null | undefined;
  /** At most 500 characters. */
  readonly name?: string | null | undefined;
  /** CPF or CNPJ, digits only; required for boleto. */
  readonly taxId?: string | null | undefined;
};

/** What may be done with a payment. */
export type PaymentAction =
  /** Call it off, or release what is left of it. */
  | "CANCEL"
  /** Take what is held, whole or in part. */
  | "CAPTURE"
  /** Give back what was taken, whole or in part. */
  | "REFUND";

/** How it is to be paid: exactly one of them. */
export type PaymentMethodInput =
  | {
      /** By boleto. */
      readonly boleto: BoletoInput;
      readonly card?: never;
      readonly pix?: never;
    }
  | { readonly boleto?: never; /** By card. */ readonly card: CardInput; readonly pix?: never }
  | { readonly boleto?: never; readonly card?: never; /** By Pix. */ readonly pix: PixInput };

/** Where a payment stands. The list may grow: keep a default branch. */
export type PaymentStatus =
  /** The money is held, and nothing of it is taken yet. */
  | "AUTHORIZED"
  /** It was called off at the provider, and can no longer be paid. */
  | "CANCELED"
  /** The money is taken. */
  | "CAPTURED"
  /** The evidence contradicts itself (another amount, a second charge): an operator decides. */
  | "CONFLICTED"
  /** Its time ran out at the provider, and it can no longer be paid. */
  | "EXPIRED"
  /** It definitely did not happen; see failure. */
  | "FAILED"
  /** The provider was asked and its answer is not known yet. It is found out by itself: send the same key again, never a new one. */
  | "IN_DOUBT"
  /** Part of the money is taken, and more can be. */
  | "PARTIALLY_CAPTURED"
  /** Part of what was taken was given back. */
  | "PARTIALLY_REFUNDED"
  /** Accepted; the provider is being asked. */
  | "PROCESSING"
  /** All that was taken was given back. */
  | "REFUNDED"
  /** The payer must act: 3-D Secure, scan a Pix code, pay a boleto. */
  | "REQUIRES_ACTION";

/** Pix: a code that the payer scans or copies. BRL only, captured at once. */
export type PixInput = {
  /** 60 to 86,400 seconds; 3,600 when absent. */
  readonly expiresInSeconds?: number | null | undefined;
};

/** Money to give back. Its content is: payment, amount (or the rest). */
export type RefundPaymentInput = {
  /** How much; the whole remainder when absent. At most what is refundable, in the payment's currency. */
  readonly amount?: MoneyInput | null | undefined;
  /** Of which payment. */
  readonly paymentId: string;
  /** Yours; at most 500 characters. Not compared. */
  readonly reason?: string | null | undefined;
};

/** How far a refund is. */
export type RefundStatus =
  /** It did not go back, or came back; what was reserved for it is free again. */
  | "FAILED"
  /** The provider was asked and its answer is not known yet. It is found out by itself. */
  | "IN_DOUBT"
  /** Accepted; the provider is being asked, or works on it. */
  | "PROCESSING"
  /** The money went back. */
  | "SUCCEEDED";

/** Whether a new attempt makes sense. It needs a new key. */
export type RetryAdvice =
  /** A new attempt is fine later, with a new key. */
  | "LATER"
  /** Another attempt would fail too. */
  | "NEVER"
  /** A new attempt is fine, with a new key and another payment method. */
  | "OTHER_METHOD";

export type CancelPaymentMutationVariables = Exact<{
  key: string;
  input: CancelPaymentInput;
}>;

export type CancelPaymentMutation = {
  readonly cancelPayment: {
    readonly replayed: boolean;
    readonly payment: {
      readonly id: string;
      readonly status: PaymentStatus;
      readonly version: number;
      readonly availableActions: ReadonlyArray<PaymentAction>;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly capturableAmount: { readonly amount: string };
      readonly capturedAmount: { readonly amount: string };
      readonly refundableAmount: { readonly amount: string };
      readonly refundedAmount: { readonly amount: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
      readonly nextAction: {
        readonly kind: NextActionKind;
        readonly redirectUrl: string | null;
        readonly expiresAt: string | null;
      } | null;
    };
    readonly operation: {
      readonly id: string;
      readonly state: OperationState;
      readonly nextAttemptAt: string | null;
    };
  } | null;
};

export type CapturePaymentMutationVariables = Exact<{
  key: string;
  input: CapturePaymentInput;
}>;

export type CapturePaymentMutation = {
  readonly capturePayment: {
    readonly replayed: boolean;
    readonly payment: {
      readonly id: string;
      readonly status: PaymentStatus;
      readonly version: number;
      readonly availableActions: ReadonlyArray<PaymentAction>;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly capturableAmount: { readonly amount: string };
      readonly capturedAmount: { readonly amount: string };
      readonly refundableAmount: { readonly amount: string };
      readonly refundedAmount: { readonly amount: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
      readonly nextAction: {
        readonly kind: NextActionKind;
        readonly redirectUrl: string | null;
        readonly expiresAt: string | null;
      } | null;
    };
    readonly operation: {
      readonly id: string;
      readonly state: OperationState;
      readonly nextAttemptAt: string | null;
    };
  } | null;
};

export type CreatePaymentMutationVariables = Exact<{
  key: string;
  input: CreatePaymentInput;
}>;

export type CreatePaymentMutation = {
  readonly createPayment: {
    readonly replayed: boolean;
    readonly payment: {
      readonly id: string;
      readonly status: PaymentStatus;
      readonly version: number;
      readonly availableActions: ReadonlyArray<PaymentAction>;
      readonly method:
        | {
            readonly digitableLine: string | null;
            readonly pdfUrl: string | null;
            readonly expiresAt: string | null;
          }
        | {
            readonly copyPaste: string | null;
            readonly qrCodePng: string | null;
            readonly expiresAt: string | null;
          }
        | Record<PropertyKey, never>;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly capturableAmount: { readonly amount: string };
      readonly capturedAmount: { readonly amount: string };
      readonly refundableAmount: { readonly amount: string };
      readonly refundedAmount: { readonly amount: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
      readonly nextAction: {
        readonly kind: NextActionKind;
        readonly redirectUrl: string | null;
        readonly expiresAt: string | null;
      } | null;
    };
    readonly operation: {
      readonly id: string;
      readonly state: OperationState;
      readonly nextAttemptAt: string | null;
    };
  } | null;
};

export type PaymentPartsFragment = {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly version: number;
  readonly availableActions: ReadonlyArray<PaymentAction>;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly capturableAmount: { readonly amount: string };
  readonly capturedAmount: { readonly amount: string };
  readonly refundableAmount: { readonly amount: string };
  readonly refundedAmount: { readonly amount: string };
  readonly failure: {
    readonly code: string;
    readonly message: string;
    readonly retryAdvice: RetryAdvice;
  } | null;
  readonly nextAction: {
    readonly kind: NextActionKind;
    readonly redirectUrl: string | null;
    readonly expiresAt: string | null;
  } | null;
};

export type OperationPartsFragment = {
  readonly id: string;
  readonly state: OperationState;
  readonly nextAttemptAt: string | null;
};

export type RefundPartsFragment = {
  readonly id: string;
  readonly status: RefundStatus;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly failure: {
    readonly code: string;
    readonly message: string;
    readonly retryAdvice: RetryAdvice;
  } | null;
};

export type OperationByKeyQueryVariables = Exact<{
  key: OperationKeyInput;
}>;

export type OperationByKeyQuery = {
  readonly operation: {
    readonly kind: OperationKind;
    readonly id: string;
    readonly state: OperationState;
    readonly nextAttemptAt: string | null;
    readonly payment: {
      readonly id: string;
      readonly status: PaymentStatus;
      readonly version: number;
      readonly availableActions: ReadonlyArray<PaymentAction>;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly capturableAmount: { readonly amount: string };
      readonly capturedAmount: { readonly amount: string };
      readonly refundableAmount: { readonly amount: string };
      readonly refundedAmount: { readonly amount: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
      readonly nextAction: {
        readonly kind: NextActionKind;
        readonly redirectUrl: string | null;
        readonly expiresAt: string | null;
      } | null;
    };
  } | null;
};

export type PaymentByIdQueryVariables = Exact<{
  id: string;
}>;

export type PaymentByIdQuery = {
  readonly payment: {
    readonly id: string;
    readonly status: PaymentStatus;
    readonly version: number;
    readonly availableActions: ReadonlyArray<PaymentAction>;
    readonly amount: { readonly amount: string; readonly currency: string };
    readonly capturableAmount: { readonly amount: string };
    readonly capturedAmount: { readonly amount: string };
    readonly refundableAmount: { readonly amount: string };
    readonly refundedAmount: { readonly amount: string };
    readonly failure: {
      readonly code: string;
      readonly message: string;
      readonly retryAdvice: RetryAdvice;
    } | null;
    readonly nextAction: {
      readonly kind: NextActionKind;
      readonly redirectUrl: string | null;
      readonly expiresAt: string | null;
    } | null;
  } | null;
};

export type PaymentByOrderQueryVariables = Exact<{
  orderReference: string;
}>;

export type PaymentByOrderQuery = {
  readonly payment: {
    readonly id: string;
    readonly status: PaymentStatus;
    readonly version: number;
    readonly availableActions: ReadonlyArray<PaymentAction>;
    readonly amount: { readonly amount: string; readonly currency: string };
    readonly capturableAmount: { readonly amount: string };
    readonly capturedAmount: { readonly amount: string };
    readonly refundableAmount: { readonly amount: string };
    readonly refundedAmount: { readonly amount: string };
    readonly failure: {
      readonly code: string;
      readonly message: string;
      readonly retryAdvice: RetryAdvice;
    } | null;
    readonly nextAction: {
      readonly kind: NextActionKind;
      readonly redirectUrl: string | null;
      readonly expiresAt: string | null;
    } | null;
  } | null;
};

export type RefundByIdQueryVariables = Exact<{
  id: string;
}>;

export type RefundByIdQuery = {
  readonly refund: {
    readonly id: string;
    readonly status: RefundStatus;
    readonly payment: {
      readonly id: string;
      readonly status: PaymentStatus;
      readonly version: number;
      readonly availableActions: ReadonlyArray<PaymentAction>;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly capturableAmount: { readonly amount: string };
      readonly capturedAmount: { readonly amount: string };
      readonly refundableAmount: { readonly amount: string };
      readonly refundedAmount: { readonly amount: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
      readonly nextAction: {
        readonly kind: NextActionKind;
        readonly redirectUrl: string | null;
        readonly expiresAt: string | null;
      } | null;
    };
    readonly amount: { readonly amount: string; readonly currency: string };
    readonly failure: {
      readonly code: string;
      readonly message: string;
      readonly retryAdvice: RetryAdvice;
    } | null;
  } | null;
};

export type RefundPaymentMutationVariables = Exact<{
  key: string;
  input: RefundPaymentInput;
}>;

export type RefundPaymentMutation = {
  readonly refundPayment: {
    readonly replayed: boolean;
    readonly payment: {
      readonly id: string;
      readonly status: PaymentStatus;
      readonly version: number;
      readonly availableActions: ReadonlyArray<PaymentAction>;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly capturableAmount: { readonly amount: string };
      readonly capturedAmount: { readonly amount: string };
      readonly refundableAmount: { readonly amount: string };
      readonly refundedAmount: { readonly amount: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
      readonly nextAction: {
        readonly kind: NextActionKind;
        readonly redirectUrl: string | null;
        readonly expiresAt: string | null;
      } | null;
    };
    readonly refund: {
      readonly id: string;
      readonly status: RefundStatus;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly retryAdvice: RetryAdvice;
      } | null;
    };
    readonly operation: {
      readonly id: string;
      readonly state: OperationState;
      readonly nextAttemptAt: string | null;
    };
  } | null;
};

export type ViewerQueryVariables = Exact<{ [key: string]: never }>;

export type ViewerQuery = {
  readonly viewer: {
    readonly kind: CredentialKind;
    readonly role: ApiKeyRole | null;
    readonly merchant: { readonly id: string; readonly name: string };
  };
};

/** Mutation CancelPayment, of `schema/operations`. */
export const CancelPayment: OperationDocument<CancelPaymentMutation, CancelPaymentMutationVariables> = {
  hash: "82a61b1c123d88e702d5ddc549960db98629c8b398026c000789010afb02d730",
  text: "mutation CancelPayment($key: IdempotencyKey!, $input: CancelPaymentInput!) {\n  cancelPayment(idempotencyKey: $key, input: $input) {\n    replayed\n    payment {\n      ...PaymentParts\n    }\n    operation {\n      ...OperationParts\n    }\n  }\n}\n\nfragment OperationParts on Operation {\n  id\n  state\n  nextAttemptAt\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}",
};

/** Mutation CapturePayment, of `schema/operations`. */
export const CapturePayment: OperationDocument<CapturePaymentMutation, CapturePaymentMutationVariables> = {
  hash: "fce2f3238781c7e8d184ea5de01aeff599196fac9dfbe321c4de72c3f4f7e1df",
  text: "mutation CapturePayment($key: IdempotencyKey!, $input: CapturePaymentInput!) {\n  capturePayment(idempotencyKey: $key, input: $input) {\n    replayed\n    payment {\n      ...PaymentParts\n    }\n    operation {\n      ...OperationParts\n    }\n  }\n}\n\nfragment OperationParts on Operation {\n  id\n  state\n  nextAttemptAt\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}",
};

/** Mutation CreatePayment, of `schema/operations`. */
export const CreatePayment: OperationDocument<CreatePaymentMutation, CreatePaymentMutationVariables> = {
  hash: "c6700815052e8f6726d0dc942e7210e11f499b1ade517f52fcfce65ebbf48800",
  text: "mutation CreatePayment($key: IdempotencyKey!, $input: CreatePaymentInput!) {\n  createPayment(idempotencyKey: $key, input: $input) {\n    replayed\n    payment {\n      ...PaymentParts\n      method {\n        ... on PixMethod {\n          copyPaste\n          qrCodePng\n          expiresAt\n        }\n        ... on BoletoMethod {\n          digitableLine\n          pdfUrl\n          expiresAt\n        }\n      }\n    }\n    operation {\n      ...OperationParts\n    }\n  }\n}\n\nfragment OperationParts on Operation {\n  id\n  state\n  nextAttemptAt\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}",
};

/** Query OperationByKey, of `schema/operations`. */
export const OperationByKey: OperationDocument<OperationByKeyQuery, OperationByKeyQueryVariables> = {
  hash: "9a72504d0b7c89e0b0e4a1eccf9cce55860995b6025760a23df66d53ec7fc9c3",
  text: "query OperationByKey($key: OperationKeyInput!) {\n  operation(by: {key: $key}) {\n    ...OperationParts\n    kind\n    payment {\n      ...PaymentParts\n    }\n  }\n}\n\nfragment OperationParts on Operation {\n  id\n  state\n  nextAttemptAt\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}",
};

/** Query PaymentById, of `schema/operations`. */
export const PaymentById: OperationDocument<PaymentByIdQuery, PaymentByIdQueryVariables> = {
  hash: "5c9a9f1b8d38b4bdf3670a0c5b2b4fdab66e565e771fd55ce172d01e73d2f65b",
  text: "query PaymentById($id: ID!) {\n  payment(by: {id: $id}) {\n    ...PaymentParts\n  }\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}",
};

/** Query PaymentByOrder, of `schema/operations`. */
export const PaymentByOrder: OperationDocument<PaymentByOrderQuery, PaymentByOrderQueryVariables> = {
  hash: "cc799c62037638ef609246e2ceba7ebe7098b1737c933a18d4f7ad6813b63377",
  text: "query PaymentByOrder($orderReference: String!) {\n  payment(by: {orderReference: $orderReference}) {\n    ...PaymentParts\n  }\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}",
};

/** Query RefundById, of `schema/operations`. */
export const RefundById: OperationDocument<RefundByIdQuery, RefundByIdQueryVariables> = {
  hash: "13478a59d0fd6ca39235025ffd4180d2962b2b1ec70e67734b152d660f3e3acf",
  text: "query RefundById($id: ID!) {\n  refund(id: $id) {\n    ...RefundParts\n    payment {\n      ...PaymentParts\n    }\n  }\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}\n\nfragment RefundParts on Refund {\n  id\n  status\n  amount {\n    amount\n    currency\n  }\n  failure {\n    code\n    message\n    retryAdvice\n  }\n}",
};

/** Mutation RefundPayment, of `schema/operations`. */
export const RefundPayment: OperationDocument<RefundPaymentMutation, RefundPaymentMutationVariables> = {
  hash: "15ec66ea010d7e9b52e66741bec27b3d6c1bbadbd4b832a6424d3b4c4f130fdb",
  text: "mutation RefundPayment($key: IdempotencyKey!, $input: RefundPaymentInput!) {\n  refundPayment(idempotencyKey: $key, input: $input) {\n    replayed\n    payment {\n      ...PaymentParts\n    }\n    refund {\n      ...RefundParts\n    }\n    operation {\n      ...OperationParts\n    }\n  }\n}\n\nfragment OperationParts on Operation {\n  id\n  state\n  nextAttemptAt\n}\n\nfragment PaymentParts on Payment {\n  id\n  status\n  version\n  amount {\n    amount\n    currency\n  }\n  capturableAmount {\n    amount\n  }\n  capturedAmount {\n    amount\n  }\n  refundableAmount {\n    amount\n  }\n  refundedAmount {\n    amount\n  }\n  availableActions\n  failure {\n    code\n    message\n    retryAdvice\n  }\n  nextAction {\n    kind\n    redirectUrl\n    expiresAt\n  }\n}\n\nfragment RefundParts on Refund {\n  id\n  status\n  amount {\n    amount\n    currency\n  }\n  failure {\n    code\n    message\n    retryAdvice\n  }\n}",
};

/** Query Viewer, of `schema/operations`. */
export const Viewer: OperationDocument<ViewerQuery, ViewerQueryVariables> = {
  hash: "d4515c6422307ba4c26092482a8971034b24d75e8e3671e86727de0d31ec122b",
  text: "query Viewer {\n  viewer {\n    kind\n    role\n    merchant {\n      id\n      name\n    }\n  }\n}",
};
