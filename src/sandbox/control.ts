import type { IncomingMessage } from "node:http";
import type { Charge, Refund } from "./books";
import { closeDispute } from "./disputes";
import { readFaults } from "./faults";
import type { Parts } from "./parts";
import { changeBy } from "./payer-acts";
import { revocationOf } from "./revocations";
import type { Answer } from "./wire";

/** The endpoints below /_sandbox/: what happened, and what is to go wrong. For callers on this machine only. */
export async function answerControl(
  parts: Parts,
  message: IncomingMessage,
  url: URL,
  text: string,
): Promise<Answer> {
  if (!/^(::ffff:)?127\.|^::1$/.test(message.socket.remoteAddress ?? ""))
    return refused(403, "loopback only");
  switch (`${message.method} ${url.pathname}`) {
    case "GET /_sandbox/health":
      return ok({ ok: true, pid: process.pid });
    case "GET /_sandbox/ledger":
      return ledger(parts, url.searchParams.get("afterCharge"));
    case "GET /_sandbox/faults":
      return ok(parts.faults);
    case "POST /_sandbox/faults":
      return setFaults(parts, text);
    case "POST /_sandbox/clock":
      return advance(parts, text);
    case "POST /_sandbox/pay":
      return pay(parts, text);
    case "POST /_sandbox/revoke":
      return revoke(parts, text);
    case "POST /_sandbox/dispute":
      return dispute(parts, text);
    case "POST /_sandbox/reset":
      await parts.books.reset();
      return ok({ ok: true });
    default:
      return refused(404, `no such endpoint: ${message.method} ${url.pathname}`);
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function refused(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** A long ledger is given in parts, each after the last charge of the one before. */
const CHARGES_AT_ONCE = 10_000;

function ledger({ books }: Parts, after: string | null): Answer {
  const all = [...books.charges.values()];
  const from = after === null ? 0 : all.findIndex((charge) => charge.id === after) + 1;
  if (after !== null && from === 0) return refused(404, `no such charge: ${after}`);
  const charges = all.slice(from, from + CHARGES_AT_ONCE).map((charge) => ({
    ...showCharge(charge),
    capturable: books.intents.get(charge.paymentIntent)?.capturable ?? 0,
  }));
  const shown = new Set(charges.map((charge) => charge.id));
  const refunds = [...books.refunds.values()].filter(({ charge }) => shown.has(charge)).map(showRefund);
  return ok({ charges, refunds, calls: books.calls });
}

function showCharge({ account: _, createdAt, ...charge }: Charge) {
  return { ...charge, createdAt: new Date(createdAt).toISOString() };
}

function showRefund({ id, charge, reference, amount, status, createdAt }: Refund) {
  return { id, charge, reference, amount, status, createdAt: new Date(createdAt).toISOString() };
}

function setFaults({ faults }: Parts, text: string): Answer {
  const wanted = readFaults(parse(text));
  if (typeof wanted === "string") return refused(400, wanted);
  return ok(Object.assign(faults, wanted));
}

async function advance({ books }: Parts, text: string): Promise<Answer> {
  const { advanceSeconds } = (parse(text) ?? {}) as { advanceSeconds?: unknown };
  if (typeof advanceSeconds !== "number" || !Number.isFinite(advanceSeconds))
    return refused(400, "advanceSeconds: must be a number");
  await books.advanceClock(advanceSeconds);
  return ok({ now: new Date(books.now()).toISOString() });
}

/** What a payer does on the page or with the code; late, and after expiry or cancel, too. */
async function pay({ books }: Parts, text: string): Promise<Answer> {
  const given = (parse(text) ?? {}) as { paymentIntent?: unknown; outcome?: unknown; late?: unknown };
  const { paymentIntent, outcome, late = false } = given;
  if (outcome !== "complete" && outcome !== "fail") return refused(400, "outcome: must be complete or fail");
  if (typeof late !== "boolean") return refused(400, "late: must be a boolean");
  const intent = books.intents.get(String(paymentIntent));
  if (!intent) return refused(404, `no such payment intent: ${String(paymentIntent)}`);
  const change = changeBy(books, intent, outcome, late);
  if (typeof change === "string") return refused(409, change);
  await books.write(change);
  return ok({ paymentIntent: intent.id, status: books.intents.get(intent.id)?.status });
}

/** A capture that does not hold: the money is taken back from the merchant. */
async function revoke({ books }: Parts, text: string): Promise<Answer> {
  const { paymentIntent, amount } = (parse(text) ?? {}) as Record<string, unknown>;
  const intent = books.intents.get(String(paymentIntent));
  if (!intent) return refused(404, `no such payment intent: ${String(paymentIntent)}`);
  const change = revocationOf(books, intent, amount);
  if (typeof change === "string") return refused(409, change);
  await books.write(change);
  return ok({ paymentIntent: intent.id, received: books.intents.get(intent.id)?.received });
}

async function dispute({ books }: Parts, text: string): Promise<Answer> {
  const { paymentIntent, outcome } = (parse(text) ?? {}) as Record<string, unknown>;
  const closed = await closeDispute(books, paymentIntent, outcome);
  return typeof closed === "string" ? refused(400, closed) : ok(closed);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
