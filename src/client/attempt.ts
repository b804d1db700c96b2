/** What a key can name. */
export type Kind = "create" | "capture" | "cancel" | "refund";

/** What an intent is about. In one scope there is one intent at a time. */
export interface Scope {
  kind: Kind;
  /** The order, for a create; else the payment. For one of several refunds add a number of your own. */
  about: string;
}

/** What this browser knows of one key. It is written before the first request with it leaves. */
export interface Attempt {
  /** The idempotency key. */
  key: string;
  /** What was sent under it; null where the key is held by content that is not known here. */
  print: string | null;
  /**
   * `unknown`: a request left, and what came of it is not known: only the same key may follow.
   * `unclaimed`: the gateway said that nothing has started under this key: it is sent again, with any content.
   * `succeeded`, `failed`: how the operation ended.
   */
  state: "unknown" | "unclaimed" | "succeeded" | "failed";
  /** When it was written: milliseconds since 1970. */
  at: number;
}

/** Where attempts are kept: `localStorage`, or what has its methods. They may throw. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** The attempts of one name space. */
export interface Attempts {
  /** False where an attempt would not outlive this page: its storage is blocked or full. */
  readonly durable: boolean;
  read(name: string): Attempt | null;
  write(name: string, attempt: Omit<Attempt, "at">): void;
  remove(name: string): void;
}

/** Keeps attempts in a storage; in memory where there is none, or where it refuses. */
export function openAttempts(storage: TextStorage | null): Attempts {
  const memory = new Map<string, Attempt>();
  let durable = isWritable(storage);
  return {
    get durable() {
      return durable;
    },
    read: (name) => memory.get(name) ?? readStored(storage, name),
    write: (name, known) => {
      const attempt = { ...known, at: Date.now() };
      try {
        (storage as TextStorage).setItem(name, JSON.stringify(attempt));
        memory.delete(name);
      } catch {
        durable = false;
        memory.set(name, attempt);
      }
    },
    remove: (name) => {
      memory.delete(name);
      try {
        storage?.removeItem(name);
      } catch {
        durable = false;
      }
    },
  };
}

/** The browser's own storage; null where there is none. To ask for one that is blocked throws. */
export function browserStorage(): TextStorage | null {
  try {
    return (globalThis as { localStorage?: TextStorage }).localStorage ?? null;
  } catch {
    return null;
  }
}

const PROBE = "umavez:probe";

function isWritable(storage: TextStorage | null): boolean {
  try {
    storage?.setItem(PROBE, "1");
    storage?.removeItem(PROBE);
    return storage !== null;
  } catch {
    return false;
  }
}

const STATES = ["unknown", "unclaimed", "succeeded", "failed"];

function readStored(storage: TextStorage | null, name: string): Attempt | null {
  try {
    const attempt = JSON.parse(storage?.getItem(name) ?? "null") as Attempt | null;
    return attempt && typeof attempt.key === "string" && STATES.includes(attempt.state) ? attempt : null;
  } catch {
    return null;
  }
}

/** 128 random bits in hex. `crypto.randomUUID` is missing on plain http; this is there everywhere. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
