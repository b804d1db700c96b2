import "reflect-metadata";
import { isInputObjectType, lexicographicSortSchema, printSchema, type GraphQLSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { ApiKeyResolver } from "./access/api-key.resolver";
import { MerchantResolver, ViewerResolver } from "./access/viewer.resolver";
import { OperationListResolver } from "./operations/operation-list.resolver";
import { OperationResolver, OperationResultResolver } from "./operations/operation.resolver";
import { EffectListResolver } from "./events/effect-list.resolver";
import { EventListResolver } from "./events/event-list.resolver";
import { EventResolver } from "./events/event.resolver";
import { ChangeResolver } from "./payments/change.resolver";
import { PaymentLifeResolver } from "./payments/payment-life.resolver";
import { RefundResolver } from "./refunds/refund.resolver";
import { PaymentListResolver } from "./payments/payment-list.resolver";
import { PaymentResolver, PixMethodResolver } from "./payments/payment.resolver";
import { checkRules } from "./rules";

/** The public schema. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      PaymentResolver,
      PixMethodResolver,
      PaymentListResolver,
      PaymentLifeResolver,
      ChangeResolver,
      RefundResolver,
      EventResolver,
      EventListResolver,
      EffectListResolver,
      OperationResolver,
      OperationListResolver,
      OperationResultResolver,
      ViewerResolver,
      ApiKeyResolver,
      MerchantResolver,
    ],
    validateFn: checkRules,
  });
  enforceOneOf(schema);
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    if (root) root.description = ROOTS[root.name];
  return schema;
}

/** type-graphql has no place for these. */
const ROOTS: Readonly<Record<string, string>> = {
  Query: "What may be read. All of it is of the caller's merchant.",
  Mutation: "What may be done. What moves money takes a key, and is done once for it.",
};

/** type-graphql prints `@oneOf` but does not enforce it: graphql-js does, on types that say so themselves. */
function enforceOneOf(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type)) continue;
    if (type.astNode?.directives?.some((directive) => directive.name.value === "oneOf")) type.isOneOf = true;
  }
}

/** The schema as it is published: sorted, so that a change shows as what it is. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(createSchema()))}\n`;
}
