import http from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { until } from "./client";

/** Carries a provider's webhooks to a gateway: when, in which order and how often is up to the test. */
export interface Postman {
  /** Where the provider sends them. */
  url: string;
  /** Webhooks that it holds. */
  held(): number;
  /** The next so many are not taken: the provider sends them again later. */
  drop(deliveries: number): void;
  /** Carries what it holds, in this order and so often each: `order` is sorted by, `copies` is at least 1. */
  carry(plan: (nth: number) => { order: number; copies: number }): Promise<void>;
  /** Resolves once it holds so many, or rejects: a provider tells within seconds. */
  holds(letters: number): Promise<void>;
  /** Forgets what it holds. */
  throwAway(): void;
  /** Carries what it holds to a gateway that may die; what that does not take is kept, as a provider sends it again. */
  deliver(url: string): Promise<void>;
  close(): Promise<void>;
}

interface Letter {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** @returns the status of the answer; null where there was none */
function post(url: string, { path, headers, body }: Letter): Promise<number | null> {
  return fetch(`${url}${path}`, { method: "POST", headers, body }).then(
    async (answer) => (await answer.arrayBuffer().catch(() => null), answer.status),
    () => null,
  );
}

export async function startPostman(gateway: () => string): Promise<Postman> {
  let letters: Letter[] = [];
  let dropping = 0;
  const server = http.createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      if (dropping > 0) {
        dropping -= 1;
        return outgoing.writeHead(503).end();
      }
      const signature = String(incoming.headers["stripe-signature"]);
      const headers = { "content-type": "application/json", "stripe-signature": signature };
      letters.push({ path: incoming.url ?? "/", headers, body: Buffer.concat(chunks).toString("utf8") });
      return outgoing.writeHead(200).end();
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => letters.length,
    drop: (deliveries) => (dropping = deliveries),
    carry: async (plan) => {
      const taken = letters;
      letters = [];
      const planned = taken.flatMap((letter, nth) => {
        const { order, copies } = plan(nth);
        return Array.from({ length: copies }, (_, copy) => ({ letter, order: order + copy / 10 }));
      });
      planned.sort((a, b) => a.order - b.order);
      for (const { letter } of planned) {
        const status = await post(gateway(), letter);
        if (status !== 200) throw new Error(`the gateway took a webhook with status ${status}`);
      }
    },
    holds: (wanted) =>
      until(
        () => Promise.resolve(letters.length),
        (held) => held >= wanted,
        10_000,
      ).then(() => undefined),
    throwAway: () => void (letters = []),
    deliver: async (url) => {
      const taken = letters;
      letters = [];
      for (const letter of taken) if ((await post(url, letter)) !== 200) letters.push(letter);
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
