import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Books, type CallKind } from "./books";
import { answerControl } from "./control";
import { Deliveries } from "./deliveries";
import { openDisputes, retrieveDispute } from "./disputes";
import { eventsOf, listEvents, retrieveEvent } from "./events";
import { NO_FAULTS } from "./faults";
import { parseForm } from "./form";
import { Mutations } from "./mutations";
import { listIntents, retrieveIntent, searchIntents } from "./payment-intents";
import type { Parts } from "./parts";
import { passTime } from "./payer-acts";
import { PAGES_PATH, servePage } from "./payer-pages";
import { turnRefunds, listRefunds, retrieveRefund } from "./refunds";
import { createEndpoint } from "./webhook-endpoints";
import { drop, errorAnswer, readBody, reply, type Answer } from "./wire";

/** A running sandbox provider. */
export interface Sandbox {
  port: number;
  url: string;
  close(): Promise<void>;
}

/** How to run it. */
export interface SandboxOptions {
  /** 0 takes a free one. */
  port: number;
  host?: string;
  /** Where its ledger lies. */
  dataDir: string;
}

/** How often the sandbox looks for what happens by itself. */
const TICK_MS = 250;

/**
 * Starts the sandbox provider: Stripe's wire protocol for cards, Pix and boleto over a durable ledger of its own, faults that
 * no provider offers, and control endpoints below /_sandbox/.
 * @throws the listen error, EADDRINUSE among them
 */
export async function startSandbox({ port, host = "127.0.0.1", dataDir }: SandboxOptions): Promise<Sandbox> {
  const parts: Parts = { books: await Books.open(dataDir, eventsOf), faults: { ...NO_FAULTS } };
  const deliveries = new Deliveries(parts.books, parts.faults);
  const mutations = new Mutations(parts.books, parts.faults, deliveries);
  const server = http.createServer((message, response) => {
    route(parts, mutations, message, response).catch((error: Error) =>
      reply(response, errorAnswer(500, { type: "api_error", message: error.message })),
    );
  });
  server.keepAliveTimeout = 65_000; // longer than its callers', so that they close first
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const clockwork = setInterval(() => {
    void turnRefunds(parts.books);
    void passTime(parts.books);
    void openDisputes(parts.books);
    deliveries.pump();
  }, TICK_MS);
  const bound = (server.address() as AddressInfo).port;
  const url = `http://${host}:${bound}`;
  parts.books.pages = url;
  return {
    port: bound,
    url,
    close: async () => {
      clearInterval(clockwork);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await deliveries.stop();
      await parts.books.close();
    },
  };
}

async function route(
  parts: Parts,
  mutations: Mutations,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(message.url ?? "/", "http://sandbox");
  const text = await readBody(message);
  await passTime(parts.books);
  if (url.pathname.startsWith(PAGES_PATH)) return servePage(parts.books, { message, response, url, text });
  if (url.pathname.startsWith("/_sandbox/"))
    return reply(response, await answerControl(parts, message, url, text));
  if (parts.faults.down) return drop(message);
  const account = accountOf(message);
  if (account === null) return reply(response, NO_ACCOUNT);
  if (message.method === "POST" && url.pathname === "/v1/webhook_endpoints")
    return reply(response, await createEndpoint(parts.books, account, parseForm(text)));
  const wanted = message.method === "POST" ? mutationOf(url.pathname) : undefined;
  if (wanted) {
    const key = message.headers["idempotency-key"];
    return mutations.handle({
      ...wanted,
      account,
      key: Array.isArray(key) ? key[0] : key,
      text,
      response,
      message,
    });
  }
  reply(response, message.method === "GET" ? read(parts, account, url) : unrecognized(message, url));
}

/** The mutating endpoints. */
function mutationOf(path: string): { call: CallKind; id: string } | undefined {
  if (path === "/v1/payment_intents") return { call: "create", id: "" };
  if (path === "/v1/refunds") return { call: "refund", id: "" };
  const [, id = "", verb] = /^\/v1\/payment_intents\/(pi_[0-9A-Za-z]+)\/(capture|cancel)$/.exec(path) ?? [];
  return verb === "capture" || verb === "cancel" ? { call: verb, id } : undefined;
}

function read({ books, faults }: Parts, account: string, url: URL): Answer {
  const query = parseForm(url.search.slice(1));
  if (url.pathname === "/v1/payment_intents") return listIntents(books, account, query, faults.lookupLagMs);
  if (url.pathname === "/v1/payment_intents/search")
    return searchIntents(books, account, query, faults.lookupLagMs);
  if (url.pathname === "/v1/refunds") return listRefunds(books, account, query);
  if (url.pathname === "/v1/events") return listEvents(books, account, query);
  const event = /^\/v1\/events\/(evt_[0-9A-Za-z]+)$/.exec(url.pathname)?.[1];
  if (event !== undefined) return retrieveEvent(books, account, event);
  const dispute = /^\/v1\/disputes\/(dp_[0-9A-Za-z]+)$/.exec(url.pathname)?.[1];
  if (dispute !== undefined) return retrieveDispute(books, account, dispute);
  const refund = /^\/v1\/refunds\/(re_[0-9A-Za-z]+)$/.exec(url.pathname)?.[1];
  if (refund !== undefined) return retrieveRefund(books, account, refund);
  const id = /^\/v1\/payment_intents\/(pi_[0-9A-Za-z]+)$/.exec(url.pathname)?.[1];
  if (id === undefined) return unrecognized({ method: "GET" }, url);
  return retrieveIntent(books, account, query, { id, lagMs: faults.lookupLagMs });
}

/** One secret key is one account. */
function accountOf(message: IncomingMessage): string | null {
  return /^Bearer (sk_test_[0-9A-Za-z]{8,})$/.exec(message.headers.authorization ?? "")?.[1] ?? null;
}

const NO_ACCOUNT = errorAnswer(401, {
  type: "invalid_request_error",
  message:
    "Invalid API Key provided: the sandbox takes any key that begins sk_test_ and has 8 more characters.",
});

function unrecognized({ method }: { method?: string }, url: URL): Answer {
  const message = `Unrecognized request URL (${method}: ${url.pathname}).`;
  return errorAnswer(404, { type: "invalid_request_error", message });
}
