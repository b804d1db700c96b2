import type { Send } from "../../src/client/flight";
import { createIntents, type IntentsOptions } from "../../src/client/intents";
import { EarlierIntentError, RefusedError } from "../../src/client/problems";

/** What a gateway may say, as a plain client returns it. */
const ended = (state: string, status = "CAPTURED") => ({
  data: { createPayment: { replayed: false, payment: { id: "pay_1", status }, operation: { state } } },
});
const running = ended("IN_DOUBT", "IN_DOUBT");
const error = (code: string, more: object = {}, path: (string | number)[] = ["createPayment"]) => ({
  data: null,
  errors: [{ message: code, path, extensions: { code, retryable: false, ...more } }],
});
const UNAVAILABLE = error("UNAVAILABLE", { retryable: true });
const NETWORK = new TypeError("Failed to fetch");

const ORDER = { kind: "create", about: "order-7" } as const;
const INPUT = { amount: { amount: "10.50", currency: "BRL" }, method: { card: { token: "pm_card_visa" } } };
const OTHER = { ...INPUT, amount: { amount: "99.00", currency: "BRL" } };

/** A storage that counts as `localStorage` does. */
function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** The locks of one browser: a turn for each name. */
function locks(): NonNullable<IntentsOptions["locks"]> {
  const last = new Map<string, Promise<unknown>>();
  return {
    request: (name, _options, work) => {
      const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
      last.set(name, turn);
      return turn;
    },
  };
}

const QUICK = { firstMs: 1, mostMs: 2, withinMs: 60, replyMs: 40, settleMs: 1 };

/** A browser whose gateway answers by this script, its last line for ever; with what it was sent. */
function browser(...script: unknown[]) {
  const kept = storage();
  const turns = locks();
  const keys: string[] = [];
  const before: (string | undefined)[] = [];
  const send: Send<unknown> = async ({ key }) => {
    before.push(kept.kept.get("umavez:create:order-7"));
    keys.push(key);
    const line = script.length > 1 ? script.shift() : script[0];
    if (line instanceof Error) throw line;
    return line;
  };
  const open = (options: IntentsOptions = {}) =>
    createIntents({ storage: kept, locks: turns, waits: QUICK, ...options });
  return { kept, keys, before, send, open, script };
}

describe("one key until the outcome is known", () => {
  test("the attempt is written before the request leaves", async () => {
    const { open, send, before, keys } = browser(ended("SUCCEEDED"));
    const outcome = await open().perform(ORDER, INPUT, send);
    expect(outcome).toMatchObject({ state: "SUCCEEDED", key: keys[0] });
    expect(JSON.parse(before[0] as string)).toMatchObject({ key: keys[0], state: "unknown" });
  });

  const KEEPS: [string, unknown][] = [
    ["a network error", NETWORK],
    ["UNAVAILABLE", UNAVAILABLE],
    ["INTERNAL_SERVER_ERROR", error("INTERNAL_SERVER_ERROR", { retryable: true })],
    ["a body that is not GraphQL's", "<html>502 Bad Gateway</html>"],
    ["an empty body", {}],
    [
      "an error of a router before the gateway",
      { errors: [{ message: "x", extensions: { code: "TIMEOUT" } }] },
    ],
    [
      "urql's network error",
      // `operation` is urql's own here.
      {
        operation: { key: 1 },
        data: undefined,
        error: Object.assign(new Error(), { graphQLErrors: [], networkError: NETWORK }),
      },
    ],
    ["IN_DOUBT", running],
    ["PROCESSING", ended("PROCESSING", "PROCESSING")],
    ["AWAITING_PROVIDER", ended("AWAITING_PROVIDER", "PROCESSING")],
    ["PARKED", ended("PARKED", "CONFLICTED")],
    ["a refusal of a field below", error("FORBIDDEN", {}, ["createPayment", "payment", "order"])],
  ];
  test.each(KEEPS)("%s: the key is kept, over a reload too", async (_, line) => {
    const { open, send, keys, script } = browser(line);
    expect(await open().perform(ORDER, INPUT, send)).toMatchObject({ state: "UNKNOWN" });
    expect(open().find(ORDER)).toMatchObject({ state: "unknown", key: keys[0] });
    script.splice(0, 1, ended("SUCCEEDED"));
    expect(await open().perform(ORDER, INPUT, send)).toMatchObject({ state: "SUCCEEDED", key: keys[0] });
    expect(new Set(keys).size).toBe(1);
  });

  test("no answer at all: the next try leaves by itself, with the same key", async () => {
    const { open, keys } = browser();
    const never = ({ key }: { key: string }) => {
      keys.push(key);
      return keys.length === 1 ? new Promise(() => undefined) : Promise.resolve(ended("SUCCEEDED"));
    };
    const intents = open({ waits: { ...QUICK, replyMs: 5, withinMs: 5_000 } });
    expect(await intents.perform(ORDER, INPUT, never)).toMatchObject({ state: "SUCCEEDED" });
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("a crowd of clicks is one request; another content meanwhile is refused", async () => {
    const { open, send, keys } = browser(ended("SUCCEEDED"));
    const intents = open();
    const clicks = Array.from({ length: 20 }, () => intents.perform(ORDER, INPUT, send));
    await expect(intents.perform(ORDER, OTHER, send)).rejects.toBeInstanceOf(EarlierIntentError);
    expect(new Set(await Promise.all(clicks)).size).toBe(1);
    expect(keys).toHaveLength(1);
  });

  test.each([true, false])("tabs take turns, or agree without locks (%s)", async (locked) => {
    const { open, send, keys } = browser(ended("SUCCEEDED"));
    const tabs = Array.from({ length: 5 }, () => open(locked ? {} : { locks: null }));
    await Promise.all(tabs.map((tab) => tab.perform(ORDER, INPUT, send)));
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
  });

  test("tabs that have both written, before either could see it, send the later one's key", async () => {
    const { send, keys } = browser(ended("SUCCEEDED"));
    const views = [storage(), storage()];
    // As browsers do it: at once for the tab itself, a moment later for the others, in one order for all.
    const tabs = views.map((view) => ({
      ...view,
      setItem: (name: string, text: string) => {
        view.setItem(name, text);
        setTimeout(() => views.forEach((each) => each.setItem(name, text)), 5);
      },
    }));
    const waits = { ...QUICK, settleMs: 50 };
    const opened = tabs.map((tab) => createIntents({ storage: tab, locks: null, waits }));
    await Promise.all(opened.map((intents) => intents.perform(ORDER, INPUT, send)));
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("notes may change from one try to the next; the order of members never matters", async () => {
    const { open, send, keys } = browser(NETWORK);
    await open().perform(ORDER, { ...INPUT, metadata: { at: "1" }, description: "a" }, send);
    const { amount } = INPUT;
    const method = { card: { providerAccountId: null, ...INPUT.method.card } };
    const again = {
      method,
      metadata: { at: "2" },
      order: null,
      amount: { currency: "BRL", amount: amount.amount },
    };
    await open().perform(ORDER, again, send);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("a new key", () => {
  test.each([
    ["a decline", ended("FAILED", "FAILED")],
    ["a payment that ran out", ended("SUCCEEDED", "EXPIRED")],
  ])("after %s", async (_, line) => {
    const { open, send, keys } = browser(line, ended("SUCCEEDED"));
    await open().perform(ORDER, INPUT, send);
    expect(await open().perform(ORDER, INPUT, send)).toMatchObject({ state: "SUCCEEDED", key: keys[1] });
    expect(keys[1]).not.toBe(keys[0]);
  });

  test("after a success only when it is asked for: other content is refused", async () => {
    const { open, send, keys } = browser(ended("SUCCEEDED"));
    const intents = open();
    await intents.perform(ORDER, INPUT, send);
    await intents.perform(ORDER, INPUT, send);
    expect(keys[1]).toBe(keys[0]);
    const earlier = { earlier: { state: "succeeded", key: keys[0] } };
    await expect(intents.perform(ORDER, OTHER, send)).rejects.toMatchObject(earlier);
    intents.forget(ORDER);
    await intents.perform(ORDER, OTHER, send);
    expect(keys).toHaveLength(3);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("after a success that the gateway says was called off since: for other content", async () => {
    const { open, send, keys } = browser(ended("SUCCEEDED"));
    const ask = (status: string) => async () => ({
      data: { operation: { state: "SUCCEEDED", payment: { status } } },
    });
    await open().perform(ORDER, INPUT, send);
    const still = open({ ask: ask("REQUIRES_ACTION") }).perform(ORDER, OTHER, send);
    await expect(still).rejects.toBeInstanceOf(EarlierIntentError);
    await open({ ask: ask("CANCELED") }).perform(ORDER, OTHER, send);
    expect(keys[1]).not.toBe(keys[0]);
  });

  test("never because an answer to a repeat of what succeeded is missing", async () => {
    const { open, send, keys } = browser(ended("SUCCEEDED"), NETWORK);
    await open().perform(ORDER, INPUT, send);
    expect(await open().perform(ORDER, INPUT, send)).toMatchObject({ state: "UNKNOWN" });
    expect(open().find(ORDER)).toMatchObject({ state: "succeeded", key: keys[0] });
  });

  test("has 128 random bits, without crypto.randomUUID too", async () => {
    const { open, send, keys } = browser(ended("FAILED", "FAILED"));
    for (let i = 0; i < 50; i += 1) await open().perform(ORDER, INPUT, send);
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("a refusal", () => {
  test.each(["BAD_USER_INPUT", "UNAUTHENTICATED", "FORBIDDEN", "NOT_FOUND", "INVALID_STATE"])(
    "%s is thrown at once; its key is unused, and is taken by the next content",
    async (code) => {
      const { open, send, keys } = browser(error(code), ended("SUCCEEDED"));
      const refused = open().perform(ORDER, INPUT, send);
      await expect(refused).rejects.toMatchObject({ name: "RefusedError", code });
      expect(open().find(ORDER)).toMatchObject({ state: "unclaimed" });
      expect(await open().perform(ORDER, OTHER, send)).toMatchObject({ state: "SUCCEEDED" });
      expect(keys).toEqual([keys[0], keys[0]]);
    },
  );

  test("after a lost answer says nothing of what was lost: other content still waits", async () => {
    const { open, send } = browser(NETWORK, error("UNAUTHENTICATED"));
    await expect(open().perform(ORDER, INPUT, send)).rejects.toBeInstanceOf(RefusedError);
    expect(open().find(ORDER)).toMatchObject({ state: "unknown" });
    await expect(open().perform(ORDER, OTHER, send)).rejects.toBeInstanceOf(EarlierIntentError);
  });

  test("that may be tried again is, with its key, and no sooner than the gateway asks", async () => {
    const busy = error("CONFLICT", { reason: "OPERATION_IN_PROGRESS", retryable: true, retryAfterMs: 30 });
    const { open, send, keys } = browser(
      busy,
      error("RATE_LIMITED", { retryable: true }),
      ended("SUCCEEDED"),
    );
    const begun = performance.now();
    expect(await open().perform(ORDER, INPUT, send)).toMatchObject({ state: "SUCCEEDED" });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(29);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  });

  test.each([
    ["urql", async () => ({ data: null, error: { graphQLErrors: error("FORBIDDEN").errors } })],
    ["Apollo", async () => Promise.reject(Object.assign(new Error(), error("FORBIDDEN")))],
    [
      "graphql-request",
      async () => Promise.reject(Object.assign(new Error(), { response: error("FORBIDDEN") })),
    ],
  ])("is known as %s tells it", async (_, send) => {
    await expect(browser().open().perform(ORDER, INPUT, send)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("other content while the outcome is unknown", () => {
  const asked = (operation: object | null) => async () => ({ data: { operation } });

  test("is refused, until the gateway was asked", async () => {
    const { open, send, script, keys } = browser(NETWORK);
    await open().perform(ORDER, INPUT, send);
    await expect(open().perform(ORDER, OTHER, send)).rejects.toMatchObject({ earlier: { key: keys[0] } });
    expect(() => open().forget(ORDER)).toThrow(EarlierIntentError);
    script.splice(0, 1, ended("SUCCEEDED"));
    expect(await open().resolve(ORDER, asked({ state: "IN_DOUBT" }))).toMatchObject({ state: "unknown" });
    await expect(open().perform(ORDER, OTHER, send)).rejects.toBeInstanceOf(EarlierIntentError);
    expect(await open().resolve(ORDER, asked({ state: "FAILED" }))).toMatchObject({ state: "failed" });
    await open().perform(ORDER, OTHER, send);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  test("a null never licenses a new key: the other content goes under the same one", async () => {
    const { open, send, script, keys } = browser(NETWORK);
    await open().perform(ORDER, INPUT, send);
    script.splice(0, 1, ended("SUCCEEDED"));
    await open({ ask: asked(null) }).perform(ORDER, OTHER, send);
    expect(new Set(keys).size).toBe(1);
  });

  test("where the first content has come first after all, nothing is known of it until it is asked for", async () => {
    const { open, send, script, keys } = browser(NETWORK);
    await open().perform(ORDER, INPUT, send);
    script.splice(0, 1, error("CONFLICT", { reason: "IDEMPOTENCY_KEY_REUSED" }));
    await expect(open({ ask: asked(null) }).perform(ORDER, OTHER, send)).rejects.toMatchObject({
      code: "CONFLICT",
    });
    for (const content of [INPUT, OTHER])
      await expect(open().perform(ORDER, content, send)).rejects.toBeInstanceOf(EarlierIntentError);
    expect(await open().resolve(ORDER, asked({ state: "SUCCEEDED" }))).toMatchObject({ state: "succeeded" });
    expect(new Set(keys).size).toBe(1);
  });
});

describe("waiting", () => {
  test("ends with the caller's signal; what has left stays unknown", async () => {
    const { open, keys } = browser();
    const controller = new AbortController();
    const send: Send<never> = ({ key, signal }) => {
      keys.push(key);
      controller.abort(new Error("the payer left"));
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      );
    };
    const left = open().perform(ORDER, INPUT, send, { signal: controller.signal });
    await expect(left).rejects.toThrow("the payer left");
    expect(open().find(ORDER)).toMatchObject({ state: "unknown", key: keys[0] });
  });

  test("goes on for the others where one of them leaves", async () => {
    const { open, keys } = browser();
    const controller = new AbortController();
    let answer = (_: unknown) => undefined as void;
    const send = ({ key }: { key: string }) => {
      keys.push(key);
      return new Promise((resolve) => (answer = resolve));
    };
    const intents = open({ waits: { ...QUICK, replyMs: 5_000, withinMs: 5_000 } });
    const first = intents.perform(ORDER, INPUT, send, { signal: controller.signal });
    const second = intents.perform(ORDER, INPUT, send);
    controller.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    const third = intents.perform(ORDER, INPUT, send);
    answer(ended("SUCCEEDED"));
    expect(await second).toMatchObject({ state: "SUCCEEDED" });
    expect(await third).toBe(await second);
    expect(keys).toHaveLength(1);
  });
});

describe("a storage that refuses", () => {
  const blocked = {
    getItem: () => {
      throw new Error("SecurityError");
    },
    setItem: () => {
      throw new Error("SecurityError");
    },
    removeItem: () => {
      throw new Error("SecurityError");
    },
  };

  test.each([
    ["blocked", blocked],
    ["absent", null],
    ["full at once", { ...storage(), setItem: blocked.setItem }],
    ["full later", { ...storage(), setItem: (name: string) => name === "umavez:probe" || blocked.setItem() }],
  ])("%s: memory, and durable: false", async (_, place) => {
    const { open, send, keys } = browser(NETWORK);
    const intents = open({ storage: place });
    await intents.perform(ORDER, INPUT, send);
    await intents.perform(ORDER, INPUT, send);
    expect(intents.durable).toBe(false);
    expect(new Set(keys).size).toBe(1);
    await expect(intents.perform(ORDER, OTHER, send)).rejects.toBeInstanceOf(EarlierIntentError);
    expect(open().durable).toBe(true);
  });
});

test("a mutation that does not ask for the operation's state is a mistake that is told, and keeps its key", async () => {
  const { open, send } = browser({ data: { createPayment: { payment: { id: "pay_1" } } } });
  await expect(open().perform(ORDER, INPUT, send)).rejects.toThrow(/select `operation \{ state \}`/);
  expect(open().find(ORDER)).toMatchObject({ state: "unknown" });
});
