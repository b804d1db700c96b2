import fs from "node:fs";
import path from "node:path";
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";
import { createSchema, printedSchema } from "../../src/graphql/schema";

const schema = createSchema();
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

test("schema/schema.graphql is what the classes make: run `npm run schema`", () => {
  const file = path.join(__dirname, "../../schema/schema.graphql");
  expect(fs.readFileSync(file, "utf8")).toBe(printedSchema());
});

test("every element has a description", () => {
  const bare: string[] = [];
  const see = (name: string, element: { description?: string | null }) => {
    if (!element.description) bare.push(name);
  };
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of types) {
    if (!roots.some((root) => root === type)) see(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) see(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) see(`${type.name}.${field.name}`, field);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      see(`${type.name}.${field.name}`, field);
      for (const argument of field.args) see(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  expect(bare).toEqual([]);
});

test("oneOf is enforced, and printed", () => {
  const oneOfs = types.filter((type) => isInputObjectType(type) && type.isOneOf).map((type) => type.name);
  expect(oneOfs).toEqual(expect.arrayContaining(["PaymentMethodInput", "PaymentBy", "OperationBy"]));
  for (const name of oneOfs) expect(printedSchema()).toContain(`input ${name} @oneOf {`);
});

test("mutation fields are nullable, so that the failure of one cannot blank another's answer", () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter((field) => String(field.type).endsWith("!")).map((field) => field.name)).toEqual([]);
});
