import type { AuthorizeRequest } from "../providers/provider";

/** The request as text, for keeping it encrypted with its attempt. */
export function serializeRequest(request: AuthorizeRequest): string {
  return JSON.stringify({
    ...request,
    amount: { ...request.amount, minor: request.amount.minor.toString() },
  });
}

/** The very request that was kept: a resend sends what was sent first. */
export function parseRequest(text: string): AuthorizeRequest {
  const kept = JSON.parse(text) as Omit<AuthorizeRequest, "amount"> & {
    amount: { minor: string; currency: string };
  };
  return { ...kept, amount: { ...kept.amount, minor: BigInt(kept.amount.minor) } };
}
