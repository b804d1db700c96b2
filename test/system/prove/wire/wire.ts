import net, { type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { httpFrames, postgresFrames, type Frames } from "./frames";

/** What happens at a step: to the gateway, or to the connection on which the message goes. */
export const FAULTS = ["kill before", "kill after", "drop before", "drop after"] as const;
export type Fault = (typeof FAULTS)[number];

/** Where a run is cut: at its nth message in either direction. */
export interface Cut {
  step: number;
  fault: Fault;
}

/** What passed in one run. */
export interface Passed {
  /** Every message, in the order in which it came here: the first is step 1. */
  steps: string[];
  /** Whether the cut was reached. */
  reached: boolean;
}

/** Something that the gateway talks to. */
export interface Link {
  name: string;
  protocol: "postgres" | "http";
  target: { host: string; port: number };
}

/** Between a gateway and all that it talks to: numbers each message, and breaks off at one. */
export interface Wire {
  /** Where the gateway reaches a link. */
  portOf(name: string): number;
  /** Numbers from 1 from now on. `kill` ends the gateway at once. */
  arm(cut: Cut | null, kill: () => void): void;
  /** Numbers no more; what goes on passes. */
  disarm(): Passed;
  close(): Promise<void>;
}

interface Run {
  cut: Cut | null;
  kill: () => void;
  passed: Passed;
  /** The gateway is dead: nothing more of it passes. */
  isOver: boolean;
}

interface Pair {
  link: Link;
  gateway: Socket;
  other: Socket;
}

export async function startWire(links: Link[]): Promise<Wire> {
  let run: Run | null = null;
  const open = new Set<Pair>();
  const servers = await Promise.all(
    links.map(async (link) => {
      const server = net.createServer({ noDelay: true }, (gateway) => {
        const other = net.connect({ ...link.target, noDelay: true });
        const pair = { link, gateway, other };
        open.add(pair);
        const forget = () => (gateway.destroy(), other.end(), open.delete(pair));
        for (const socket of [gateway, other]) socket.on("error", forget).on("close", forget);
        const framesOf = (from: "client" | "server") =>
          link.protocol === "postgres" ? postgresFrames(from) : httpFrames();
        carry(pair, "out", framesOf("client"));
        carry(pair, "back", framesOf("server"));
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      return { name: link.name, server };
    }),
  );

  function carry(pair: Pair, direction: "out" | "back", frames: Frames): void {
    const [from, to] = direction === "out" ? [pair.gateway, pair.other] : [pair.other, pair.gateway];
    from.on("data", (chunk: Buffer) => {
      for (const { bytes, what } of frames.push(chunk)) {
        if (!open.has(pair)) return;
        if (run?.isOver) return;
        const fault = run && count(run, `${pair.link.name} ${direction === "out" ? "→" : "←"} ${what}`);
        if (run === null || fault === null) to.write(bytes);
        else return strike(run, fault, pair, () => to.write(bytes));
      }
    });
  }

  function strike(now: Run, fault: Fault, pair: Pair, pass: () => void): void {
    now.passed.reached = true;
    now.isOver = fault.startsWith("kill");
    // Killed before anything else moves: it cannot see what became of its connections.
    if (fault === "kill before") now.kill();
    if (fault.endsWith("after")) pass();
    if (fault === "kill after") now.kill();
    for (const one of now.isOver ? [...open] : [pair]) cutOff(one, now.isOver || fault === "drop before");
  }

  /** What was passed on before still arrives: the far side reads it, and then the end. */
  function cutOff(pair: Pair, hasToGo: boolean): void {
    open.delete(pair);
    pair.other.end();
    if (hasToGo) pair.gateway.destroy();
    else pair.gateway.end(() => pair.gateway.destroy());
  }

  return {
    portOf: (name) => {
      const found = servers.find((one) => one.name === name);
      if (!found) throw new Error(`no link ${name}`);
      return (found.server.address() as AddressInfo).port;
    },
    arm: (cut, kill) => (run = { cut, kill, passed: { steps: [], reached: false }, isOver: false }),
    disarm: () => {
      const passed = run?.passed ?? { steps: [], reached: false };
      run = null;
      return passed;
    },
    close: async () => {
      for (const pair of open) cutOff(pair, true);
      await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Numbers a message. @returns what happens at it */
function count({ cut, passed }: Run, what: string): Fault | null {
  passed.steps.push(what);
  return cut?.step === passed.steps.length ? cut.fault : null;
}
