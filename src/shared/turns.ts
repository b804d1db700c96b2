/**
 * Lets the work on one thing queue inside this process. Transactions on one payment would otherwise abort each other at
 * SERIALIZABLE and be tried again; other processes still meet at the row's lock.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all that came before it under the same name has ended. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(name, mine);
    const leave = () => {
      if (this.last.get(name) === mine) this.last.delete(name);
    };
    mine.then(leave, leave);
    return mine;
  }
}
