import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Books, KeyRecord } from "./books";
import { keyOf } from "./books";
import type { Fault } from "./cards";
import type { Faults } from "./faults";
import { parseForm } from "./form";
import {
  createAnswer,
  errorAnswer,
  execute,
  expandOf,
  readCreate,
  type Answer,
  type CreateIntent,
} from "./payment-intents";
import { drop, reply } from "./wire";

/** How long `pm_sandbox_slow` takes. */
const SLOW_MS = 3_000;

/** One mutating request. */
interface Request {
  account: string;
  key: string | undefined;
  text: string;
  response: ServerResponse;
  message: IncomingMessage;
}

/** `POST /v1/payment_intents`, with idempotency keys that behave as Stripe's do (docs.stripe.com/api/idempotent_requests). */
export class Creates {
  private readonly inFlight = new Set<string>();
  /** Keys that have been seen, so that a fault acts on the first call even where keys are ignored. */
  private readonly met = new Set<string>();

  constructor(
    private readonly books: Books,
    private readonly faults: Faults,
  ) {}

  async handle(request: Request): Promise<void> {
    await this.books.write({ call: "create" });
    if (this.faults.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.faults.latencyMs));
    const place = keyOf(request.account, request.key ?? "");
    const keyed = request.key !== undefined && !this.faults.ignoreIdempotencyKeys;
    const earlier = keyed ? this.earlier(place) : undefined;
    if (earlier) return this.repeat(request, earlier);
    if (keyed && this.inFlight.has(place)) return reply(request.response, IN_USE);
    const form = parseForm(request.text);
    const wanted = readCreate(form);
    if ("status" in wanted) return reply(request.response, wanted);
    this.inFlight.add(place);
    try {
      await this.first(request, wanted, expandOf(form));
    } finally {
      this.inFlight.delete(place);
    }
  }

  private earlier(place: string): KeyRecord | undefined {
    const record = this.books.keys.get(place);
    const age = record ? this.books.now() - record.createdAt : 0;
    return age > this.faults.idempotencyKeyTtlSeconds * 1_000 ? undefined : record;
  }

  private repeat({ response, text }: Request, record: KeyRecord): void {
    if (record.params !== paramsOf(text)) return reply(response, OTHER_PARAMETERS);
    response.setHeader("idempotent-replayed", "true");
    reply(response, { status: record.status, body: JSON.parse(record.body) as unknown });
  }

  /** The first call of a key, or one without: what it does and what its caller sees of it are two things. */
  private async first(request: Request, wanted: CreateIntent, expand: string[]): Promise<void> {
    const fault = this.faultOf(request, wanted);
    if (fault === "dropBeforeCharge") return drop(request.message);
    if (fault === "error500BeforeCharge") {
      await this.books.write({ key: this.record(request, ERROR_500) });
      return reply(request.response, ERROR_500);
    }
    const done = execute(this.books, request.account, wanted, fault);
    const shown = createAnswer(done.intent, expand);
    const answer = fault === "error500AfterCharge" ? ERROR_500 : shown;
    // The objects and the key's record are one durable write, before anybody is told or hung up on.
    await this.books.write({ ...done, key: this.record(request, answer) });
    if (fault === "slow") {
      // The caller's wait, not the key's: a repeat finds the stored answer at once.
      setTimeout(() => reply(request.response, answer), SLOW_MS).unref();
      return;
    }
    tell(request, answer, fault);
  }

  private faultOf({ account, key }: Request, wanted: CreateIntent): Fault | undefined {
    const place = keyOf(account, key ?? "");
    const isFirst = key === undefined || !this.met.has(place);
    if (key !== undefined) this.met.add(place);
    if (wanted.card.fault && (isFirst || wanted.card.fault === "wrongAmount")) return wanted.card.fault;
    const dice = Math.random();
    const { dropBeforeCharge, replyLost, error500AfterCharge } = this.faults;
    if (dice < dropBeforeCharge) return "dropBeforeCharge";
    if (dice < dropBeforeCharge + replyLost) return "replyLost";
    return dice < dropBeforeCharge + replyLost + error500AfterCharge ? "error500AfterCharge" : undefined;
  }

  private record({ account, key, text }: Request, answer: Answer): KeyRecord | undefined {
    if (key === undefined) return undefined;
    const body = JSON.stringify(answer.body);
    return { account, key, params: paramsOf(text), status: answer.status, body, createdAt: this.books.now() };
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

function paramsOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
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
