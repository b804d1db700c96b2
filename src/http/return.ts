import type { FastifyInstance, FastifyReply } from "fastify";
import type { App } from "../app";
import { findReturned } from "../payments/find-returned";
import { completeReturn } from "../payments/poll-payers";
import { RETURN_PATH } from "../payments/prepare-payment";
import { encodeId } from "../shared/ids";

/**
 * `/return/:reference`: a payer comes back from a page of the provider's. What they did is found out at the provider,
 * whatever the address says, and they go on to the merchant's own page. Where they go was written with the payment:
 * nothing of the request decides it.
 */
export function answerReturns(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { reference: string } }>(`${RETURN_PATH}:reference`, async (request, reply) => {
    const { reference } = request.params;
    const returned = REFERENCE.test(reference) ? await findReturned(app.db, reference) : null;
    if (returned === null) return reply.callNotFound();
    const payment = await completeReturn(app, returned);
    if (payment.returnUrl === null) return sayThanks(reply);
    const onwards = new URL(payment.returnUrl);
    onwards.searchParams.set("payment", encodeId("pay", payment.id));
    return reply.redirect(onwards.toString(), 303);
  });
}

const REFERENCE = /^uvz[0-9a-z]{40}$/;

function sayThanks(reply: FastifyReply): FastifyReply {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Thank you</title></head><body><p>Thank you. You may close this page.</p></body></html>`;
  return reply.type("text/html; charset=utf-8").send(page);
}
