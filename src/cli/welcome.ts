import { randomUUID } from "node:crypto";
import type { Runtime } from "./data-dir";
import type { Credentials } from "./demo";

/** What a start ends with: what to open, and one `curl` that makes a payment and can be pasted as it is. */
export function welcome(runtime: Runtime, credentials: Credentials | null, playground: boolean): string {
  const lines = [
    "",
    "Umavez is up. Ctrl-C stops everything; the data stays.",
    "",
    ...(playground ? [`  Playground   ${runtime.url}/playground`] : []),
    `  GraphQL      ${runtime.url}/graphql`,
    `  Sandbox      ${runtime.sandboxUrl}/_sandbox/ledger`,
  ];
  if (credentials) lines.push(...demoLines(runtime, credentials));
  return [...lines, ""].join("\n");
}

function demoLines({ url }: Runtime, { merchant, keys }: Credentials): string[] {
  return [
    "",
    `  Demo merchant ${merchant}`,
    ...Object.entries(keys).map(([role, key]) => `    ${role.padEnd(9)} ${key}`),
    "",
    "Make a payment (send it twice: nothing happens twice; change the amount: it is refused):",
    "",
    curl(url, keys.payments),
  ];
}

/** A key of its own for each start, so that the first paste is a new payment and each further one a repeat. */
function curl(url: string, key: string): string {
  const query =
    'mutation ($key: IdempotencyKey!, $amount: Decimal!) { createPayment(idempotencyKey: $key, input: { amount: { amount: $amount, currency: "BRL" }, method: { card: { token: "pm_card_visa" } } }) { replayed payment { id status amount { amount currency } } } }';
  const body = JSON.stringify({ query, variables: { key: `demo-${randomUUID()}`, amount: "10.50" } });
  return `curl -sS ${url}/graphql -H 'content-type: application/json' -H 'authorization: Bearer ${key}' -d '${body}'`;
}
