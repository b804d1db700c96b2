/** One operation of `schema/operations`: its text, the hash by which the gateway knows it, and its types. */
export interface OperationDocument<Data, Variables> {
  readonly text: string;
  /** SHA-256 of the text, in hex: its name in `schema/persisted-documents.json`. */
  readonly hash: string;
  /** Only for the compiler. */
  readonly types?: (variables: Variables) => Data;
}

/** What the gateway answers. */
export interface GraphqlReply<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: Record<string, unknown> }[];
}

/** Where and how requests are sent. */
export interface SenderOptions {
  /** The gateway's `/graphql`. */
  url: string;
  /** With every request: `{ authorization: "Bearer …" }`. */
  headers?: Record<string, string>;
  /** True: only the hash of an operation is sent, as a gateway with PERSISTED_ONLY asks of client sessions. */
  persisted?: boolean;
}

/** Sends one operation by fetch. */
export type Sender = <Data, Variables>(
  document: OperationDocument<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
) => Promise<GraphqlReply<Data>>;

/** The least that a page needs to talk to the gateway. It throws what fetch throws, and where the answer is not JSON. */
export function createSender({ url, headers = {}, persisted = false }: SenderOptions): Sender {
  return async (document, variables, signal) => {
    const { text: query, hash: sha256Hash } = document;
    const named = persisted ? { extensions: { persistedQuery: { version: 1, sha256Hash } } } : { query };
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ ...named, variables }),
      signal,
    });
    return (await response.json()) as GraphqlReply<never>;
  };
}
