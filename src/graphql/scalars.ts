import { GraphQLScalarType, Kind, type ValueNode } from "graphql";

/** What a scalar does not take is told by its JSON type alone: the value is never repeated, and its rules are checked later. */
function misfit(name: string, wanted: string): never {
  throw new TypeError(`${name} must be ${wanted}`);
}

function text(name: string, description: string): GraphQLScalarType<string, string> {
  const parse = (value: unknown) => (typeof value === "string" ? value : misfit(name, "a string"));
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => String(value),
    parseValue: parse,
    parseLiteral: (node) => (node.kind === Kind.STRING ? node.value : misfit(name, "a string")),
  });
}

/** See its description. */
export const IdempotencyKeyScalar = text(
  "IdempotencyKey",
  "Names one intent: 1 to 100 visible ASCII characters (! to ~), compared byte for byte, without trimming or case folding. Choose one for each intent (an order's id, a stored random value), store it before you send it, and send the same one again after a timeout.",
);

/** See its description. */
export const DecimalScalar = text(
  "Decimal",
  'An exact decimal number in a string, never a float: "10", "10.5", "10.50". No sign, no exponent, at most as many decimals as the currency has.',
);

/** See its description. */
export const CurrencyCodeScalar = text(
  "CurrencyCode",
  "An ISO 4217 code in upper case, such as BRL, that the gateway knows the number of decimals of.",
);

/** See its description. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: "DateTime",
  description: "An instant in RFC 3339, in UTC, with milliseconds: 2026-12-01T09:30:00.000Z.",
  serialize: (value) => new Date(value as Date | string).toISOString(),
  parseValue: (value) => (typeof value === "string" ? instant(value) : misfit("DateTime", "a string")),
  parseLiteral: (node) => (node.kind === Kind.STRING ? instant(node.value) : misfit("DateTime", "a string")),
});

function instant(value: string): Date {
  const whole = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/.test(value);
  const date = new Date(value);
  return whole && !Number.isNaN(date.getTime())
    ? date
    : misfit("DateTime", "an RFC 3339 instant with an offset");
}

/** See its description. */
export const MetadataScalar = new GraphQLScalarType<object, unknown>({
  name: "Metadata",
  description:
    "Your own notes on a payment: a flat object of at most 50 string values; keys of 1 to 40 characters, values of at most 500. Not part of the content that an idempotency key stands for.",
  serialize: (value) => value,
  parseValue: (value) => (isObject(value) ? value : misfit("Metadata", "an object")),
  parseLiteral: (node, variables) => {
    const value = node.kind === Kind.OBJECT ? literal(node, variables ?? {}) : null;
    return isObject(value) ? value : misfit("Metadata", "an object");
  },
});

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An inline value as the JSON that it would be in a variable. */
function literal(node: ValueNode, variables: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return variables[node.name.value];
    case Kind.LIST:
      return node.values.map((item) => literal(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literal(field.value, variables)]),
      );
  }
}
