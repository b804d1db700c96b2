import { ApolloLink, Observable } from "@apollo/client";
import type { Kind, Scope } from "./attempt.ts";
import type { Intents } from "./intents.ts";
import { OutcomeUnknownError, RefusedError } from "./problems.ts";

/**
 * Stands in a mutation's variables for the key that the link fills in, where the types ask for one. A key of your own is
 * sent as it is, and the link keeps out of the way.
 */
export const KEY_BY_LINK = "";

/**
 * A link that sends each money mutation under one key until its outcome is known. It stands before the HTTP link, and after
 * none that retries. The mutation takes its key and its input from variables, and selects `operation { state }`.
 *
 * The scope is the order's reference for a create, else the payment; or the operation's context says it:
 * `context: { intentAbout: "order-7" }`.
 */
export function createIntentLink(intents: Intents): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const found = findMutation(operation);
    if (!found || (operation.variables[found.keyName] ?? KEY_BY_LINK) !== KEY_BY_LINK)
      return forward(operation);
    return new Observable<ApolloLink.Result>((observer) => {
      const controller = new AbortController();
      const send = ({ key, signal }: { key: string; signal: AbortSignal }) => {
        operation.variables = { ...operation.variables, [found.keyName]: key };
        return firstOf(forward(operation), signal);
      };
      intents
        .perform(scopeOf(operation, found), found.input, send, { signal: controller.signal })
        .then((outcome) => {
          if (outcome.reply) return outcome.reply;
          const cause = outcome.state === "UNKNOWN" ? outcome.cause : null;
          throw new OutcomeUnknownError("umavez: no answer in time", { cause });
        })
        // What the gateway refuses is Apollo's to show, as it shows every error of GraphQL.
        .catch((error: unknown) => {
          if (error instanceof RefusedError && !(error.reply instanceof Error)) return error.reply;
          throw error;
        })
        .then(
          (result) => {
            observer.next(result as ApolloLink.Result);
            observer.complete();
          },
          (error: unknown) => observer.error(error),
        );
      return () => controller.abort();
    });
  });
}

interface Mutation {
  kind: Kind;
  /** The variable of the key. */
  keyName: string;
  input: { paymentId?: string; order?: { reference?: string } | null };
}

const KINDS: Readonly<Record<string, Kind>> = {
  createPayment: "create",
  capturePayment: "capture",
  cancelPayment: "cancel",
  refundPayment: "refund",
};

/** The one money mutation of a document; null where it has none. */
function findMutation({ query, variables }: ApolloLink.Operation): Mutation | null {
  for (const definition of query.definitions) {
    if (definition.kind !== "OperationDefinition" || definition.operation !== "mutation") continue;
    for (const field of definition.selectionSet.selections) {
      const kind = field.kind === "Field" ? KINDS[field.name.value] : undefined;
      if (field.kind !== "Field" || !kind) continue;
      const variableOf = (name: string) => {
        const value = field.arguments?.find((argument) => argument.name.value === name)?.value;
        if (value?.kind !== "Variable")
          throw new TypeError(`umavez: give ${name} to ${field.name.value} by a variable`);
        return value.name.value;
      };
      const input = variables[variableOf("input")] as Mutation["input"];
      return { kind, keyName: variableOf("idempotencyKey"), input };
    }
  }
  return null;
}

function scopeOf(operation: ApolloLink.Operation, { kind, input }: Mutation): Scope {
  const { intentAbout } = operation.getContext() as { intentAbout?: string };
  const about = intentAbout ?? (kind === "create" ? input.order?.reference : input.paymentId);
  if (!about)
    throw new TypeError(
      "umavez: give the payment an order.reference, or the operation's context an intentAbout",
    );
  return { kind, about };
}

function firstOf(results: Observable<ApolloLink.Result>, signal: AbortSignal): Promise<ApolloLink.Result> {
  return new Promise((resolve, reject) => {
    const subscription = results.subscribe({
      next: resolve,
      error: reject,
      complete: () => reject(new Error("the link ended without a result")),
    });
    signal.addEventListener("abort", () => {
      subscription.unsubscribe();
      reject(signal.reason as Error);
    });
  });
}
