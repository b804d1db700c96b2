import type { ApolloServerPlugin } from "@apollo/server";
import { GraphQLError } from "graphql";
import type { Caller } from "../access/caller";
import manifest from "../../schema/persisted-documents.json";
import type { Context } from "./context";

/** The documents of `schema/operations`, by the SHA-256 of their text. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map(Object.entries(manifest));

/**
 * Where Apollo looks up `extensions.persistedQuery.sha256Hash`. It would also write what it is sent for the first time:
 * nothing is taken.
 */
export const persistedQueries = {
  cache: {
    // Apollo puts a name of its own before the hash.
    get: async (name: string) => DOCUMENTS.get(name.slice(name.lastIndexOf(":") + 1)),
    set: async () => undefined,
    delete: async () => false,
  },
};

/** Where PERSISTED_ONLY is on, these callers may send nothing but persisted documents. */
const isBound = (caller: Caller): boolean => caller.kind !== "API_KEY";

/** Refuses what is not in the manifest, by its hash or by its text, to callers who are bound to it. */
export const persistedOnlyPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ queryHash, contextValue }) => {
      if (!contextValue.app.config.persistedOnly || DOCUMENTS.has(queryHash)) return;
      if (!isBound(await contextValue.caller())) return;
      throw new GraphQLError(
        "Client sessions may send only the documents that the gateway knows by their hash.",
        {
          extensions: { code: "PERSISTED_QUERY_ID_REQUIRED" },
        },
      );
    },
  }),
};
