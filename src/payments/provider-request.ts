import type { OperationKind } from "../idempotency/operation.entity";
import type { AuthorizeRequest, CancelRequest, CaptureRequest, RefundRequest } from "../providers/provider";

/** What a decision about a conflict does at the provider; what is accepted is only asked for. */
export type ResolveRequest =
  | { does: "accept"; reference: string; payment: string }
  | ({ does: "refund" } & RefundRequest)
  | ({ does: "cancel" } & CancelRequest);

/** What each kind of operation sends to its provider. */
export interface ProviderRequests extends Record<OperationKind, { reference: string }> {
  CREATE_PAYMENT: AuthorizeRequest;
  CAPTURE_PAYMENT: CaptureRequest;
  CANCEL_PAYMENT: CancelRequest;
  REFUND_PAYMENT: RefundRequest;
  RESOLVE_CONFLICT: ResolveRequest;
}

/** A request to a provider, of any kind. */
export type ProviderRequest = ProviderRequests[OperationKind];

/** The request as text, for keeping it encrypted with its attempt. */
export function serializeRequest(request: ProviderRequest): string {
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** The very request that was kept: a resend sends what was sent first. */
export function parseRequest<K extends OperationKind>(_kind: K, text: string): ProviderRequests[K] {
  const revive = (name: string, value: unknown) => (name === "minor" ? BigInt(value as string) : value);
  return JSON.parse(text, revive) as ProviderRequests[K];
}
