import { createHash, randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A document of a megabyte is no document; the longest useful one has a few kilobytes. */
export const BODY_AT_MOST = 262_144;

/** Where GraphQL is. */
export const GRAPHQL_PATH = "/graphql";

/** A fault of a request that GraphQL never sees. */
interface Fault {
  status: number;
  code: string;
  message: string;
}

const badRequest = (status: number, message: string): Fault => ({ status, code: "BAD_REQUEST", message });

const BUG: Fault = {
  status: 500,
  code: "INTERNAL_SERVER_ERROR",
  message: "Something went wrong on our side. Send the same key again; never a new one.",
};

/** By status: what Fastify finds. Its own words may quote the request. */
const FAULTS: Readonly<Record<number, Fault>> = {
  400: badRequest(400, "The request is not what it should be: a JSON object as its body."),
  408: badRequest(408, "The request did not arrive in time."),
  413: badRequest(413, `The body is larger than ${BODY_AT_MOST} bytes.`),
  415: badRequest(415, "Send the body as application/json."),
  431: badRequest(431, "The request's headers are too large."),
};

/** An id for each request: it is in the header `x-request-id` of every reply, and in every error. */
export const newRequestId = (): string => randomUUID();

/** What every reply has, and the one shape of what is refused before GraphQL: that of GraphQL's errors. */
export function secure(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser("text/plain");
  fastify.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  fastify.addHook("onSend", async (_request, reply) => {
    reply.headers({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    // A page says itself what it may do.
    for (const [name, value] of Object.entries(UNLESS_SAID))
      if (!reply.hasHeader(name)) reply.header(name, value);
  });
  fastify.setNotFoundHandler((request, reply) =>
    refuse(request, reply, {
      status: 404,
      code: "NOT_FOUND",
      message: `There is nothing at this address; GraphQL is at ${GRAPHQL_PATH}.`,
    }),
  );
  fastify.setErrorHandler((error: FastifyError, request, reply) =>
    refuse(request, reply, faultOfStatus(error.statusCode)),
  );
}

const UNLESS_SAID = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

function faultOfStatus(status = 500): Fault {
  return FAULTS[status] ?? (status < 500 ? badRequest(status, "The request is refused.") : BUG);
}

/** Refuses an address that is none (`/%`), which Fastify meets before its hooks. */
export function refuseBadUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  void refuse(request, reply, faultOfStatus(error.statusCode));
}

/** Answers what is not HTTP, or has too large headers, or is too slow: there is no request yet, only a socket. */
export function refuseClient(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ""] ?? 400;
  const id = newRequestId();
  const body = JSON.stringify(bodyOf(faultOfStatus(status), id));
  const headers = { ...UNLESS_SAID, "content-type": "application/json; charset=utf-8", "x-request-id": id };
  const head = Object.entries({ ...headers, "content-length": Buffer.byteLength(body), connection: "close" });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}

/** GraphQL is sent by POST alone: a GET can be made by any page, and leaves its document in logs. */
export async function takePostOnly(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (request.method === "POST") return;
  return refuse(request, reply.header("allow", "POST"), badRequest(405, "GraphQL is sent by POST."));
}

/** Takes bodies as the specification of GraphQL over HTTP has them, one operation in each. */
export async function takeOperation(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (!ACCEPTED.test(request.headers.accept ?? "*/*")) return refuse(request, reply, NOT_ACCEPTED);
  const fault = faultOfBody(request.body);
  return fault === null ? undefined : refuse(request, reply, badRequest(400, fault));
}

const NOT_ACCEPTED = badRequest(
  406,
  "Accept application/json or application/graphql-response+json: replies are one of them.",
);
const ACCEPTED = /(\*|application)\/\*|application\/(json|graphql-response\+json)/i;

function faultOfBody(body: unknown): string | null {
  if (Array.isArray(body)) return "Send one operation a request: a batch is not taken.";
  if (!isObject(body)) return "The body must be a JSON object with a query.";
  const { query, operationName, variables, extensions } = body;
  if (extensions != null && !isObject(extensions)) return "extensions must be an object.";
  if (query != null && typeof query !== "string") return "query must be a string.";
  const persisted = (extensions as Record<string, unknown> | null | undefined)?.persistedQuery;
  if (!query && !persisted) return "query is required: a GraphQL document in a string.";
  if (persisted && !isNameOf(persisted, query)) return BAD_PERSISTED_QUERY;
  if (operationName != null && typeof operationName !== "string") return "operationName must be a string.";
  return variables != null && !isObject(variables) ? "variables must be an object." : null;
}

const BAD_PERSISTED_QUERY =
  'extensions.persistedQuery must be { "version": 1, "sha256Hash": … }, with the hash of the query in hex if there is one.';

/** Apollo's form: the SHA-256 of a document, with the document or without it. */
function isNameOf(persisted: unknown, query: string | null | undefined): boolean {
  if (!isObject(persisted) || persisted.version !== 1 || typeof persisted.sha256Hash !== "string")
    return false;
  return !query || createHash("sha256").update(query).digest("hex") === persisted.sha256Hash;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  return reply.status(fault.status).send(bodyOf(fault, request.id));
}

/** How long after a bug the same key is worth another try, in milliseconds. */
const AFTER_A_BUG_MS = 1_000;

function bodyOf({ status, code, message }: Fault, requestId: string) {
  const again = status >= 500 ? { retryable: true, retryAfterMs: AFTER_A_BUG_MS } : { retryable: false };
  return { errors: [{ message, extensions: { code, ...again, requestId } }] };
}
