import http from "node:http";
import type { AddressInfo } from "node:net";

/** One request on its way to the provider. */
export interface OnItsWay {
  method: string;
  path: string;
  /** The provider key; null on reads. */
  key: string | null;
  body: string;
  /** 1 for the first request with this key. */
  nth: number;
  /** True once its reply has gone back, or its connection has ended. */
  isOver: boolean;
}

/** What becomes of it. */
export type Fate =
  | "pass"
  /** Reaches the provider, whose reply is lost. */
  | "lose reply"
  /** The connection ends before anything is read. */
  | "refuse"
  | { status: number; body: string }
  /** Reaches the provider; once that has replied this is called, and the reply goes back when it resolves. */
  | { hold: () => Promise<void> };

/** A proxy between the gateway and the sandbox: the network that a test is in charge of. */
export interface Meddler {
  url: string;
  seen: OnItsWay[];
  /** Decides from now on. */
  decide(fate: (request: OnItsWay) => Fate): void;
  close(): Promise<void>;
}

/** How many calls that move money are on their way. */
export function underWay({ seen }: Pick<Meddler, "seen">): number {
  return seen.filter(({ method, isOver }) => method === "POST" && !isOver).length;
}

/** @param port where it listens; any that is free when absent */
export async function startMeddler(target: string, port = 0): Promise<Meddler> {
  const seen: OnItsWay[] = [];
  let decide: (request: OnItsWay) => Fate = () => "pass";
  const server = http.createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const key = (incoming.headers["idempotency-key"] as string | undefined) ?? null;
      const nth = seen.filter((one) => one.key === key).length + 1;
      const [method, path] = [incoming.method ?? "GET", incoming.url ?? "/"];
      const body = Buffer.concat(chunks).toString("utf8");
      const request: OnItsWay = { method, path, key, body, nth, isOver: false };
      seen.push(request);
      outgoing.once("close", () => (request.isOver = true));
      const fate = decide(request);
      if (fate === "refuse") return incoming.socket.destroy();
      if (typeof fate === "object" && "status" in fate)
        return outgoing.writeHead(fate.status, JSON_TYPE).end(fate.body);
      const passed = http.request(new URL(path, target), { method, headers: incoming.headers }, (reply) => {
        if (fate === "lose reply") return reply.resume().on("end", () => incoming.socket.destroy());
        const held = typeof fate === "object" ? fate.hold() : Promise.resolve();
        void held.then(() => {
          outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(outgoing);
        });
      });
      passed.on("error", () => incoming.socket.destroy());
      passed.end(request.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    decide: (fate) => (decide = fate),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const JSON_TYPE = { "content-type": "application/json" };
