import type { IncomingMessage, ServerResponse } from "node:http";
import type { Books, Intent } from "./books";
import { parseForm, textOf } from "./form";
import { changeBy, pageOf } from "./payer-acts";

/** Where payers' pages are. */
export const PAGES_PATH = "/payer/";

/** What a payer's browser asks for. */
export interface Visit {
  message: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** The body, a form. */
  text: string;
}

/** The page on which a payer pays or proves who they are: a plain form with two buttons. Its address is its secret. */
export async function servePage(books: Books, visit: Visit): Promise<void> {
  const { message, response, url, text } = visit;
  const [, id = "", pageKey = "", rest] = /^\/payer\/(pi_\w+)\/([\w-]+)(\/pdf)?$/.exec(url.pathname) ?? [];
  const intent = books.intents.get(id);
  if (!intent?.act || intent.act.pageKey !== pageKey)
    return send(response, 404, "<h1>No such page</h1>", null);
  if (message.method === "GET" || message.method === "HEAD")
    return send(response, 200, page(books, intent), intent);
  if (message.method !== "POST" || rest !== undefined)
    return send(response, 405, "<h1>Not allowed</h1>", intent);
  const deed = textOf(parseForm(text), "outcome");
  if (deed !== "complete" && deed !== "fail")
    return send(response, 400, "<h1>Send outcome=complete or outcome=fail</h1>", intent);
  const change = changeBy(books, intent, deed);
  if (typeof change === "string") return send(response, 409, page(books, intent), intent);
  await books.write(change);
  const after = books.intents.get(id) ?? intent;
  if (after.act?.returnUrl == null) return send(response, 200, page(books, after), after);
  response.writeHead(303, {
    location: returnAddress(after, after.act.returnUrl),
    "cache-control": "no-store",
  });
  response.end();
}

/** Where a card's holder goes next, with what Stripe appends. */
function returnAddress({ id }: Intent, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set("payment_intent", id);
  url.searchParams.set("payment_intent_client_secret", `${id}_secret_sandbox`);
  return url.toString();
}

function page(books: Books, intent: Intent): string {
  const { act, amount, currency, status } = intent;
  const title = TITLES[act?.method ?? "card"];
  const sum = `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;
  const code = act?.code ? `<p><code>${escaped(act.code)}</code></p>` : "";
  const head = `<h1>${title}</h1><p>Sandbox: no money moves.</p><p>${escaped(sum)}</p>${code}`;
  if (status !== "requires_action") return `${head}<p>${ENDED[status] ?? "Nothing is left to do here."}</p>`;
  return `${head}<form method="post" action="${escaped(new URL(pageOf(books, intent)).pathname)}">
<button name="outcome" value="complete">Complete</button>
<button name="outcome" value="fail">Fail</button>
</form>`;
}

const TITLES = { card: "3-D Secure", pix: "Pix", boleto: "Boleto" };

const ENDED: Partial<Record<Intent["status"], string>> = {
  succeeded: "This is paid.",
  requires_capture: "This is authorized.",
  canceled: "This was canceled and can no longer be paid.",
  requires_payment_method: "This can no longer be paid.",
};

function send(response: ServerResponse, status: number, body: string, intent: Intent | null): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy(intent),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  response.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Umavez sandbox</title></head><body>${body}</body></html>`,
  );
}

/**
 * Nothing runs here and nothing is loaded. Browsers hold the redirects after a form against `form-action` too: it leads
 * to the return address, and from there to the shop's, which is https or on this machine.
 */
function policy(intent: Intent | null): string {
  const returnUrl = intent?.act?.returnUrl;
  const onwards = returnUrl
    ? ` ${new URL(returnUrl).origin} https: http://localhost:* http://127.0.0.1:*`
    : "";
  return `default-src 'none'; form-action 'self'${onwards}; base-uri 'none'; frame-ancestors 'none'`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
