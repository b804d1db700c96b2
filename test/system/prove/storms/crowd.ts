import type { Pool } from "pg";
import { card, until } from "../../../support/client";
import type { Process } from "../../../support/processes";
import type { Recorder } from "../../../support/recorder";
import type { Call, History, Intent } from "../checker/history";
import type { Merchant, RaceHouse } from "../race-house";
import { AMOUNT, type Life } from "./lives";

/** Milliseconds in which a key must have a definite answer, whatever goes on. */
const DEFINITE_WITHIN = 90_000;
/** How long a customer waits before it sends a key again: each time longer (milliseconds). */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1_000;

const READS_AT_MOST = 3;
/** Of a gateway that cannot be read: its last words (characters). */
const PRINTED = 1_500;

const MERCHANTS: readonly Merchant[] = ["first", "second"];

/** Customers of both merchants, who send each key until they know, and what they were answered. */
export class Crowd {
  private readonly recorders: Record<Merchant, Recorder>;

  /** @param gateways where keys are sent, in turn */
  constructor(
    private readonly race: RaceHouse,
    private readonly gateways: readonly Process[],
  ) {
    const [gateway] = gateways;
    if (!gateway) throw new Error("there is no gateway");
    this.recorders = { first: race.recorderOf(gateway, "first"), second: race.recorderOf(gateway, "second") };
  }

  /** Every call of every customer so far. */
  get calls(): Call[] {
    return MERCHANTS.flatMap((merchant) => this.recorders[merchant].calls);
  }

  /** How many operations were shown in doubt, and how many calls had no answer. */
  get troubles(): { inDoubt: number; unanswered: number } {
    const answers = this.calls.map(({ answer }) => answer);
    const doubted = answers.flatMap((one) =>
      one?.kind === "operation" && one.state === "IN_DOUBT" ? [one.operationId] : [],
    );
    const unanswered = answers.filter((answer) => answer === null).length;
    return { inDoubt: new Set(doubted).size, unanswered };
  }

  /** Lives all of them side by side, until every key has its definite answer; recovery waits for nothing. */
  async live(lives: readonly Life[]): Promise<void> {
    await hastened(this.race.database, Promise.all(lives.map((life) => this.liveOne(life))));
  }

  /** Waits until every operation has ended or is parked. Needs a worker. */
  async rest(): Promise<void> {
    const { database } = this.race;
    const isAtRest = until(
      () => database.query("select operation_id, due_at, recovery_steps from unfinished_operations limit 3"),
      ({ rowCount }) => rowCount === 0,
      DEFINITE_WITHIN,
    );
    await hastened(database, isAtRest);
  }

  /** Once all is at rest: all that is known of both merchants, as one history. */
  async history(): Promise<History> {
    await this.rest();
    const [first, second] = [await this.read("first"), await this.read("second")];
    return {
      calls: [...first.calls, ...second.calls],
      deeds: [],
      ledger: second.ledger,
      payments: [...first.payments, ...second.payments],
    };
  }

  /**
   * What was answered since then is forgotten by all: who waited for an answer then has none, and what was asked later
   * was never asked.
   * @param moment milliseconds of the monotonic clock
   */
  forgetSince(moment: number): void {
    for (const { calls } of Object.values(this.recorders)) {
      const asked = calls.filter(({ begun }) => begun < moment);
      const forget = (call: Call): Call => ({ ...call, ended: Infinity, answer: null });
      calls.splice(0, calls.length, ...asked.map((call) => (call.ended < moment ? call : forget(call))));
    }
  }

  private async liveOne({ merchant, nth, captureMode, then, refunds, callers }: Life): Promise<void> {
    const send = (key: string, intent: Intent, input = {}) =>
      Promise.all(
        Array.from({ length: callers }, (_, caller) =>
          settle((again) => {
            const { url } = this.gateways[(nth + caller + again) % this.gateways.length] as Process;
            return this.recorders[merchant].call(key, intent, input, url);
          }),
        ),
      );
    const intent: Intent = { kind: "create", minor: AMOUNT, captureMode };
    const [made] = await send(`create-${nth}`, intent, card("100", { captureMode }));
    if (made?.answer?.kind !== "operation") return;
    const paymentId = made.answer.payment.id;
    if (then === "cancel") await send(`cancel-${nth}`, { kind: "cancel", paymentId });
    else if (then)
      await send(`capture-${nth}`, { kind: "capture", paymentId, minor: then.minor, final: true });
    await Promise.all(
      refunds.map((minor, one) => send(`refund-${nth}-${one}`, { kind: "refund", paymentId, minor })),
    );
  }

  /** A read that found its connection closed is made again: it changes nothing. A gateway that is gone fails each time. */
  private async read(merchant: Merchant): Promise<History> {
    for (let tried = 1; ; tried += 1)
      try {
        return await this.historyOf(merchant);
      } catch (error) {
        const printed = this.gateways[0]?.output().slice(-PRINTED);
        if (tried === READS_AT_MOST) throw new Error(`${String(error)}; the gateway printed: ${printed}`);
        await pause(FIRST_PAUSE);
      }
  }

  /** With the merchant in each key: both use the same ones. */
  private async historyOf(merchant: Merchant): Promise<History> {
    const { calls, payments, ...rest } = await this.race.historyOf(this.recorders[merchant], merchant);
    const named = <T extends { key: string }>(one: T): T => ({ ...one, key: `${merchant} ${one.key}` });
    return {
      ...rest,
      calls: calls.map(named),
      payments: payments.map((payment) => ({
        ...payment,
        operations: payment.operations.map(named),
        refunds: payment.refunds.map((one) => ({ ...one, key: one.key && `${merchant} ${one.key}` })),
      })),
    };
  }
}

/** Sends a key until its answer is definite, as a client does. @param send is told how often it was sent before */
export async function settle(send: (again: number) => Promise<Call>): Promise<Call> {
  const end = performance.now() + DEFINITE_WITHIN;
  for (let again = 0; ; again += 1) {
    const call = await send(again);
    if (isDefinite(call)) return call;
    if (performance.now() > end)
      throw new Error(
        `${call.key} has no definite answer within ${DEFINITE_WITHIN} ms: ${JSON.stringify(call.answer)}`,
      );
    await pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** again));
  }
}

function isDefinite({ answer }: Call): boolean {
  if (answer?.kind === "refused") return answer.reason !== "OPERATION_IN_PROGRESS";
  return answer?.kind === "operation" && (answer.result !== null || answer.state === "PARKED");
}

/** Lets time pass. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Recovery gives up after a number of steps: more of them in a second would run out within a storm (milliseconds). */
const HASTEN_EVERY = 1_000;

/** While something goes on, next steps that wait for their time are due at once. Leases and absence take theirs. */
async function hastened<T>(database: Pool, goesOn: Promise<T>): Promise<T> {
  return meanwhile(goesOn, HASTEN_EVERY, async () => {
    await database
      .query("update unfinished_operations set due_at = now() where lease_token is null and due_at > now()")
      .catch(() => undefined); // The database may be away.
  });
}

/** Acts every so many milliseconds for as long as something goes on. */
export async function meanwhile<T>(
  goesOn: Promise<T>,
  everyMs: number,
  act: () => Promise<void>,
): Promise<T> {
  let isOver = false;
  const over = () => (isOver = true);
  goesOn.then(over, over);
  while (!isOver) {
    await act();
    await Promise.race([goesOn.catch(() => undefined), pause(everyMs)]);
  }
  return goesOn;
}
