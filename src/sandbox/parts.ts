import type { Books } from "./books";
import type { Faults } from "./faults";

/** What the sandbox is made of. */
export interface Parts {
  books: Books;
  faults: Faults;
}
