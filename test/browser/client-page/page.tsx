// A shop's page: what its buttons do, for each client that shops use, so that a test can press them.
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";
import { GraphQLClient } from "graphql-request";
import { createRoot } from "react-dom/client";
import { createIntentLink, KEY_BY_LINK } from "../../../src/client/apollo.ts";
import { askBy, createIntents, createSender, type Send, type Waits } from "../../../src/client/entry.ts";
import { CreatePayment, type CreatePaymentMutation } from "../../../src/client/generated.ts";
import { useIntent } from "../../../src/client/react.ts";

const url = new URL("/graphql", location.href).href;
/** Short, so that a test need not wait. */
const waits: Partial<Waits> = { firstMs: 50, mostMs: 200, replyMs: 5_000 };

const apollo = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: url }) });
const urql = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
const request = new GraphQLClient(url);
const send = createSender({ url });

export interface Order {
  about: string;
  amount: string;
  token?: string;
  withinMs?: number;
  /** Not before this instant (milliseconds since 1970): so that two tabs press at once. */
  at?: number;
}

const inputOf = ({ about, amount, token = "pm_card_visa" }: Order) => ({
  amount: { amount, currency: "BRL" },
  method: { card: { token } },
  order: { reference: about },
});

type Variables = { input: ReturnType<typeof inputOf> };

/** How each client sends one request. */
const SENDS: Record<string, (variables: Variables) => Send<unknown>> = {
  apollo:
    ({ input }) =>
    ({ key }) =>
      apollo.mutate({ mutation: gql(CreatePayment.text), variables: { key, input } }),
  urql:
    ({ input }) =>
    ({ key }) =>
      urql.mutation(CreatePayment.text, { key, input }).toPromise(),
  "graphql-request":
    ({ input }) =>
    ({ key, signal }) =>
      request.request({ document: CreatePayment.text, variables: { key, input }, signal }),
  fetch:
    ({ input }) =>
    ({ key, signal }) =>
      send(CreatePayment, { key, input }, signal),
};

const intentsWithin = (withinMs = 15_000) =>
  createIntents({ waits: { ...waits, withinMs }, ask: askBy(send) });
/** One for the page, as a shop has it; another where a test asks for less patience. */
const intents = intentsWithin();

/** The button, pressed so many times before the first answer. Returns what each press came to. */
async function press(client: string, order: Order, times: number): Promise<string[]> {
  const input = inputOf(order);
  const used = order.withinMs ? intentsWithin(order.withinMs) : intents;
  const once = () =>
    client === "apollo link"
      ? linked.mutate<CreatePaymentMutation>({
          mutation: gql(CreatePayment.text),
          variables: { key: KEY_BY_LINK, input },
        })
      : used.perform({ kind: "create", about: order.about }, input, SENDS[client]!({ input }));
  while (Date.now() < (order.at ?? 0));
  const pressed = Array.from({ length: times }, once);
  return Promise.all(
    pressed.map((press) =>
      press.then(
        (came) => ("state" in came ? came.state : came.data!.createPayment!.operation.state),
        (error: Error) => `${error.name}: ${(error as { code?: string }).code ?? error.message}`,
      ),
    ),
  );
}

const linked = new ApolloClient({
  cache: new InMemoryCache(),
  link: ApolloLink.from([createIntentLink(intents), new HttpLink({ uri: url })]),
});

/** A pay button that its user presses more than once. */
function PayButton({ order }: { order: Order }) {
  const { status, outcome, perform } = useIntent<unknown>(intents, { kind: "create", about: order.about });
  const input = inputOf(order);
  return (
    <button onClick={() => void perform(input, SENDS.fetch!({ input }))}>
      {status} {outcome?.key}
    </button>
  );
}

const show = (order: Order) =>
  createRoot(document.getElementById("shop")!).render(<PayButton order={order} />);

Object.assign(globalThis, {
  shop: {
    press,
    show,
    about: () => ({
      durable: intents.durable,
      locks: "locks" in navigator,
      randomUuid: "randomUUID" in crypto,
    }),
  },
});
