import type { Violation } from "../checker/history";
import type { Lane } from "../lane";
import type { SubjectProcess } from "../subject-process";
import type { Trial } from "../trial";

/**
 * Something that the gateway does, to be cut at each of its messages. A new one is `begin` with what has to be so
 * before, and the act itself.
 */
export interface Scenario {
  name: string;
  /** Makes what has to be so before, through a gateway to which nothing happens. */
  begin(trial: Trial, lane: Lane): Promise<Play>;
}

/** One run of a scenario. */
export interface Play {
  /** What is done through the gateway that may die: never rejects because of that. */
  act(victim: SubjectProcess): Promise<void>;
  /** What clients and workers do afterwards, until everything is definite. */
  settle(): Promise<void>;
  /** What must be so then, where the checker alone does not see it. */
  violations?(): Promise<Violation[]>;
}
