import fs from "node:fs";
import path from "node:path";
import {
  buildSchema,
  findBreakingChanges,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  specifiedRules,
  validate,
  type GraphQLField,
  type GraphQLSchema,
} from "graphql";
import { printOperations, readOperations } from "../../scripts/operations";
import { limitsRule } from "../../src/graphql/limits";
import { createSchema, printedSchema } from "../../src/graphql/schema";
import { visitTabs } from "../../src/playground/tabs";

const FOLDER = path.join(__dirname, "..", "..", "schema");
const read = (file: string) => fs.readFileSync(path.join(FOLDER, file), "utf8");

const faultsOf = (text: string) =>
  validate(createSchema(), parse(text), [...specifiedRules, limitsRule]).map(({ message }) => message);

describe("operations", () => {
  const operations = printOperations(readOperations(path.join(FOLDER, "operations")));

  test.each(operations.map(({ name, text }) => [name, text]))(
    "%s is valid, and within the limits",
    (_, text) => {
      expect(faultsOf(text)).toEqual([]);
    },
  );

  test("the manifest has each of them, by the SHA-256 of its text, and no other", () => {
    const manifest = JSON.parse(read("persisted-documents.json")) as Record<string, string>;
    expect(manifest).toEqual(Object.fromEntries(operations.map(({ hash, text }) => [hash, text])));
    expect(operations.length).toBeGreaterThan(8);
  });

  test("what the playground's tabs begin with is valid", () => {
    for (const { query } of visitTabs("{}")) expect(faultsOf(query)).toEqual([]);
  });

  test.each([
    [
      "two operations of one name",
      "query A { viewer { kind } } query A { viewer { kind } }",
      /two operations are A/,
    ],
    ["an operation without a name", "{ viewer { kind } }", /has no name/],
    ["an unknown fragment", "query A { viewer { ...None } }", /no fragment None/],
  ])("%s is refused", (_, text, message) => {
    expect(() => printOperations([{ file: "a.graphql", document: parse(text) }])).toThrow(message);
  });
});

test("nothing of schema/released.graphql is broken: clients that know it go on", () => {
  expect(findBreakingChanges(buildSchema(read("released.graphql")), createSchema())).toEqual([]);
});

describe("the schema's lint", () => {
  test("finds nothing in the schema as it is printed", () => {
    expect(lint(buildSchema(printedSchema()))).toEqual([]);
  });

  const HEAD = `"""d""" type Query { """d""" a(first: Int, """d""" after: String): AConnection }`;
  const CONNECTION = `"""d""" type AConnection { """d""" nodes: [Int!]! """d""" edges: [Int!]! """d""" pageInfo: Int }`;
  test.each([
    ["argument without a description", `${HEAD} ${CONNECTION}`, ["Query.a(first) has no description"]],
    [
      "list without pages",
      `"""d""" type Query { """d""" a: AConnection } ${CONNECTION}`,
      ["Query.a takes no first and after"],
    ],
    [
      "connection without its fields",
      `"""d""" type Query { """d""" b: Int } """d""" type AConnection { """d""" nodes: Int }`,
      ["AConnection has no edges", "AConnection has no pageInfo"],
    ],
    [
      "names",
      `"""d""" type Query { """d""" bad_field: bad_type } """d""" enum bad_type { """d""" lower }`,
      [
        "Query.bad_field is not in camelCase",
        "bad_type is not in PascalCase",
        "bad_type.lower is not in CAPITALS",
      ],
    ],
    [
      "deprecation without a reason",
      `"""d""" type Query { """d""" a: Int @deprecated """d""" b: Int @deprecated(reason: "Use a.") }`,
      ["Query.a does not say what takes its place"],
    ],
    [
      "mutation without a payload",
      `"""d""" type Query { """d""" a: Int } """d""" type Mutation { """d""" pay: Int }`,
      ["Mutation.pay does not answer PayPayload"],
    ],
    [
      "enum value and input field",
      `"""d""" type Query { """d""" a: E } """d""" enum E { A } """d""" input I { a: Int }`,
      ["E.A has no description", "I.a has no description"],
    ],
  ])("finds what is planted: %s", (_, text, found) => {
    expect(lint(buildSchema(text)).sort()).toEqual(found.sort());
  });
});

interface Element {
  name: string;
  description?: string | null;
  deprecationReason?: string | null;
}

/** The rules of `docs/semantics.md`'s schema that graphql-js does not have. */
function lint(schema: GraphQLSchema): string[] {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  return types.flatMap((type) => {
    const own = [
      ...told(type, type.name),
      ...named(type.name, type.name, /^[A-Z][A-Za-z0-9]*$/, "PascalCase"),
    ];
    if (isEnumType(type))
      return [
        ...own,
        ...type.getValues().flatMap((value) => {
          const name = `${type.name}.${value.name}`;
          return [...told(value, name), ...named(value.name, name, /^[A-Z][A-Z0-9_]*$/, "CAPITALS")];
        }),
      ];
    if (isInputObjectType(type))
      return [...own, ...Object.values(type.getFields()).flatMap((f) => member(f, type.name))];
    if (!isObjectType(type) && !isInterfaceType(type)) return own;
    const fields = Object.values(type.getFields());
    const missing = type.name.endsWith("Connection")
      ? ["edges", "nodes", "pageInfo"].filter((name) => !(name in type.getFields()))
      : [];
    return [
      ...own,
      ...missing.map((name) => `${type.name} has no ${name}`),
      ...fields.flatMap((field) => fieldFaults(type.name, field, type === schema.getMutationType())),
    ];
  });
}

function fieldFaults(owner: string, field: GraphQLField<unknown, unknown>, isMutation: boolean): string[] {
  const name = `${owner}.${field.name}`;
  const args = field.args.map((argument) => argument.name);
  const isList = String(field.type).replace("!", "").endsWith("Connection");
  const isPaged = args.includes("first") && args.includes("after");
  const payload = `${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}Payload`;
  return [
    ...member(field, owner),
    ...field.args.flatMap((argument) => [
      ...told(argument, `${name}(${argument.name})`),
      ...named(argument.name, `${name}(${argument.name})`, CAMEL, "camelCase"),
    ]),
    ...(isList && !isPaged ? [`${name} takes no first and after`] : []),
    ...(isMutation && String(field.type) !== payload ? [`${name} does not answer ${payload}`] : []),
  ];
}

const CAMEL = /^[a-z][A-Za-z0-9]*$/;

const member = (field: Element, owner: string) => [
  ...told(field, `${owner}.${field.name}`),
  ...named(field.name, `${owner}.${field.name}`, CAMEL, "camelCase"),
];

function told({ description, deprecationReason }: Element, name: string): string[] {
  return [
    ...(description?.trim() ? [] : [`${name} has no description`]),
    // GraphQL fills this in where nothing is said.
    ...(deprecationReason === "No longer supported" ? [`${name} does not say what takes its place`] : []),
  ];
}

const named = (name: string, place: string, form: RegExp, called: string) =>
  form.test(name) ? [] : [`${place} is not in ${called}`];
