import type { FastifyInstance } from "fastify";
import type { App } from "../app";
import { answers } from "../db/transaction";

/** A database that does not answer for so long is away (milliseconds). */
const ANSWERS_WITHIN = 1_000;

/** `/livez`: the process runs. `/readyz`: it can take payments; 503 while its database is away, or while it stops. */
export function answerHealth(fastify: FastifyInstance, app: App): void {
  let stopping = false;
  fastify.addHook("preClose", async () => {
    stopping = true;
  });
  fastify.get("/livez", async () => ({ ok: true }));
  fastify.get("/readyz", async (_request, reply) => {
    const ready = !stopping && (await databaseAnswers(app));
    return reply.status(ready ? 200 : 503).send({ ok: ready });
  });
}

async function databaseAnswers(app: App): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ANSWERS_WITHIN, false)));
  const answered = await Promise.race([answers(app.db), late]);
  clearTimeout(timer);
  return answered;
}
