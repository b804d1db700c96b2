import { card } from "../../../support/client";
import type { Intent } from "../checker/history";
import type { Trial } from "../trial";
import type { Play, Scenario } from "./scenario";

type Create = Extract<Intent, { kind: "create" }>;

/** A card payment of 100, captured at once. */
export const CAPTURED: Create = { kind: "create", minor: 10_000, captureMode: "AUTOMATIC" };
/** The same, authorized. */
export const AUTHORIZED: Create = { kind: "create", minor: 10_000, captureMode: "MANUAL" };

/** The input that says what a create wants. */
export const inputOf = ({ captureMode }: Create, token?: string) => card("100.00", { captureMode }, token);

/** A call whose client repeats its key until it knows. */
function playOf(trial: Trial, intent: Intent, input?: Record<string, unknown>): Play {
  const key = trial.newKey();
  return {
    act: async ({ url }) => void (await trial.recorder.call(key, intent, input, url)),
    settle: async () => {
      await trial.definite(key, intent, input);
      // Whoever lost the answer and whoever repeats out of habit get the same.
      await trial.recorder.call(key, intent, input);
    },
  };
}

export const MUTATIONS: readonly Scenario[] = [
  { name: "create", begin: async (trial) => playOf(trial, CAPTURED, inputOf(CAPTURED)) },
  {
    name: "capture",
    begin: async (trial) => {
      const paymentId = await trial.payment(inputOf(AUTHORIZED), AUTHORIZED);
      return playOf(trial, { kind: "capture", paymentId, minor: 6_000, final: true });
    },
  },
  {
    name: "cancel",
    begin: async (trial) => {
      const paymentId = await trial.payment(inputOf(AUTHORIZED), AUTHORIZED);
      return playOf(trial, { kind: "cancel", paymentId });
    },
  },
  {
    name: "refund",
    begin: async (trial) => {
      const paymentId = await trial.payment(inputOf(CAPTURED), CAPTURED);
      return playOf(trial, { kind: "refund", paymentId, minor: 4_000 });
    },
  },
];
