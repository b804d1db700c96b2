import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Built } from "./build";
import type { Job, Said, Told } from "./subject";

/** A gateway of a built subject. */
export interface SubjectProcess {
  url: string;
  /** Runs these jobs once, one after the other. @returns how much they did; rejects where it died meanwhile */
  run(...jobs: Job[]): Promise<number>;
  /** Lets it go. Resolves once it is gone. */
  leave(): Promise<void>;
  /** SIGKILL, and nothing waits. */
  kill(): void;
  /** Ends it, whatever it does. Resolves once it is gone. */
  end(): Promise<void>;
}

/** Starts a subject. Resolves once it listens. */
export async function startSubject(built: Built, settings: Record<string, string>): Promise<SubjectProcess> {
  const child = spawn(process.execPath, [path.join(__dirname, "loader.cjs"), built.file, keptOf(built)], {
    env: { PATH: process.env.PATH, PORT: "0", LOG_LEVEL: "fatal", PLAYGROUND: "off", ...settings },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await ready(child);
  const asked = new Map<number, { resolve: (done: number) => void; reject: (error: Error) => void }>();
  child.on("message", (said: Said) => {
    if ("ready" in said) return;
    const waits = asked.get(said.nth);
    asked.delete(said.nth);
    if ("done" in said) waits?.resolve(said.done);
    else waits?.reject(new Error(said.failed));
  });
  void gone.then(() => asked.forEach(({ reject }) => reject(new Error("the subject died"))));
  let nth = 0;
  return {
    url,
    run: (...jobs) =>
      new Promise((resolve, reject) => {
        nth += 1;
        asked.set(nth, { resolve, reject });
        const told: Told = { nth, jobs };
        child.send(told, (error) => error && reject(error));
      }),
    leave: async () => {
      child.disconnect();
      await gone;
    },
    kill: () => void child.kill("SIGKILL"),
    end: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** Runs a subject once and lets it go, so that what V8 compiles is there for all that come. */
export async function warm(built: Built, settings: Record<string, string>): Promise<void> {
  const kept = keptOf(built);
  const child = await startSubject(built, { ...settings, PROOF_KEEP: "on" });
  await child.run("recovery", "webhooks", "relay", "effects", "erasure");
  await child.leave();
  if (!fs.existsSync(kept)) throw new Error("the subject kept no compiled code");
}

const keptOf = ({ file }: Built) => `${file}.compiled`;

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (said: Said) => resolve("ready" in said ? said.ready : ""));
    child.once("exit", (code) => reject(new Error(`a subject ended with ${code} before it was up`)));
  });
}
