import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import fastifyApollo, { fastifyApolloDrainPlugin } from "@as-integrations/fastify";
import Fastify, { type FastifyError, type FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";
import type { App } from "../app";
import { createContext, type Context } from "../graphql/context";
import { formatError } from "../graphql/errors";
import { limitsRule } from "../graphql/limits";
import { createSchema } from "../graphql/schema";
import { variablesPlugin } from "../graphql/variables";
import { answerHealth } from "./health";
import { servePlayground } from "./playground";

/** A gateway that listens. */
export interface Http {
  url: string;
  port: number;
  /** Takes nothing more, and answers what is in flight. */
  close(): Promise<void>;
}

/** A document of a megabyte is no document; the longest useful one has a few kilobytes. */
const BODY_AT_MOST = 262_144;
const TOKENS_AT_MOST = 5_000;
/** graphql-js would list every fault of a hostile document. */
const FAULTS_AT_MOST = 5;
/** Longer than a proxy's, so that the proxy closes first and never sends into a closing connection (milliseconds). */
const KEEP_ALIVE = 72_000;
/** How long a request's headers and body may take to arrive (milliseconds). */
const ARRIVES_WITHIN = 30_000;

/**
 * Starts the gateway: GraphQL at /graphql, the playground, and health.
 * @param demoKey what the playground is prefilled with; null outside the demo
 * @throws the listen error, EADDRINUSE among them
 */
export async function startHttp(app: App, demoKey: string | null = null): Promise<Http> {
  const fastify = Fastify({
    bodyLimit: BODY_AT_MOST,
    keepAliveTimeout: KEEP_ALIVE,
    requestTimeout: ARRIVES_WITHIN,
    forceCloseConnections: "idle",
    logger: false,
  });
  const apollo = createApollo(app, fastify);
  await apollo.start();
  secure(fastify);
  answerHealth(fastify, app);
  await servePlayground(fastify, app, demoKey);
  await fastify.register(fastifyApollo(apollo), {
    path: "/graphql",
    method: ["GET", "POST"],
    context: async (request) => createContext(app, request.headers.authorization),
  });
  await fastify.listen({ port: app.config.port, host: app.config.host });
  const { port } = fastify.server.address() as AddressInfo;
  return { port, url: `http://${shown(app.config.host)}:${port}`, close: () => apollo.stop() };
}

function createApollo(app: App, fastify: FastifyInstance): ApolloServer<Context> {
  const { introspection } = app.config;
  return new ApolloServer<Context>({
    schema: createSchema(),
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    // We drain ourselves: the signal is the command's.
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: TOKENS_AT_MOST },
    validationRules: [limitsRule],
    validationOptions: { maxErrors: FAULTS_AT_MOST },
    formatError: (formatted, error) => formatError(app.log, formatted, error),
    logger: quiet(app),
    plugins: [fastifyApolloDrainPlugin(fastify), ApolloServerPluginLandingPageDisabled(), variablesPlugin],
  });
}

/** Apollo's own lines are of use to its developers; what goes wrong reaches our log by `formatError`. */
function quiet({ log }: App) {
  const debug = (message?: unknown) => log.debug(String(message));
  return { debug, info: debug, warn: debug, error: debug };
}

function secure(fastify: FastifyInstance): void {
  fastify.addHook("onSend", async (_request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  fastify.setNotFoundHandler((request, reply) => {
    void reply
      .status(404)
      .send(
        refused("NOT_FOUND", `There is nothing at ${request.method} this address; GraphQL is at /graphql.`),
      );
  });
  fastify.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    const { code, message } = FAULTS[status] ?? (status < 500 ? FAULTS[400] : FAULTS[500]) ?? BUG;
    void reply.status(status).send(refused(code, message, status >= 500));
  });
}

const BUG = {
  code: "INTERNAL_SERVER_ERROR",
  message: "Something went wrong on our side. Send the same key again; never a new one.",
};

/** What goes wrong before GraphQL sees a request. */
const FAULTS: Readonly<Record<number, { code: string; message: string }>> = {
  400: { code: "BAD_REQUEST", message: "The body is not JSON." },
  408: { code: "BAD_REQUEST", message: "The request did not arrive in time." },
  413: { code: "BAD_REQUEST", message: `The body is larger than ${BODY_AT_MOST} bytes.` },
  415: { code: "BAD_REQUEST", message: "Send the body as application/json." },
  500: BUG,
};

function refused(code: string, message: string, retryable = false) {
  return {
    errors: [{ message, extensions: { code, retryable, ...(retryable ? { retryAfterMs: 1_000 } : {}) } }],
  };
}

/** An address that can be opened: all interfaces are reached by this machine's own. */
function shown(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
