import { encodeId } from "../../../../src/shared/ids";
import { payAtSandbox } from "../../../support/client";
import type { Violation } from "../checker/history";
import type { Trial } from "../trial";
import { CAPTURED, inputOf } from "./mutations";
import type { Scenario } from "./scenario";

/** A create whose answer was lost is found, or was never taken and is sent again. */
function recovery(name: string, token: string): Scenario {
  return {
    name,
    begin: async (trial) => {
      const [key, input] = [trial.newKey(), inputOf(CAPTURED, token)];
      await trial.recorder.call(key, CAPTURED, input);
      await trial.pass();
      return {
        act: ({ run }) => died(run("recovery")),
        settle: async () => void (await trial.definite(key, CAPTURED, input)),
      };
    },
  };
}

/** What a job did is seen later, by what it left: that it died is no fault of its. */
async function died(run: Promise<number>): Promise<void> {
  await run.catch(() => undefined);
}

const webhookIn: Scenario = {
  name: "webhook in",
  begin: async (trial, { postman, sandboxUrl }) => {
    const input = {
      amount: { amount: "100.00", currency: "BRL" },
      method: { pix: { expiresInSeconds: 900 } },
      payer: { email: "never_pay@example.com" },
    };
    const paymentId = await trial.payment(input, CAPTURED);
    postman.throwAway();
    const { payments } = await trial.history();
    const intent = payments.find(({ id }) => id === paymentId)?.providerReference ?? "";
    await trial.recorder.deed({ paymentIntent: intent, kind: "pay", minor: 0 }, async () => {
      return (await payAtSandbox(sandboxUrl, intent, "complete")) === 200;
    });
    await postman.holds(1);
    return {
      act: async ({ url, run }) => {
        await postman.deliver(url);
        await died(run("webhooks"));
      },
      settle: async () => {
        // The provider sends again what was not taken, and nobody polls: what was taken must be there.
        await postman.deliver(trial.lane.healthy.url);
        await trial.untilQuiet("webhooks");
      },
    };
  },
};

const relayAndConsumers: Scenario = {
  name: "relay and consumers",
  begin: async (trial) => {
    // What others have left would be relayed, too.
    await trial.untilQuiet("relay", "effects");
    await trial.payment(inputOf(CAPTURED), CAPTURED);
    await trial.pass();
    return {
      act: ({ run }) => died(run("relay", "effects")),
      settle: () => trial.untilQuiet("relay", "effects"),
      violations: async () => [...(await trial.violations()), ...(await effectsOf(trial))],
    };
  },
};

/** Each event has one position, one database effect, and outside effects under one key. */
async function effectsOf({ lane, name }: Trial): Promise<Violation[]> {
  const { rows } = await lane.database.query<{ id: string; places: number; stock: number; done: number }>(
    `select e.id,
       (select count(*)::int from feed_entries as f where f.event_id = e.id) as places,
       (select count(*)::int from proof_effects as s where s.event_id = e.id) as stock,
       (select count(*)::int from effects as d where d.event_id = e.id and d.state = 'DONE') as done
     from payment_events as e join payments as p on p.id = e.payment_id where p.idempotency_key like $1`,
    [`${name}-%`],
  );
  const broken = rows.filter(({ places, stock, done }) => places !== 1 || stock !== 1 || done !== 2);
  const unsent = rows.filter(({ id }) => !lane.mail.includes(`mail:${encodeId("evt", id)}`));
  return [...broken, ...unsent].map((row) => ({
    invariant: "no event without a change, no change without its event",
    detail: `an event's positions, effects and keys: ${JSON.stringify(row)}`,
  }));
}

const erasure: Scenario = {
  name: "erasure",
  begin: async (trial) => {
    const [key, input] = [trial.newKey(), inputOf(CAPTURED)];
    const made = await trial.definite(key, CAPTURED, input);
    await trial.lane.database.query(
      "update operations set replayable_until = now() - interval '1 s' where idempotency_key = $1",
      [key],
    );
    return {
      act: ({ run }) => died(run("erasure")),
      settle: () => trial.untilQuiet("erasure"),
      violations: async () => {
        const again = await trial.recorder.call(key, CAPTURED, input);
        const other = await trial.recorder.call(key, { ...CAPTURED, minor: 100 }, { ...input, ...ONE });
        const { ledger } = await trial.history();
        const holds =
          again.answer?.kind === "operation" &&
          made.answer?.kind === "operation" &&
          again.answer.replayed &&
          again.answer.operationId === made.answer.operationId &&
          again.answer.result === null &&
          other.answer?.kind === "refused" &&
          other.answer.reason === "IDEMPOTENCY_KEY_REUSED" &&
          ledger.charges.length === 1;
        const detail = `an erased key: ${JSON.stringify([again.answer, other.answer, ledger.charges])}`;
        return holds ? [] : [{ invariant: "one charge for each key", detail }];
      },
    };
  },
};

const ONE = { amount: { amount: "1.00", currency: "BRL" } };

export const JOBS: readonly Scenario[] = [
  webhookIn,
  relayAndConsumers,
  recovery("recovery that finds", "pm_sandbox_replyLost"),
  recovery("recovery that repeats", "pm_sandbox_dropBeforeCharge"),
  erasure,
];
