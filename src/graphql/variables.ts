import type { ApolloServerPlugin } from "@apollo/server";
import {
  coerceInputValue,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from "graphql";
import type { FieldFault } from "../shared/refusal";
import { badInput } from "./rules";

/**
 * Tells what is wrong with variables in the same shape as the rules of values do: BAD_USER_INPUT with every path. Graphql-js
 * alone would stop at a text that quotes the value.
 */
export const variablesPlugin: ApolloServerPlugin = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ operation, request, schema }) => {
      if (!operation) return;
      const given = request.variables ?? {};
      const faults = (operation.variableDefinitions ?? []).flatMap((definition) =>
        faultsOfVariable(schema, operation, definition, given),
      );
      if (faults.length === 0) return;
      const { message, code } = badInput(faults);
      throw new GraphQLError(message, { extensions: { code, fields: faults } });
    },
  }),
};

function faultsOfVariable(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  definition: VariableDefinitionNode,
  given: Record<string, unknown>,
): FieldFault[] {
  const name = definition.variable.name.value;
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return [];
  const path = argumentOf(operation, name);
  const value = given[name];
  if (value === undefined)
    return isNonNullType(type) && !definition.defaultValue ? [{ path, message: "is required" }] : [];
  const faults: FieldFault[] = [];
  coerceInputValue(value, type, (inner, _, error) => {
    faults.push(faultOf(schema, [path, ...inner].join("."), error.message));
  });
  return faults;
}

/** The argument that a variable is given to, as a caller thinks in arguments; else the variable's own name. */
function argumentOf(operation: OperationDefinitionNode, variable: string): string {
  for (const field of operation.selectionSet.selections) {
    if (field.kind !== Kind.FIELD) continue;
    const argument = field.arguments?.find(
      ({ value }) => value.kind === Kind.VARIABLE && value.name.value === variable,
    );
    if (argument) return argument.name.value;
  }
  return variable;
}

/** Graphql-js says it in a text that quotes names and values; we say the rule. */
function faultOf(schema: GraphQLSchema, path: string, message: string): FieldFault {
  const missing = /^Field "(\w+)" of required type/.exec(message)?.[1];
  if (missing !== undefined) return { path: `${path}.${missing}`, message: "is required" };
  const unknown = /^Field "([^"]*)" is not defined by type/.exec(message)?.[1];
  if (unknown !== undefined)
    return { path: /^\w{1,60}$/.test(unknown) ? `${path}.${unknown}` : path, message: "is not a field" };
  if (message.startsWith("Expected non-nullable type")) return { path, message: "must not be null" };
  const oneOf = schema.getType(/OneOf type "(\w+)"/i.exec(message)?.[1] ?? "");
  if (isInputObjectType(oneOf))
    return { path, message: `must have exactly one of ${Object.keys(oneOf.getFields()).join(", ")}` };
  const enumeration = schema.getType(/"(\w+)" enum|Enum "(\w+)"/.exec(message)?.slice(1).find(Boolean) ?? "");
  if (isEnumType(enumeration))
    return {
      path,
      message: `must be one of ${enumeration
        .getValues()
        .map((value) => value.name)
        .join(", ")}`,
    };
  const scalar = /(\w+) must be (an? [\w ]+)$/.exec(message)?.[2];
  if (scalar !== undefined) return { path, message: `must be ${scalar}` };
  const type = /^Expected type "(\w+)"|^(\w+) cannot represent/.exec(message)?.slice(1).find(Boolean);
  return { path, message: type === undefined ? "has the wrong type" : `must be of type ${type}` };
}
