import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from "@as-integrations/fastify";
import Fastify, { type FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";
import type { App } from "../app";
import { createContext, type Context } from "../graphql/context";
import { formatError } from "../graphql/errors";
import { limitsRule } from "../graphql/limits";
import { persistedOnlyPlugin, persistedQueries } from "../graphql/persisted";
import { replyPlugin } from "../graphql/reply";
import { createSchema } from "../graphql/schema";
import { variablesPlugin } from "../graphql/variables";
import { answerHealth } from "./health";
import { servePlayground } from "./playground";
import { answerReturns } from "./return";
import {
  BODY_AT_MOST,
  GRAPHQL_PATH,
  newRequestId,
  refuseBadUrl,
  refuseClient,
  secure,
  takeOperation,
  takePostOnly,
} from "./surface";
import { takeWebhooks } from "./webhooks";

/** A gateway that listens. */
export interface Http {
  url: string;
  port: number;
  /** Takes nothing more, and answers what is in flight. */
  close(): Promise<void>;
}

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
    genReqId: newRequestId,
    frameworkErrors: refuseBadUrl,
    clientErrorHandler: refuseClient,
    logger: false,
  });
  const apollo = createApollo(app, fastify);
  await apollo.start();
  secure(fastify);
  answerHealth(fastify, app);
  answerReturns(fastify, app);
  takeWebhooks(fastify, app);
  await servePlayground(fastify, app, demoKey);
  fastify.route({
    method: ["POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
    url: GRAPHQL_PATH,
    onRequest: takePostOnly,
    preHandler: takeOperation,
    handler: fastifyApolloHandler(apollo, {
      context: async (request) => createContext(app, request.headers.authorization, request.id),
    }),
  });
  await fastify.listen({ port: app.config.port, host: app.config.host });
  const { port } = fastify.server.address() as AddressInfo;
  const url = `http://${shown(app.config.host)}:${port}`;
  app.publicUrl = app.config.publicUrl ?? url;
  return { port, url, close: () => apollo.stop() };
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
    persistedQueries,
    // We drain ourselves: the signal is the command's.
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: TOKENS_AT_MOST },
    validationRules: [limitsRule],
    validationOptions: { maxErrors: FAULTS_AT_MOST },
    formatError: (formatted, error) => formatError(app.log, formatted, error),
    logger: quiet(app),
    plugins: [
      fastifyApolloDrainPlugin(fastify),
      ApolloServerPluginLandingPageDisabled(),
      persistedOnlyPlugin,
      variablesPlugin,
      replyPlugin,
    ],
  });
}

/** Apollo's own lines are of use to its developers; what goes wrong reaches our log by `formatError`. */
function quiet({ log }: App) {
  const debug = (message?: unknown) => log.debug(String(message));
  return { debug, info: debug, warn: debug, error: debug };
}

/** An address that can be opened: all interfaces are reached by this machine's own. */
function shown(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
