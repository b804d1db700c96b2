import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

/** What becomes of a request from the page to the gateway. */
export type Fate =
  | "pass"
  /** The gateway answers, and its answer is lost. */
  | "lose answer"
  /** The gateway answers, and the answer is held back until `release`. */
  | "hold answer";

/** A shop whose page pays by the client package: the page, and the network between it and the gateway. */
export interface Shop {
  port: number;
  /** The idempotency keys of the mutations that have come, in their order. */
  keys: string[];
  decide(fate: (nth: number) => Fate): void;
  release(): void;
  close(): Promise<void>;
}

const PAGE = path.join(__dirname, "..", "browser", "client-page");
const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript" };

/** Builds the page, and serves it on loopback with the gateway behind it. */
export async function openShop(gateway: string, apiKey: string): Promise<Shop> {
  const folder = await bundle();
  const keys: string[] = [];
  const held: (() => void)[] = [];
  let decide: (nth: number) => Fate = () => "pass";
  const server = http.createServer((incoming, outgoing) => {
    if (incoming.url !== "/graphql") return void sendFile(folder, incoming, outgoing);
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString("utf8");
      const { variables } = JSON.parse(body) as { variables: { key?: unknown } };
      const isMutation = typeof variables.key === "string";
      if (isMutation) keys.push(variables.key as string);
      const fate = isMutation ? decide(keys.length) : "pass";
      const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${gateway}/graphql`, { method: "POST", headers, body });
      const text = await answer.text();
      if (fate === "lose answer") return void incoming.socket.destroy();
      if (fate === "hold answer") await new Promise<void>((resolve) => held.push(resolve));
      outgoing.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    keys,
    decide: (fate) => (decide = fate),
    release: () => held.splice(0).forEach((go) => go()),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function bundle(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "umavez-shop-"));
  const vite = path.resolve("node_modules", "vite", "bin", "vite.js");
  const built = spawn(process.execPath, [vite, "build", PAGE, "--outDir", folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = (await once(built, "exit")) as [number | null];
  if (status !== 0) throw new Error(`the shop's page was not built: Vite ended with ${status}`);
  return folder;
}

function sendFile(folder: string, incoming: http.IncomingMessage, outgoing: http.ServerResponse): void {
  const { pathname } = new URL(incoming.url ?? "/", "http://shop");
  const file = path.join(folder, pathname === "/" ? "index.html" : pathname);
  const type = TYPES[path.extname(file)];
  if (!file.startsWith(folder) || !type || !fs.existsSync(file)) return void outgoing.writeHead(404).end();
  outgoing.writeHead(200, { "content-type": type }).end(fs.readFileSync(file));
}
