import { card, ledgerOf, setFaults, until } from "../../../support/client";
import { openHouse, QUICK } from "../../../support/gateway";
import { allPaymentIds, Recorder } from "../../../support/recorder";
import type { Call, Intent } from "../checker/history";
import type { Storm } from "./storm";

/** Milliseconds in which a key must have a definite answer. */
const DEFINITE_WITHIN = 60_000;

/** Sends a key until its answer is definite, as a client does. */
function settle(recorder: Recorder, key: string, intent: Intent, input = {}): Promise<Call> {
  return until(
    () => recorder.call(key, intent, input),
    ({ answer }) =>
      answer?.kind === "refused" ||
      (answer?.kind === "operation" && (answer.result !== null || answer.state === "PARKED")),
    DEFINITE_WITHIN,
  );
}

/** Half of the provider's replies are lost while payments are created, captured, refunded and canceled. */
export const LOST_REPLIES: Storm = {
  name: "half of the replies lost",
  seconds: 30,
  short: true,
  run: async ({ note, short }) => {
    const house = await openHouse(QUICK);
    try {
      const { url, sandboxUrl } = house;
      const at = { url, sandboxUrl, apiKey: house.credentials.keys.payments };
      const recorder = new Recorder(at);
      await setFaults(sandboxUrl, { replyLost: 0.5 });
      const live = async (nth: number) => {
        const create: Intent = { kind: "create", minor: 10_000, captureMode: "MANUAL" };
        const made = await settle(recorder, `c${nth}`, create, card("100", { captureMode: "MANUAL" }));
        if (made.answer?.kind !== "operation") return;
        const paymentId = made.answer.payment.id;
        if (nth % 3 === 0) return void (await settle(recorder, `x${nth}`, { kind: "cancel", paymentId }));
        await settle(recorder, `t${nth}`, { kind: "capture", paymentId, minor: 7_000, final: true });
        await settle(recorder, `r${nth}`, { kind: "refund", paymentId, minor: 2_000 });
      };
      await Promise.all(Array.from({ length: short ? 10 : 40 }, (_, nth) => live(nth)));
      const doubted = recorder.calls.filter(
        ({ answer }) => answer?.kind === "operation" && answer.result === null,
      ).length;
      note(`${doubted} answers were in doubt, ${(await ledgerOf(sandboxUrl)).charges.length} charges`);
      if (doubted === 0) throw new Error("no reply was lost: there was no storm");
      const history = await recorder.history(await allPaymentIds(at));
      // All of the books, so that a charge of no payment is seen.
      return { ...history, ledger: await ledgerOf(sandboxUrl) };
    } finally {
      await house.close();
    }
  },
};
