import { readAnswer, type Answer, type GatewayError } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import { limit, orAborted, pause } from "./limit.ts";
import type { Turn } from "./locks.ts";
import { RefusedError } from "./problems.ts";

/**
 * Sends the mutation once, under this key, by whatever client; returns what the client returns, or throws what it throws.
 * The mutation selects `operation { state }`, and a create `payment { status }`.
 */
export type Send<R> = (request: { key: string; signal: AbortSignal }) => Promise<R>;

/** What came of an intent. */
export type Outcome<R> =
  /** It took effect, or definitely did not: a new try after `FAILED` takes a new key by itself. */
  | { state: "SUCCEEDED" | "FAILED"; key: string; reply: R }
  /** Time ran out, or it waits for an operator: the key is kept, and sent again with the next call. */
  | { state: "UNKNOWN"; key: string; reply: R | null; cause: unknown };

/** How long is waited, in milliseconds. */
export interface Waits {
  /** For an outcome, all tries together. */
  withinMs: number;
  /** For one reply. */
  replyMs: number;
  /** Before the second try; doubled for each one after it. */
  firstMs: number;
  /** At most between two tries, unless the gateway asks for more. */
  mostMs: number;
  /** For another tab to write its key, where there are no locks. */
  settleMs: number;
}

/** What one call works with. */
export interface Flight extends Turn {
  waits: Waits;
}

/** An attempt that is written down, and may be sent. */
export interface Ready {
  attempt: Attempt;
  /** True where no other request with its key can be on its way. */
  isFirst: boolean;
}

/** Sends an attempt until its outcome is known, it is refused, or time has run out. */
export async function fly<R>(flight: Flight, ready: Ready, send: Send<R>): Promise<Outcome<R>> {
  const { scope, signal, waits } = flight;
  const { key } = ready.attempt;
  const end = performance.now() + waits.withinMs;
  let { isFirst } = ready;
  let reply: R | null = null;
  for (let wait = waits.firstMs; ; wait = Math.min(2 * wait, waits.mostMs)) {
    const got = await sendOnce(flight, key, send);
    const answer = readAnswer(scope.kind, got.value);
    const rest = restAfter(answer, wait);
    const goesOn = isWorthAnother(answer) && performance.now() + rest < end;
    switch (answer.says) {
      case "ended":
        flight.attempts.write(flight.name, { ...ready.attempt, state: answer.state });
        // What the client throws is not a reply: the next call finds one, under the same key.
        if (got.isThrown) throw got.value;
        return { state: answer.state === "failed" ? "FAILED" : "SUCCEEDED", key, reply: got.value as R };
      case "refused":
        if (!goesOn) throw refuse(flight, { ...ready, isFirst }, answer.errors, got.value);
        break;
      default:
        isFirst = false;
        if (answer.says === "running" && !got.isThrown) reply = got.value as R;
        if (!goesOn) return { state: "UNKNOWN", key, reply, cause: got.value };
    }
    await pause(rest, signal);
  }
}

/** What the client returned or threw, or that it did neither in time. */
async function sendOnce<R>({ signal, waits }: Flight, key: string, send: Send<R>) {
  const patience = limit(signal, waits.replyMs);
  try {
    const sent = Promise.resolve({ key, signal: patience.signal }).then(send);
    return { value: (await orAborted(sent, patience.signal)) as unknown, isThrown: false };
  } catch (error) {
    signal.throwIfAborted();
    return { value: error, isThrown: true };
  } finally {
    patience.clear();
  }
}

/** As long as the gateway asks for, and with some chance in it, so that a crowd does not come back as one. */
function restAfter(answer: Answer, wait: number): number {
  const asked = "retryAfterMs" in answer ? answer.retryAfterMs : 0;
  return Math.max(wait * (0.5 + Math.random() / 2), asked);
}

function isWorthAnother(answer: Answer): boolean {
  if (answer.says === "refused") return answer.errors.every(({ extensions }) => extensions.retryable);
  return !(answer.says === "running" && answer.isParked);
}

/**
 * A refusal says that this call has started nothing. Where no other request can be on its way, the key is free: for any
 * content, but never left for another key. Where the key is held by other content, nothing is known of that.
 */
function refuse(
  { attempts, name, scope }: Flight,
  { attempt, isFirst }: Ready,
  errors: GatewayError[],
  value: unknown,
): RefusedError {
  const isReused = errors.some(({ extensions }) => extensions.reason === "IDEMPOTENCY_KEY_REUSED");
  if (attempt.state === "unknown" && isReused) attempts.write(name, { ...attempt, print: null });
  else if (isFirst) attempts.write(name, { ...attempt, state: "unclaimed" });
  return new RefusedError(scope, errors, value);
}
