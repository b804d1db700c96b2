import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "./books";

/** An answer on Stripe's wire. */
export interface Answer {
  status: number;
  body: unknown;
}

/** Stripe's error object (docs.stripe.com/api/errors). */
export function errorAnswer(status: number, error: Record<string, unknown>): Answer {
  return { status, body: { error } };
}

/** A parameter that cannot be taken. */
export function invalid(param: string, message: string, code = "parameter_invalid"): Answer {
  return errorAnswer(400, { type: "invalid_request_error", code, param, message });
}

/** Answers in JSON, with the header that Stripe names a request by. */
export function reply(response: ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", "request-id": newId("req") });
  response.end(JSON.stringify(body));
}

/** Hangs up: the caller sees its connection reset. */
export function drop(message: IncomingMessage): void {
  message.socket.resetAndDestroy();
}

const BODY_AT_MOST = 1_048_576;

/** The body of a request, whole. */
export async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_AT_MOST) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
