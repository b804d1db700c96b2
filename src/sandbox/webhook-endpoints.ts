import { randomBytes } from "node:crypto";
import { newId, type Books } from "./books";
import { textOf, type Form } from "./form";
import { invalid, type Answer } from "./wire";
import type { Endpoint } from "./told";

/**
 * `POST /v1/webhook_endpoints`: where an account's events are delivered. Once for each address: whoever registers it
 * again gets the same endpoint with its secret, which at Stripe only the first one gets.
 */
export async function createEndpoint(books: Books, account: string, form: Form): Promise<Answer> {
  const url = textOf(form, "url") ?? "";
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return invalid("url", "Not a valid URL");
  const wanted = form.enabled_events;
  const events = Array.isArray(wanted) && wanted.length > 0 ? wanted : null;
  if (!events) return invalid("enabled_events", "Missing required param: enabled_events.");
  const known = [...books.endpoints.values()].find((one) => one.account === account && one.url === url);
  const endpoint: Endpoint = {
    id: known?.id ?? newId("we"),
    account,
    url,
    secret: known?.secret ?? `whsec_${randomBytes(24).toString("hex")}`,
    events,
    createdAt: known?.createdAt ?? books.now(),
  };
  await books.write({ endpoint });
  return { status: 200, body: show(endpoint) };
}

function show({ id, url, secret, events, createdAt }: Endpoint) {
  return {
    id,
    object: "webhook_endpoint",
    created: Math.floor(createdAt / 1_000),
    enabled_events: events,
    livemode: false,
    secret,
    status: "enabled",
    url,
  };
}
