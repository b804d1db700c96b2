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

const ROWS = ["An operation may ask for at most 50000 rows: its lists inside lists multiply."];
const LIFE = "operations(first: 100) { nodes { id } } refunds(first: 100) { nodes { id } }";

test.each([
  [
    "a page of payments with their lives",
    `{ payments(first: 100) { nodes { ${LIFE} events(first: 100) { nodes { id } } } } }`,
    [],
  ],
  [
    "a third list in a row",
    `{ payments(first: 100) { nodes { operations(first: 100) { nodes { payment { ${LIFE} } } } } } }`,
    ROWS,
  ],
  [
    "by a variable",
    `query ($n: Int) { payments(first: $n) { nodes { operations(first: $n) { nodes { payment { events(first: $n) { nodes { id } } } } } } } }`,
    ROWS,
  ],
  [
    "by aliases",
    `{ ${["a", "b", "c", "d", "e", "f"].map((name) => `${name}: payments(first: 100) { nodes { operations(first: 100) { nodes { id } } } }`).join(" ")} }`,
    ROWS,
  ],
  [
    "in fragments",
    `{ payments(first: 100) { ...A } } fragment A on PaymentConnection { nodes { operations(first: 100) { ...B } } } fragment B on OperationConnection { nodes { payment { refunds(first: 100) { nodes { id } } } } }`,
    ROWS,
  ],
])("rows: %s", (_, document, faults) => {
  expect(faultsOf(document)).toEqual(faults);
});

test.each([
  ["twelve levels of fields", nested(12, "a"), []],
  ["thirteen", nested(13, "a"), ["An operation may be at most 12 levels deep."]],
  ["sixteen levels of introspection", `{ __schema ${nested(15, "a")} }`, []],
  ["seventeen", `{ __schema ${nested(16, "a")} }`, ["An operation may be at most 12 levels deep."]],
])("%s", (_, document, faults) => {
  expect(faultsOf(document)).toEqual(faults);
});
