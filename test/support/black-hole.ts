import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";

/**
 * What becomes of bytes in a hole. Nobody is told of it: no connection is closed, and none is refused.
 * `late`: they arrive once it opens, as TCP sends again what was not taken.
 * `never`: they are gone, and so is every connection that lost some, even after the hole.
 */
export type Hole = "late" | "never";

/** A proxy in front of a server, that can fall silent. */
export interface BlackHole {
  /** The server's address by way of here. */
  url: string;
  /** Takes what comes in either direction, and passes nothing on. */
  swallow(hole: Hole): void;
  /** Passes on again, and with it the ends of connections that were closed meanwhile. */
  open(): void;
  /** How many connections have lost something, and are still held by who began them. */
  dead(): number;
  /** The ports by which the server knows the connections that ever came through here. */
  ports(): number[];
  close(): Promise<void>;
}

/** One direction of a connection. */
interface Way {
  from: Socket;
  to: Socket;
  /** What arrives late. */
  held: Buffer[];
  /** The sender has closed. */
  hasEnded: boolean;
}

interface Pair {
  ways: [Way, Way];
  /** Has lost something, or was begun while all was lost. */
  isDead: boolean;
}

/** @param target a URL whose host and port are the server's */
export async function startBlackHole(target: string): Promise<BlackHole> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  const ports = new Set<number>();
  let hole: Hole | null = null;

  const server = net.createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = net.connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
    upstream.on("connect", () => ports.add(upstream.localPort ?? 0));
    const ways: Pair["ways"] = [way(client, upstream), way(upstream, client)];
    const pair = { ways, isDead: hole === "never" };
    pairs.add(pair);
    for (const one of ways) carry(pair, one);
  });

  function carry(pair: Pair, one: Way): void {
    one.from.on("data", (bytes: Buffer) => {
      if (hole === "never") pair.isDead = true;
      if (pair.isDead) return;
      if (hole === "late") one.held.push(bytes);
      else one.to.write(bytes);
    });
    const ended = () => {
      one.hasEnded = true;
      if (hole === null) passOn(pair);
    };
    one.from.on("end", ended).on("error", ended).on("close", ended);
  }

  function passOn(pair: Pair): void {
    for (const { to, held, hasEnded } of pair.ways) {
      for (const bytes of held.splice(0)) to.write(bytes);
      if (hasEnded) to.end();
    }
    // One that has closed reads no more of it.
    if (pair.isDead && pair.ways.some(({ hasEnded }) => hasEnded)) destroy(pair);
    if (pair.ways.every(({ hasEnded }) => hasEnded)) pairs.delete(pair);
  }

  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    swallow: (wanted) => (hole = wanted),
    open: () => {
      hole = null;
      pairs.forEach(passOn);
    },
    dead: () => [...pairs].filter(({ isDead, ways }) => isDead && !ways[0].hasEnded).length,
    ports: () => [...ports],
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      pairs.forEach(destroy);
      await closed;
    },
  };
}

const way = (from: Socket, to: Socket): Way => ({ from, to, held: [], hasEnded: false });

function destroy({ ways }: Pair): void {
  for (const { from } of ways) from.destroy();
}
