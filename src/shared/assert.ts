/** Ends a switch over a closed union: the compiler refuses a forgotten case, and a foreign value at run time is a bug. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${String(value)}`);
}

/** States what must be true here. A failure is a bug of ours, never the caller's fault nor a provider's answer. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
