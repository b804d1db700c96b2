import fc from "fast-check";
import type { Outcome } from "../../../src/providers/provider";
import { readOutcome } from "../../../src/providers/stripe/read-outcome";
import type { Reply } from "../../../src/providers/stripe/reply";
import { intent, refusedIntent, REFERENCE, SENT } from "./fixtures";

const ASKED = new Date("2026-01-02T03:04:05Z");

/** An outcome in one line: what matters of it for whoever acts on it. */
function told(outcome: Outcome): string {
  switch (outcome.kind) {
    case "happened":
      return `happened ${outcome.snapshot.state} by ${outcome.evidence}`;
    case "unknown":
      return `unknown ${outcome.cause}${outcome.seen ? ` seen ${outcome.seen.reference}` : ""}`;
    case "not_happened": {
      const { kind, code, retryAdvice } = outcome.failure;
      const where = outcome.elsewhere ? "elsewhere" : "here only";
      return `not_happened ${kind} ${code} ${retryAdvice} ${where} by ${outcome.evidence}`;
    }
  }
}

const read = (reply: Reply, first: boolean) => readOutcome(reply, SENT, { first, asked: ASKED });

const ok = (body: unknown, replayed = false): Reply => ({ kind: "object", body, replayed });
const fault = (status: number, error: unknown, replayed = false): Reply => ({
  kind: "error",
  status,
  error,
  replayed,
});
const declined = (code: string, decline_code?: string, more: object = {}) =>
  fault(402, { type: "card_error", code, decline_code, payment_intent: refusedIntent(), ...more });
const bare = (status: number, code: string, more: object = {}) =>
  fault(status, { type: "invalid_request_error", code, ...more });
const html = (status: number): Reply => ({ kind: "unreadable", status, detail: "html" });
const network = (kind: "no_connection" | "timeout" | "lost"): Reply => ({
  kind: "network",
  fault: kind,
  detail: "x",
});

const UNAVAILABLE = "not_happened PROVIDER_UNAVAILABLE provider_unavailable LATER elsewhere by";
const FOREIGN = { umavez_reference: "uvzsomebodyelse" };
const authenticate = {
  status: "requires_action",
  amount_received: 0,
  next_action: { type: "redirect_to_url", redirect_to_url: { url: "https://hooks.stripe.com/3ds" } },
};

/** A reply, what it means on a first call, and what on a later one (the same where it is left out). */
type Row = [name: string, reply: Reply, first: string, later?: string];

const intents: Row[] = [
  ["a capture", ok(intent()), "happened captured by reply"],
  ["a stored capture", ok(intent(), true), "happened captured by replayed_reply"],
  [
    "an authorization",
    ok(intent({ status: "requires_capture", amount_received: 0 })),
    "happened authorized by reply",
  ],
  ["3-D Secure", ok(intent(authenticate)), "happened requires_action by reply"],
  ["processing", ok(intent({ status: "processing", amount_received: 0 })), "happened pending by reply"],
  ["canceled", ok(intent({ status: "canceled", amount_received: 0 })), "happened canceled by reply"],
  [
    "refused in a success, with its reason",
    ok(refusedIntent({ last_payment_error: { code: "card_declined", decline_code: "lost_card" } })),
    "not_happened DECLINED lost_card NEVER here only by reply",
  ],
  [
    "refused in a success, without a reason",
    ok(refusedIntent()),
    "not_happened DECLINED other OTHER_METHOD here only by reply",
  ],
  [
    "not confirmed",
    ok(intent({ status: "requires_confirmation", amount_received: 0 })),
    "unknown unreadable_reply",
  ],
  ["a status of the future", ok(intent({ status: "constructor" })), "unknown unreadable_reply"],
  ["no metadata", ok(intent({ metadata: null })), "happened captured by reply"],
  ["currency in capitals", ok(intent({ currency: "BRL" })), "happened captured by reply"],
  ["another's reference", ok(intent({ metadata: FOREIGN })), "unknown unreadable_reply"],
  ["one unit more", ok(intent({ amount: 1051, amount_received: 1051 })), "unknown other_amount seen pi_1"],
  ["one unit more captured", ok(intent({ amount_received: 1051 })), "unknown other_amount seen pi_1"],
  ["less captured", ok(intent({ amount_received: 1 })), "unknown other_amount seen pi_1"],
  [
    "captured where only authorized",
    ok(intent({ status: "requires_capture" })),
    "unknown other_amount seen pi_1",
  ],
  [
    "a hundredfold",
    ok(intent({ amount: 105000, amount_received: 105000 })),
    "unknown other_amount seen pi_1",
  ],
  ["another currency", ok(intent({ currency: "usd" })), "unknown other_amount seen pi_1"],
  ["no currency", ok(intent({ currency: undefined })), "unknown unreadable_reply"],
  ["no amount", ok(intent({ amount: undefined })), "unknown unreadable_reply"],
  ["an amount as text", ok(intent({ amount: "1050" })), "unknown unreadable_reply"],
  ["a fraction", ok(intent({ amount: 1050.5 })), "unknown unreadable_reply"],
  ["an inexact amount", ok(intent({ amount: 2 ** 53 })), "unknown unreadable_reply"],
  ["a negative amount", ok(intent({ amount: -1050 })), "unknown unreadable_reply"],
  [
    "nothing said of what was received",
    ok(intent({ amount_received: undefined })),
    "unknown unreadable_reply",
  ],
  ["no id", ok(intent({ id: undefined })), "unknown unreadable_reply"],
  ["an empty id", ok(intent({ id: "" })), "unknown unreadable_reply"],
  ["a charge's id", ok(intent({ id: "ch_1" })), "unknown unreadable_reply"],
  ["an empty object", ok({}), "unknown unreadable_reply"],
  ["null", ok(null), "unknown unreadable_reply"],
  ["a list", ok([intent()]), "unknown unreadable_reply"],
  ["a text", ok("ok"), "unknown unreadable_reply"],
];

const here = (verdict: string, by = "reply") => `not_happened ${verdict} here only by ${by}`;
const abroad = (verdict: string) => `not_happened ${verdict} elsewhere by reply`;

const declines: Row[] = [
  ["a decline", declined("card_declined", "generic_decline"), abroad("DECLINED do_not_honour OTHER_METHOD")],
  ["do not honour", declined("card_declined", "do_not_honor"), abroad("DECLINED do_not_honour OTHER_METHOD")],
  [
    "insufficient funds",
    declined("card_declined", "insufficient_funds"),
    here("DECLINED insufficient_funds OTHER_METHOD"),
  ],
  ["lost card", declined("card_declined", "lost_card"), here("DECLINED lost_card NEVER")],
  ["stolen card", declined("card_declined", "stolen_card"), here("DECLINED stolen_card NEVER")],
  ["pick up card", declined("card_declined", "pickup_card"), here("DECLINED lost_card NEVER")],
  ["fraud", declined("card_declined", "fraudulent"), here("REJECTED_BY_RISK risk_rejected NEVER")],
  ["restricted card", declined("card_declined", "restricted_card"), here("DECLINED do_not_honour NEVER")],
  [
    "payment stopped by its holder",
    declined("card_declined", "stop_payment_order"),
    here("DECLINED do_not_honour NEVER"),
  ],
  [
    "the network's do not try again",
    declined("card_declined", "generic_decline", { advice_code: "do_not_try_again" }),
    here("DECLINED do_not_honour NEVER"),
  ],
  ["expired card", declined("expired_card"), here("DECLINED expired_card OTHER_METHOD")],
  ["wrong security code", declined("incorrect_cvc"), here("DECLINED incorrect_cvc OTHER_METHOD")],
  ["wrong number", declined("incorrect_number"), here("DECLINED invalid_card OTHER_METHOD")],
  ["processing error", declined("processing_error"), abroad("DECLINED processing_error LATER")],
  [
    "issuer away",
    declined("card_declined", "issuer_not_available"),
    abroad("DECLINED provider_unavailable LATER"),
  ],
  [
    "card limit",
    declined("card_declined", "card_velocity_exceeded"),
    here("DECLINED limit_exceeded OTHER_METHOD"),
  ],
  [
    "card of a kind",
    declined("card_declined", "card_not_supported"),
    abroad("DECLINED unsupported OTHER_METHOD"),
  ],
  [
    "authentication wanted",
    declined("authentication_required", "authentication_required"),
    here("AUTHENTICATION_FAILED authentication_failed OTHER_METHOD"),
  ],
  ["a reason of the future", declined("__proto__", "constructor"), here("DECLINED other OTHER_METHOD")],
  [
    "a stored decline",
    fault(402, { type: "card_error", code: "expired_card", payment_intent: refusedIntent() }, true),
    here("DECLINED expired_card OTHER_METHOD", "replayed_reply"),
  ],
  [
    "a decline without its intent",
    fault(402, { type: "card_error", code: "expired_card" }),
    here("DECLINED expired_card OTHER_METHOD"),
    "unknown refused_replay",
  ],
  [
    "a decline of another's intent",
    declined("card_declined", "lost_card", { payment_intent: refusedIntent({ metadata: FOREIGN }) }),
    "unknown unreadable_reply",
  ],
  [
    "a decline of another amount",
    declined("card_declined", "lost_card", { payment_intent: refusedIntent({ amount: 9 }) }),
    "unknown other_amount seen pi_1",
  ],
  [
    "a decline whose intent was captured",
    declined("card_declined", "lost_card", { payment_intent: intent() }),
    "unknown conflict seen pi_1",
  ],
  [
    "a decline whose intent goes on",
    declined("card_declined", "lost_card", {
      payment_intent: intent({ status: "processing", amount_received: 0 }),
    }),
    "unknown conflict seen pi_1",
  ],
  [
    "a decline whose intent has no sense",
    declined("card_declined", "lost_card", { payment_intent: "pi_1" }),
    "unknown unreadable_reply",
  ],
  [
    "a decline whose intent was canceled",
    declined("card_declined", "lost_card", {
      payment_intent: intent({ status: "canceled", amount_received: 0 }),
    }),
    here("DECLINED lost_card NEVER"),
  ],
];

const refusals: Row[] = [
  [
    "amount too large",
    bare(400, "amount_too_large", { param: "amount" }),
    here("INVALID limit_exceeded NEVER"),
    "unknown refused_replay",
  ],
  [
    "amount too small",
    bare(400, "amount_too_small", { param: "amount" }),
    here("INVALID limit_exceeded NEVER"),
    "unknown refused_replay",
  ],
  [
    "no such card token",
    bare(400, "resource_missing", { param: "payment_method" }),
    here("INVALID invalid_card OTHER_METHOD"),
    "unknown refused_replay",
  ],
  [
    "no such card token, as 404",
    bare(404, "resource_missing", { param: "payment_method" }),
    here("INVALID invalid_card OTHER_METHOD"),
    "unknown not_found",
  ],
  [
    "currency",
    bare(400, "", { param: "currency" }),
    here("INVALID unsupported OTHER_METHOD"),
    "unknown refused_replay",
  ],
  [
    "unsupported method",
    bare(400, "payment_method_unsupported_type"),
    here("INVALID unsupported OTHER_METHOD"),
    "unknown refused_replay",
  ],
  [
    "used token",
    bare(400, "token_already_used"),
    here("INVALID invalid_card OTHER_METHOD"),
    "unknown refused_replay",
  ],
  [
    "unknown parameter",
    bare(400, "parameter_unknown"),
    here("INVALID other NEVER"),
    "unknown refused_replay",
  ],
  [
    "a stored 400",
    fault(400, { type: "invalid_request_error", code: "amount_too_large" }, true),
    here("INVALID limit_exceeded NEVER", "replayed_reply"),
  ],
  [
    "a 404 that claims to be stored",
    fault(404, { type: "invalid_request_error", code: "resource_missing" }, true),
    here("INVALID other NEVER", "replayed_reply"),
    "unknown not_found",
  ],
  [
    "a 400 about a captured intent",
    bare(400, "parameter_unknown", { payment_intent: intent() }),
    "unknown conflict seen pi_1",
  ],
  ["key with other content", fault(400, { type: "idempotency_error" }), "unknown refused_replay"],
  ["unexpected state", bare(400, "payment_intent_unexpected_state"), "unknown unreadable_reply"],
  ["another's 400", fault(400, { message: "bad" }), "unknown unreadable_reply"],
  ["another's 403", fault(403, { type: "waf" }), "unknown not_authenticated"],
  ["another's 404", fault(404, "not here"), "unknown not_found"],
  ["wrong key", bare(401, ""), `${UNAVAILABLE} reply`, "unknown not_authenticated"],
  ["no permission", bare(403, ""), `${UNAVAILABLE} reply`, "unknown not_authenticated"],
  ["too many requests", bare(429, "rate_limit"), `${UNAVAILABLE} reply`, "unknown rate_limited"],
  ["too many requests, as 400", bare(400, "rate_limit"), `${UNAVAILABLE} reply`, "unknown rate_limited"],
  ["a lock", bare(429, "lock_timeout"), "unknown rate_limited"],
  [
    "key in use",
    fault(409, { type: "idempotency_error", code: "idempotency_key_in_use" }),
    "unknown conflict",
  ],
  ["conflict", bare(409, ""), "unknown conflict"],
  ["a status for nothing", bare(418, ""), "unknown unreadable_reply"],
  ["an error in a success", bare(200, "amount_too_large"), "unknown unreadable_reply"],
];

const silences: Row[] = [
  ["a 500", fault(500, { type: "api_error" }), "unknown server_error"],
  ["a stored 500", fault(500, { type: "api_error" }, true), "unknown server_error"],
  ["a 500 that speaks of a card", fault(500, { type: "card_error" }), "unknown server_error"],
  [
    "a 500 with a refused intent",
    fault(500, { type: "card_error", payment_intent: refusedIntent() }),
    "unknown server_error",
  ],
  ["a 502", fault(502, { type: "invalid_request_error" }), "unknown server_error"],
  ["a 503 that speaks of rates", bare(503, "rate_limit"), "unknown server_error"],
  ["a 504", fault(504, {}), "unknown server_error"],
  ["an HTML 200", html(200), "unknown unreadable_reply"],
  ["an HTML 302", html(302), "unknown unreadable_reply"],
  ["an HTML 400", html(400), "unknown unreadable_reply"],
  ["an HTML 401", html(401), "unknown not_authenticated"],
  ["an HTML 402", html(402), "unknown unreadable_reply"],
  ["an HTML 403", html(403), "unknown not_authenticated"],
  ["an HTML 404", html(404), "unknown not_found"],
  ["an HTML 409", html(409), "unknown conflict"],
  ["an HTML 429", html(429), "unknown rate_limited"],
  ["an HTML 502", html(502), "unknown server_error"],
  ["no reply in time", network("timeout"), "unknown timeout"],
  ["a lost connection", network("lost"), "unknown connection_lost"],
  ["no connection", network("no_connection"), `${UNAVAILABLE} never_sent`, "unknown connection_refused"],
  [
    "an amount that Stripe cannot count",
    { kind: "not_sent", detail: "steps of 10" },
    "not_happened INVALID unsupported NEVER elsewhere by never_sent",
    "unknown aborted",
  ],
];

describe.each([
  ["intents", intents],
  ["declines", declines],
  ["refusals", refusals],
  ["silences", silences],
])("%s", (_, rows) => {
  test.each(rows)("%s", (_name, reply, first, later = first) => {
    expect({ first: told(read(reply, true)), later: told(read(reply, false)) }).toEqual({ first, later });
  });
});

test("a snapshot carries the money, the card and our reference", () => {
  const outcome = read(ok(intent()), true);
  expect(outcome).toMatchObject({
    snapshot: {
      reference: "pi_1",
      ours: REFERENCE,
      amount: { minor: 1050n, currency: "BRL" },
      captured: { minor: 1050n, currency: "BRL" },
      refunded: { minor: 0n, currency: "BRL" },
      card: { brand: "visa", last4: "4242", expiryMonth: 8, expiryYear: 2031 },
      nextAction: null,
      asOf: ASKED,
    },
  });
});

test("a stored reply is as old as its intent", () => {
  expect(read(ok(intent(), true), false)).toMatchObject({
    snapshot: { asOf: new Date(1_767_225_600_000) },
  });
});

test("3-D Secure gives the payer an address, and no address where it is not one for a browser", () => {
  const at = (url: string) =>
    read(ok(intent({ ...authenticate, next_action: { redirect_to_url: { url } } })), true);
  expect(at("https://hooks.stripe.com/3ds")).toMatchObject({
    snapshot: { nextAction: { kind: "REDIRECT", redirectUrl: "https://hooks.stripe.com/3ds" } },
  });
  expect(at("javascript:alert(1)")).toMatchObject({ snapshot: { nextAction: { redirectUrl: null } } });
});

test("another amount is kept as seen, with what was sent and what came", () => {
  expect(read(ok(intent({ amount: 1051, amount_received: 1051 })), true)).toMatchObject({
    seen: { reference: "pi_1", amount: { minor: 1051n, currency: "BRL" } },
    detail: expect.stringContaining("1051 BRL"),
  });
});

test("no key, token or card number is in what operators or payers are told", () => {
  // Joined here, so that no scanner takes them for real ones.
  const secrets = [
    "sk_" + "live_51Habc",
    "rk_" + "test_9",
    "whsec_" + "1",
    "pm_" + "1Nabc",
    "tok_" + "visa",
    "pi_1_secret_" + "x",
  ];
  const message = `${secrets.join(" ")} Bearer abc.def 4242 4242 4242 4242 4242-4242-4242-4242 378282246310005`;
  for (const [status, first] of [
    [400, true],
    [400, false],
    [500, true],
  ] as const)
    for (const told of [JSON.stringify(read(bare(status, "x", { message }), first))]) {
      for (const secret of [...secrets, "abc.def", "4242", "3782"]) expect(told).not.toContain(secret);
    }
});

describe("whatever comes", () => {
  const bodies = fc.oneof(fc.anything(), fc.jsonValue(), mutated(intent()), mutated(refusedIntent()));
  const errors = fc.oneof(
    fc.anything(),
    fc.record(
      {
        type: fc.oneof(fc.anything(), fc.constantFrom("card_error", "invalid_request_error", "api_error")),
        code: fc.anything(),
        decline_code: fc.anything(),
        message: fc.anything(),
        param: fc.anything(),
        payment_intent: bodies,
      },
      { requiredKeys: [] },
    ),
  );
  const statuses = fc.oneof(fc.integer(), fc.integer({ min: 100, max: 599 }), fc.constantFrom(200, 400, 402));
  const anyReply: fc.Arbitrary<Reply> = fc.oneof(
    fc.record({ kind: fc.constant("object" as const), body: bodies, replayed: fc.boolean() }),
    fc.record({
      kind: fc.constant("error" as const),
      status: statuses,
      error: errors,
      replayed: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("unreadable" as const), status: statuses, detail: fc.string() }),
    fc.record({
      kind: fc.constant("network" as const),
      fault: fc.constantFrom("no_connection" as const, "timeout" as const, "lost" as const),
      detail: fc.string(),
    }),
  );

  test("it is one of the three outcomes, and nothing is thrown", () => {
    fc.assert(
      fc.property(anyReply, fc.boolean(), (reply, first) => {
        expect(["happened", "not_happened", "unknown"]).toContain(read(reply, first).kind);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a 5xx, a timeout, a lost connection or an unreadable body proves nothing, first or later", () => {
    const silent = anyReply.filter(
      (reply) =>
        reply.kind === "unreadable" ||
        (reply.kind === "network" && reply.fault !== "no_connection") ||
        (reply.kind === "error" && reply.status >= 500),
    );
    fc.assert(
      fc.property(silent, fc.boolean(), (reply, first) => {
        expect(read(reply, first).kind).toBe("unknown");
      }),
      { numRuns: 1_000 },
    );
  });

  test("it happened only with our amount, our currency and no reference but ours", () => {
    fc.assert(
      fc.property(anyReply, fc.boolean(), (reply, first) => {
        const outcome = read(reply, first);
        if (outcome.kind !== "happened") return;
        expect(outcome.snapshot.amount).toEqual(SENT.amount);
        expect([REFERENCE, null]).toContain(outcome.snapshot.ours);
      }),
      { numRuns: 2_000 },
    );
  });

  test("on a later call nothing that was turned away or not sent is a refusal", () => {
    const turnedAway = anyReply.filter(
      (reply) => reply.kind === "network" || (reply.kind === "error" && ![400, 402].includes(reply.status)),
    );
    fc.assert(
      fc.property(turnedAway, (reply) => {
        const outcome = read(reply, false);
        // A 404 that shows our own intent refused is Stripe's word on that intent.
        const showsIntent = outcome.kind === "not_happened" && outcome.reference !== null;
        expect(outcome.kind === "unknown" || showsIntent).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  /** The object with one of its fields replaced by anything. */
  function mutated(object: Record<string, unknown>): fc.Arbitrary<unknown> {
    const changes = fc.tuple(fc.constantFrom(...Object.keys(object)), fc.anything());
    return changes.map(([key, value]) => ({ ...object, [key]: value }));
  }
});
