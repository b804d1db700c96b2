import net from "node:net";

/** A request as it came over the wire. */
export interface Received {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: URLSearchParams;
}

/** What the server does with one request. `bytes` are written as they are; the connection is then kept, ended or reset. */
export interface Act {
  bytes?: string;
  then?: "keep" | "end" | "reset";
}

/** A server of raw bytes: it does to the connection what no HTTP server would. */
export interface ScriptedServer {
  url: string;
  received: Received[];
  /** The acts for the next requests, in order; the last one is repeated. */
  plays(...acts: Act[]): void;
  close(): Promise<void>;
}

/** Starts a scripted server on a free port. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  const sockets = new Set<net.Socket>();
  let script: Act[] = [{}];
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const request = readRequest(text);
      if (!request) return;
      text = "";
      received.push(request);
      perform(socket, script.length > 1 ? script.shift()! : script[0]!);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    received,
    plays: (...acts) => void (script = acts),
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The bytes of a whole JSON reply. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): string {
  return reply(status, JSON.stringify(value), { "content-type": "application/json", ...headers });
}

/** The bytes of a whole reply. */
export function reply(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { "content-length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n${body}`;
}

function perform(socket: net.Socket, { bytes = "", then = "keep" }: Act): void {
  // A reset overtakes what is not yet sent, so it waits until the bytes have left.
  socket.write(bytes, () => {
    if (then === "end") socket.end();
    if (then === "reset") socket.resetAndDestroy();
  });
}

function readRequest(text: string): Received | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const body = text.slice(end + 4);
  const whole = body.length >= Number(headers["content-length"] ?? 0);
  return whole ? { method, path, headers, body: new URLSearchParams(body) } : null;
}
