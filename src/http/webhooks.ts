import type { FastifyError, FastifyInstance } from "fastify";
import type { App } from "../app";
import { receiveWebhook, type Received } from "../inbox/receive-webhook";
import { Refusal } from "../shared/refusal";

/** Where providers tell us of things: one address for each account. */
export const WEBHOOK_PATH = "/webhooks";

/** The largest event is far smaller. */
const WEBHOOK_AT_MOST = 524_288;

/** What a sender is told: a code and nothing of why, for whoever forges. */
const ANSWERS: Record<Received, { status: number; body: Record<string, unknown> }> = {
  stored: { status: 200, body: { received: true } },
  refused: { status: 400, body: { error: "refused" } },
  unknown_account: { status: 404, body: { error: "not_found" } },
};

/** `POST /webhooks/pa_…`: stored, then answered; the worker applies it. */
export function takeWebhooks(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The signature is over the bytes as they came.
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error instanceof Refusal ? 503 : (error.statusCode ?? 500);
      if (status >= 500)
        app.log.error({ err: error, requestId: request.id }, "a webhook could not be stored");
      return reply.status(status).send({ error: status >= 500 ? "unavailable" : "refused" });
    });
    scope.post<{ Params: { account: string } }>(
      `${WEBHOOK_PATH}/:account`,
      { bodyLimit: WEBHOOK_AT_MOST },
      async (request, reply) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const received = await receiveWebhook(app, request.params.account, raw, request.headers);
        return reply.status(ANSWERS[received].status).send(ANSWERS[received].body);
      },
    );
  });
}
