import type { Books, Change } from "./books";
import type { Fault } from "./cards";
import type { Form } from "./form";
import type { Answer } from "./wire";

/** What a request that was understood does: nothing has been done yet. */
export interface Deed {
  /** The fault of the card's token, which acts on the first call of a provider key. */
  fault?: Fault;
  /** Does it in memory. */
  execute(fault: Fault | undefined): Change;
  /** What its caller is told, once it is done. */
  answer(): Answer;
}

/** Reads a request: a deed, or why it cannot be done as things stand. */
export type ReadDeed = (books: Books, account: string, given: { id: string; form: Form }) => Deed | Answer;
