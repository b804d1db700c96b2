import type { ApolloServerPlugin } from "@apollo/server";
import type { GraphQLFormattedError } from "graphql";
import type { Context } from "./context";

const MEDIA_TYPE = "application/graphql-response+json";

/**
 * Statuses as the specification of GraphQL over HTTP has them: a request that GraphQL refuses as a whole is 400 for those
 * who take `application/graphql-response+json`, and 200 for those who know `application/json` only. Every error gets the
 * request's id.
 */
export const replyPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response, contextValue }) => {
      const { body, http } = response;
      if (body.kind !== "single") return;
      const { errors } = body.singleResult;
      const isModern = request.http?.headers.get("accept")?.includes(MEDIA_TYPE) ?? false;
      if (isModern) http.headers.set("content-type", `${MEDIA_TYPE}; charset=utf-8`);
      if (!errors) return;
      body.singleResult.errors = errors.map((error) => withRequestId(error, contextValue.requestId));
      const isRefused = body.singleResult.data === undefined && !errors.some(isOurs);
      if (isRefused) http.status = isModern ? 400 : 200;
    },
  }),
};

const isOurs = ({ extensions }: GraphQLFormattedError) => extensions?.code === "INTERNAL_SERVER_ERROR";

function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, requestId } };
}
