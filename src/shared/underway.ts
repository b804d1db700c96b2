/** Work that goes on after its caller has been answered. A stopping process waits for it. */
export class Underway {
  private readonly work = new Set<Promise<unknown>>();

  /** Keeps `promise` until it settles, and returns it. */
  add<T>(promise: Promise<T>): Promise<T> {
    this.work.add(promise);
    const forget = () => this.work.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  /** How much goes on now. */
  get size(): number {
    return this.work.size;
  }

  /** Resolves once nothing goes on, or after `timeoutMs`. */
  async settled(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([late, Promise.allSettled([...this.work])]);
    clearTimeout(timer);
  }
}
