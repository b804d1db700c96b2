import { encodeId } from "../../../src/shared/ids";
import { Recorder } from "../../support/recorder";
import type { Call, History, Intent, Violation } from "./checker/history";
import { check } from "./checker/invariants";
import type { Lane } from "./lane";
import { passTime } from "./pass-time";
import type { Job } from "./subject";

/** Longer than the lease and the provider's window in which absence proves nothing (seconds). */
const LONG_ENOUGH = 60;
/** A client that has no answer after so many repeats would never have one. */
const REPEATS_AT_MOST = 60;

/** One crash point's own payment, its client, and all that is known of them. */
export class Trial {
  readonly recorder: Recorder;
  private nth = 0;

  private constructor(
    readonly lane: Lane,
    readonly name: string,
  ) {
    const { healthy, sandboxUrl, credentials } = lane;
    this.recorder = new Recorder({ url: healthy.url, apiKey: credentials.keys.payments, sandboxUrl });
  }

  static async begin(lane: Lane, name: string): Promise<Trial> {
    const trial = new Trial(lane, name);
    lane.postman.throwAway();
    await trial.recorder.begin();
    return trial;
  }

  /** A key of this trial's alone. */
  newKey(): string {
    this.nth += 1;
    return `${this.name}-${this.nth}`;
  }

  /**
   * Sends a key to the healthy gateway until its answer is definite, as a client does that has lost it, while the
   * worker does its work and time passes.
   * @throws where it never is
   */
  async definite(key: string, intent: Intent, input?: Record<string, unknown>): Promise<Call> {
    for (let sent = 0; sent < REPEATS_AT_MOST; sent += 1) {
      const call = await this.recorder.call(key, intent, input);
      const { answer } = call;
      if (answer?.kind === "refused" && answer.reason !== "OPERATION_IN_PROGRESS") return call;
      if (answer?.kind === "operation" && answer.result !== null) return call;
      await this.work("recovery");
    }
    throw new Error(`${key} is not definite after ${REPEATS_AT_MOST} repeats`);
  }

  /** A payment that is made before anything goes wrong. @returns its id */
  async payment(
    input: Record<string, unknown>,
    intent: Extract<Intent, { kind: "create" }>,
  ): Promise<string> {
    const { answer } = await this.definite(this.newKey(), intent, input);
    if (answer?.kind !== "operation") throw new Error(`not made: ${JSON.stringify(answer)}`);
    return answer.payment.id;
  }

  /** Lets time pass: what waits for it is due. */
  pass(): Promise<void> {
    return passTime(this.lane.database, LONG_ENOUGH);
  }

  /** Lets time pass, and the healthy gateway do these jobs once. @returns how much they did */
  async work(...jobs: Job[]): Promise<number> {
    await this.pass();
    return this.lane.healthy.run(...jobs);
  }

  /** Lets the healthy gateway do these jobs until there is nothing more to do. */
  async untilQuiet(...jobs: Job[]): Promise<void> {
    for (let turn = 0; turn < REPEATS_AT_MOST; turn += 1) if ((await this.work(...jobs)) === 0) return;
    throw new Error(`${jobs.join(", ")}: there is always something more to do`);
  }

  /** Every payment that the gateway has of this trial, with the whole of the provider's books since its beginning. */
  async history(): Promise<History> {
    const { rows } = await this.lane.database.query<{ id: string }>(
      "select id from payments where idempotency_key like $1 order by id",
      [`${this.name}-%`],
    );
    return this.recorder.history(rows.map(({ id }) => encodeId("pay", id)));
  }

  async violations(): Promise<Violation[]> {
    return check(await this.history());
  }
}
