import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { keyOf, type Books, type CallKind, type KeyRecord } from "./books";
import { readCancel, readCapture } from "./captures";
import type { Fault } from "./cards";
import type { Deliveries } from "./deliveries";
import type { Deed, ReadDeed } from "./deed";
import type { Faults } from "./faults";
import { parseForm } from "./form";
import { readCreate } from "./payment-intents";
import { readRefund } from "./refunds";
import { drop, errorAnswer, reply, type Answer } from "./wire";

/** How long `pm_sandbox_slow` takes. */
const SLOW_MS = 3_000;

/** One mutating request. */
export interface Request {
  call: CallKind;
  account: string;
  /** The object in the path; empty for a create and a refund. */
  id: string;
  key: string | undefined;
  text: string;
  response: ServerResponse;
  message: IncomingMessage;
}

const READ: Record<CallKind, ReadDeed> = {
  create: readCreate,
  capture: readCapture,
  cancel: readCancel,
  refund: readRefund,
};

/** Mutating requests, with idempotency keys that behave as Stripe's do (docs.stripe.com/api/idempotent_requests). */
export class Mutations {
  private readonly inFlight = new Set<string>();
  /** Keys that have been seen, so that a fault acts on the first call even where keys are ignored. */
  private readonly met = new Set<string>();

  constructor(
    private readonly books: Books,
    private readonly faults: Faults,
    private readonly deliveries: Deliveries,
  ) {}

  async handle(request: Request): Promise<void> {
    await this.books.write({ call: request.call });
    if (this.faults.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.faults.latencyMs));
    const place = keyOf(request.account, request.key ?? "");
    const keyed = request.key !== undefined && !this.faults.ignoreIdempotencyKeys;
    const earlier = keyed ? this.earlier(place) : undefined;
    if (earlier) return this.repeat(request, earlier);
    if (keyed && this.inFlight.has(place)) return reply(request.response, IN_USE);
    const given = { id: request.id, form: parseForm(request.text) };
    const deed = READ[request.call](this.books, request.account, given);
    if ("status" in deed) return reply(request.response, deed);
    this.inFlight.add(place);
    try {
      await this.first(request, deed);
    } finally {
      this.inFlight.delete(place);
    }
  }

  private earlier(place: string): KeyRecord | undefined {
    const record = this.books.keys.get(place);
    const age = record ? this.books.now() - record.createdAt : 0;
    return age > this.faults.idempotencyKeyTtlSeconds * 1_000 ? undefined : record;
  }

  private repeat(request: Request, record: KeyRecord): void {
    const { response } = request;
    if (record.params !== paramsOf(request)) return reply(response, OTHER_PARAMETERS);
    response.setHeader("idempotent-replayed", "true");
    reply(response, { status: record.status, body: JSON.parse(record.body) as unknown });
  }

  /** The first call of a key, or one without: what it does and what its caller sees of it are two things. */
  private async first(request: Request, deed: Deed): Promise<void> {
    const fault = this.faultOf(request, deed);
    if (fault === "dropBeforeCharge") return drop(request.message);
    if (fault === "error500BeforeCharge") {
      await this.books.write({ key: this.record(request, ERROR_500) });
      return reply(request.response, ERROR_500);
    }
    const done = this.books.told(deed.execute(fault));
    this.books.put(done);
    const answer = fault === "error500AfterCharge" ? ERROR_500 : deed.answer();
    // The objects and the key's record are one durable write, before anybody is told or hung up on.
    await this.books.write({ ...done, key: this.record(request, answer) });
    if (Math.random() < this.faults.webhookBeforeReply) await this.deliveries.deliver(done.events ?? []);
    if (fault === "slow") {
      // The caller's wait, not the key's: a repeat finds the stored answer at once.
      setTimeout(() => reply(request.response, answer), SLOW_MS).unref();
      return;
    }
    tell(request, answer, fault);
  }

  private faultOf({ account, key }: Request, deed: Deed): Fault | undefined {
    const place = keyOf(account, key ?? "");
    const isFirst = key === undefined || !this.met.has(place);
    if (key !== undefined) this.met.add(place);
    if (deed.fault && (isFirst || deed.fault === "wrongAmount")) return deed.fault;
    const dice = Math.random();
    const { dropBeforeCharge, replyLost, error500AfterCharge } = this.faults;
    if (dice < dropBeforeCharge) return "dropBeforeCharge";
    if (dice < dropBeforeCharge + replyLost) return "replyLost";
    return dice < dropBeforeCharge + replyLost + error500AfterCharge ? "error500AfterCharge" : undefined;
  }

  private record(request: Request, answer: Answer): KeyRecord | undefined {
    const { account, key } = request;
    if (key === undefined) return undefined;
    const body = JSON.stringify(answer.body);
    const createdAt = this.books.now();
    return { account, key, params: paramsOf(request), status: answer.status, body, createdAt };
  }
}

function tell({ response, message }: Request, answer: Answer, fault: Fault | undefined): void {
  switch (fault) {
    case "replyLost":
      return drop(message);
    case "timeoutAfterCharge":
      return; // hangs until the caller leaves
    case "truncatedReply": {
      const body = JSON.stringify(answer.body);
      response.writeHead(answer.status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.write(body.slice(0, body.length / 2), () => message.socket.destroy());
      return;
    }
    default:
      return reply(response, answer);
  }
}

/** What a request asks for: its path and its parameters. */
function paramsOf({ call, id, text }: Request): string {
  return createHash("sha256").update(`${call} ${id}\n${text}`).digest("base64");
}

const ERROR_500 = errorAnswer(500, { type: "api_error", message: "An unknown error occurred." });

const IN_USE = errorAnswer(409, {
  type: "idempotency_error",
  code: "idempotency_key_in_use",
  message: "There is currently another in-progress request using this idempotency key.",
});

const OTHER_PARAMETERS = errorAnswer(400, {
  type: "idempotency_error",
  message:
    "Keys for idempotent requests can only be used with the same parameters they were first used with.",
});
