import { useCallback, useEffect, useRef, useState } from "react";
import type { Scope } from "./attempt.ts";
import type { Outcome, Send } from "./flight.ts";
import type { CallOptions, Intents } from "./intents.ts";

/** What a component shows of one intent. */
export interface IntentView<R> {
  /**
   * `idle`: nothing was sent; `sending`: wait, and show no second button; `succeeded`, `failed`: it has ended;
   * `unknown`: send the same again, by `perform`; `refused`: see `error`.
   */
  status: "idle" | "sending" | "succeeded" | "failed" | "unknown" | "refused";
  /** What came of the last call. */
  outcome: Outcome<R> | null;
  /** What the last call threw. */
  error: unknown;
  /** Sends it, as `Intents.perform` does. Rejects never: see `error`. */
  perform(input: object, send: Send<R>, options?: CallOptions): Promise<void>;
}

/**
 * Follows one intent in a component. After a reload it begins as this browser knows it. A component that goes away does not
 * call the intent off: it goes on, and is remembered.
 */
export function useIntent<R>(intents: Intents, { kind, about }: Scope): IntentView<R> {
  const [view, setView] = useState<Omit<IntentView<R>, "perform">>(NOTHING);
  const shown = useRef(0);
  useEffect(() => {
    shown.current += 1;
    const state = intents.find({ kind, about })?.state ?? "idle";
    setView({ ...NOTHING, status: state === "unclaimed" ? "idle" : state });
    return () => void (shown.current += 1);
  }, [intents, kind, about]);
  const perform = useCallback(
    async (input: object, send: Send<R>, options?: CallOptions) => {
      // What belongs to another scope, or to a call before this one, is not shown.
      const call = (shown.current += 1);
      const show = (next: Omit<IntentView<R>, "perform">) => void (call === shown.current && setView(next));
      show({ ...NOTHING, status: "sending" });
      try {
        const outcome = await intents.perform({ kind, about }, input, send, options);
        show({ status: STATUS[outcome.state], outcome, error: null });
      } catch (error) {
        const isUnknown = intents.find({ kind, about })?.state === "unknown";
        show({ status: isUnknown ? "unknown" : "refused", outcome: null, error });
      }
    },
    [intents, kind, about],
  );
  return { ...view, perform };
}

const NOTHING = { status: "idle", outcome: null, error: null } as const;
const STATUS = { SUCCEEDED: "succeeded", FAILED: "failed", UNKNOWN: "unknown" } as const;
