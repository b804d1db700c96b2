import http from "node:http";
import https from "node:https";
import type Stripe from "stripe";
import type { Clock } from "../../shared/clock";
import type { NetworkFaultKind } from "./reply";

/**
 * What the network did to a request. It has no `code` **on purpose**: the SDK repeats a request once when the error's
 * code is ECONNRESET or EPIPE, whatever `maxNetworkRetries` says (`_shouldRetry` in its RequestSender). Under our key
 * the repeat would be harmless, but it would be a second call that nobody sees: it would outlive our deadline, and a
 * refused connection would no longer mean that nothing was sent. One call is one request; recovery decides the rest.
 */
export class NetworkFault extends Error {
  constructor(
    readonly kind: NetworkFaultKind,
    /** Node's error code, or a few words. */
    readonly detail: string,
  ) {
    super(`${kind}: ${detail}`);
  }
}

/** A whole body that is not a JSON object. */
export class UnreadableBody extends Error {
  constructor(readonly status: number) {
    super(`status ${status} with a body that is no JSON object`);
  }
}

/**
 * Makes the SDK's way to the network: exactly one request a call, and one deadline over all of it, from the look-up of
 * the name to the last byte of the body (the SDK's own client starts its timeout again with every byte).
 */
export function createHttpClient(secure: boolean, clock: Clock): Stripe.HttpClient {
  const { Agent, request } = secure ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  return {
    getClientName: () => "node",
    // Async, because what `request` throws at (a header that is none) must reach the SDK as a rejection.
    async makeRequest(host, port, path, method, headers, body, _protocol, timeoutMs) {
      const options = { host, port, path, method, agent, headers: headers as http.OutgoingHttpHeaders };
      return exchange(request(options), { body, timeoutMs, clock });
    },
  };
}

/**
 * An idle connection is dropped after this time, before the other side drops it (Node's own servers after 5 s, Stripe
 * later): a request that meets a closing connection is a needless doubt.
 */
const IDLE_MS = 4_000;

/** A page of a hundred intents with their charges is below 2 MB; what is larger than this is not Stripe's. */
const LARGEST_BODY = 16 * 1024 * 1024;

/** The codes of a try that ended before a connection existed. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** What is sent, and how long it may take. */
interface Sent {
  body: string;
  timeoutMs: number;
  clock: Clock;
}

/** Sends the body and reads the whole reply, or rejects with a NetworkFault. */
function exchange(request: http.ClientRequest, { body, timeoutMs, clock }: Sent): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const begun = clock.monotonic();
    let connected = false;
    const fail = (kind: NetworkFaultKind, detail: string) => {
      clearTimeout(deadline);
      reject(new NetworkFault(kind, detail));
      request.destroy();
    };
    const deadline = setTimeout(() => fail("timeout", `no whole reply within ${timeoutMs} ms`), timeoutMs);
    /**
     * Nothing is written before this. A process that stood still on its way here goes on as if nothing had been, before
     * any timer of its own: by now others may have taken its work over, so that it must not speak any more.
     */
    const leave = () => {
      connected = true;
      if (clock.monotonic() - begun >= timeoutMs) fail("timeout", `nothing was sent within ${timeoutMs} ms`);
    };
    request.on("socket", (socket) => {
      // A kept connection is given without `connecting`; then whatever happens, bytes may have left.
      if (!socket.connecting) return leave();
      for (const event of ["connect", "secureConnect"]) socket.once(event, leave);
    });
    request.on("error", (error) => {
      const codes = codesOf(error);
      const never = !connected && codes.length > 0 && codes.every((code) => NEVER_CONNECTED.has(code));
      fail(never ? "no_connection" : "lost", codes.join(", ") || error.message);
    });
    let answered = false;
    // Without an error, too: Node drops a connection that is upgraded unasked.
    request.on("close", () => answered || fail("lost", "the connection closed without a reply"));
    request.on("response", (response) => {
      answered = true;
      readBody(response).then(
        (text) => {
          clearTimeout(deadline);
          resolve(new WireResponse(response, text));
        },
        ({ message }: Error) => fail("lost", message),
      );
    });
    request.end(body);
  });
}

/** Rejects where the connection ends before the body does. */
async function readBody(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error(`the reply is larger than ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A host with several addresses fails with one error for each of them. */
function codesOf(error: Error): string[] {
  const all = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return all.flatMap(({ code }: NodeJS.ErrnoException) => code ?? []);
}

/** A whole reply, in the shape that the SDK reads. */
class WireResponse {
  constructor(
    private readonly response: http.IncomingMessage,
    private readonly text: string,
  ) {}

  getStatusCode(): number {
    return this.response.statusCode ?? 0;
  }

  getHeaders(): Record<string, string> {
    return this.response.headers as Record<string, string>;
  }

  getRawResponse(): object {
    return { statusCode: this.getStatusCode(), headers: this.getHeaders() };
  }

  toStream(): never {
    throw new Error("no call of ours streams");
  }

  /** Only an object is let through: at a number or a string the SDK throws where nobody can catch it, and the process dies. */
  toJSON(): Promise<object> {
    const value = parse(this.text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Promise.resolve(value);
    return Promise.reject(new UnreadableBody(this.getStatusCode()));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
