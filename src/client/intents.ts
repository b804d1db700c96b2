import { readAnswer } from "./answer.ts";
import {
  browserStorage,
  newKey,
  openAttempts,
  type Attempt,
  type Scope,
  type TextStorage,
} from "./attempt.ts";
import { printOf } from "./content.ts";
import { fly, type Flight, type Outcome, type Ready, type Send, type Waits } from "./flight.ts";
import { pause } from "./limit.ts";
import { browserLocks, exclusively, type Locks } from "./locks.ts";
import { EarlierIntentError } from "./problems.ts";
import { share, type Shared } from "./shared.ts";

/** How intents are kept and sent. All of it may be left out in a browser. */
export interface IntentsOptions {
  /** Where attempts are kept; `localStorage` when absent, memory where there is none or it is blocked. */
  storage?: TextStorage | null;
  /** What keeps tabs apart; `navigator.locks` when absent. */
  locks?: Locks | null;
  /** Before every name in the storage: one for each merchant whose payments this origin makes. `umavez` when absent. */
  namespace?: string;
  /** Asks the gateway for the operation that a key names; then `perform` asks by itself where it would have to refuse. */
  ask?: Ask;
  /** How long is waited, and how often. */
  waits?: Partial<Waits>;
}

/** Sends the query `OperationByKey` (or one like it, with `operation { state }`), by whatever client. */
export type Ask = (question: { key: string; scope: Scope; signal: AbortSignal }) => Promise<unknown>;

/** Of one call. */
export interface CallOptions {
  /** Ends the waiting. What has left the browser cannot be called back: its outcome is then unknown. */
  signal?: AbortSignal;
}

/** Intents to move money, each sent under one key until its outcome is known. */
export interface Intents {
  /** False where a key would not outlive this page, because the browser's storage is blocked or full. */
  readonly durable: boolean;
  /**
   * Sends an intent, and sends it again under the same key until its outcome is known or time has run out. Calls of one
   * scope and content share one answer, in all tabs of this browser one at a time.
   * @param input the mutation's `input`; what of it is content is compared with what was sent before
   * @throws RefusedError where the gateway says that nothing has started; EarlierIntentError where other content was sent
   *   before, and has succeeded, or what came of it is not known
   */
  perform<R>(scope: Scope, input: object, send: Send<R>, options?: CallOptions): Promise<Outcome<R>>;
  /**
   * Asks the gateway what became of the last request. Where it has never seen the key, the key is free for any content: the
   * same one, so that a request which is still on its way cannot take effect beside another.
   * @returns what is known now; null where nothing was sent in this scope
   */
  resolve(scope: Scope, ask?: Ask, options?: CallOptions): Promise<Attempt | null>;
  /** What this browser knows of a scope. */
  find(scope: Scope): Attempt | null;
  /**
   * Begins a new intent in a scope: the same content again is then another one.
   * @throws EarlierIntentError while the last one's outcome is not known
   */
  forget(scope: Scope): void;
}

/** Makes the keeper of this page's intents. One is enough for a page. */
export function createIntents(options: IntentsOptions = {}): Intents {
  const { storage = browserStorage(), locks = browserLocks(), namespace = "umavez" } = options;
  const attempts = openAttempts(storage);
  const underway = new Map<string, Shared<Outcome<unknown>> & { print: string }>();
  const nameOf = ({ kind, about }: Scope) => `${namespace}:${kind}:${about}`;
  const flightOf = (scope: Scope, signal: AbortSignal): Flight => {
    return { attempts, locks, name: nameOf(scope), scope, waits: { ...WAITS, ...options.waits }, signal };
  };
  return {
    get durable() {
      return attempts.durable;
    },
    perform: async <R>(scope: Scope, input: object, send: Send<R>, { signal }: CallOptions = {}) => {
      signal?.throwIfAborted();
      const [name, print] = [nameOf(scope), printOf(scope.kind, input)];
      const before = underway.get(name);
      if (before && !before.isLeft) {
        if (before.print === print) return before.join(signal) as Promise<Outcome<R>>;
        throw new EarlierIntentError(scope, attempts.read(name), "other content is being sent");
      }
      const shared = share(async (flightSignal) => {
        const flight = flightOf(scope, flightSignal);
        try {
          return await exclusively(flight, async () =>
            fly(flight, await prepare(flight, print, options.ask), send),
          );
        } finally {
          if (underway.get(name) === entry) underway.delete(name);
        }
      });
      const entry = Object.assign(shared, { print });
      underway.set(name, entry);
      return shared.join(signal);
    },
    resolve: async (scope, ask = options.ask, { signal } = {}) => {
      if (!ask) throw new TypeError("umavez: say by `ask` how the gateway is asked for an operation");
      const flight = flightOf(scope, signal ?? new AbortController().signal);
      return exclusively(flight, () => askFor(flight, ask));
    },
    find: (scope) => attempts.read(nameOf(scope)),
    forget: (scope) => {
      const known = attempts.read(nameOf(scope));
      if (known?.state === "unknown" || underway.has(nameOf(scope)))
        throw new EarlierIntentError(scope, known, "what became of it is not known");
      attempts.remove(nameOf(scope));
    },
  };
}

/** Longer than the gateway's own patience with a provider and with a repeat (13 s). */
const WAITS: Waits = { withinMs: 60_000, replyMs: 20_000, firstMs: 500, mostMs: 8_000, settleMs: 100 };

/** Chooses the key, and writes the attempt down before anything leaves. */
async function prepare(flight: Flight, print: string, ask: Ask | undefined): Promise<Ready> {
  const { attempts, name } = flight;
  let known = attempts.read(name);
  if (ask && isOther(known, print)) known = await askFor(flight, ask);
  const repeated = repeatOf(flight, known, print);
  if (repeated) return { attempt: repeated, isFirst: false };
  const key = known?.state === "unclaimed" ? known.key : newKey();
  attempts.write(name, { key, print, state: "unknown" });
  if (flight.locks || !attempts.durable) return { attempt: written(flight), isFirst: true };
  // Two tabs may both have written: the later one's key is the one that both send.
  await pause(flight.waits.settleMs, flight.signal);
  return { attempt: repeatOf(flight, written(flight), print) ?? written(flight), isFirst: false };
}

/** The attempt whose key is to be sent again; null where this is a new intent. */
function repeatOf({ scope }: Flight, known: Attempt | null, print: string): Attempt | null {
  if (isOther(known, print)) {
    const reason = known?.state === "succeeded" ? "has succeeded" : "is not known to have ended";
    throw new EarlierIntentError(scope, known, `what was sent before had other content, and ${reason}`);
  }
  return known && holds(known) ? known : null;
}

/** Money may have moved under its key. */
const holds = ({ state }: Attempt) => state === "unknown" || state === "succeeded";
const isOther = (known: Attempt | null, print: string) =>
  known !== null && holds(known) && known.print !== print;

const written = ({ attempts, name }: Flight) => attempts.read(name) as Attempt;

/** Asks what became of an attempt, and writes it down. A gateway that does not answer leaves it as it is. */
async function askFor({ attempts, name, scope, signal }: Flight, ask: Ask): Promise<Attempt | null> {
  const known = attempts.read(name);
  if (!known || !holds(known)) return known;
  const reply = await ask({ key: known.key, scope, signal }).catch((error: unknown) => error);
  signal.throwIfAborted();
  const answer = readAnswer(scope.kind, reply);
  if (answer.says === "ended") attempts.write(name, { ...known, state: answer.state });
  if (answer.says === "absent" && known.state === "unknown")
    attempts.write(name, { ...known, state: "unclaimed" });
  return attempts.read(name);
}
