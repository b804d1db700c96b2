import { getIntrospectionQuery, parse, validate } from "graphql";
import { limitsRule } from "../../src/graphql/limits";
import { createSchema } from "../../src/graphql/schema";

const schema = createSchema();
const faultsOf = (document: string) =>
  validate(schema, parse(document, { noLocation: true }), [limitsRule]).map(({ message }) => message);

/** `{ name { name { … name } } }` */
const nested = (levels: number, name: string) =>
  `${`{ ${name} `.repeat(levels - 1)}{ id }${" }".repeat(levels - 1)}`;

test.each([
  ["graphql-js's own", getIntrospectionQuery()],
  ["what GraphiQL asks for", getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true })],
])("introspection is let through: %s", (_, document) => {
  expect(faultsOf(document)).toEqual([]);
});

test.each([
  ["twelve levels of fields", nested(12, "a"), []],
  ["thirteen", nested(13, "a"), ["An operation may be at most 12 levels deep."]],
  ["sixteen levels of introspection", `{ __schema ${nested(15, "a")} }`, []],
  ["seventeen", `{ __schema ${nested(16, "a")} }`, ["An operation may be at most 12 levels deep."]],
])("%s", (_, document, faults) => {
  expect(faultsOf(document)).toEqual(faults);
});
