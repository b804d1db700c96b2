/** A dispute (docs.stripe.com/api/disputes/object). */
export interface Dispute {
  id: string;
  account: string;
  charge: string;
  paymentIntent: string;
  amount: number;
  /** Lower case, as on Stripe's wire. */
  currency: string;
  status: "needs_response" | "won" | "lost";
  createdAt: number;
}

/** What is told of a change (docs.stripe.com/api/events/object). */
export interface SandboxEvent {
  id: string;
  account: string;
  type: string;
  /** The object as it was then, on Stripe's wire. */
  object: unknown;
  createdAt: number;
}

/** Where an account's events are delivered. */
export interface Endpoint {
  id: string;
  account: string;
  url: string;
  secret: string;
  /** The types that are wanted; `*` is all of them. */
  events: string[];
  createdAt: number;
}

/** An event on its way to an endpoint. */
export interface Delivery {
  endpoint: Endpoint;
  event: SandboxEvent;
  /** By the machine's clock. */
  dueAt: number;
  tries: number;
  /** False until the event is on disk: nobody is told of it before. */
  written: boolean;
}
