// `npm run codegen`: makes the types of `schema/operations` for clients, and the manifest of what may be sent by its hash.
import { codegen } from "@graphql-codegen/core";
import * as operationTypes from "@graphql-codegen/typescript-operations";
import fs from "node:fs";
import path from "node:path";
import { parse } from "graphql";
import prettier from "prettier";
import { printOperations, readOperations, type PrintedOperation } from "./operations";

const ROOT = path.join(__dirname, "..");

async function main(): Promise<void> {
  const documents = readOperations(path.join(ROOT, "schema", "operations"));
  const operations = printOperations(documents);
  const schema = parse(fs.readFileSync(path.join(ROOT, "schema", "schema.graphql"), "utf8"));
  const types = await codegen({
    filename: "src/client/generated.ts",
    schema,
    documents: documents.map(({ file, document }) => ({ location: file, document })),
    config: { scalars: SCALARS, immutableTypes: true, skipTypename: true },
    plugins: [{ types: {} }, { documents: {} }],
    pluginMap: { types: operationTypes, documents: { plugin: () => typedDocuments(operations) } },
  });
  const file = path.join(ROOT, "src", "client", "generated.ts");
  const style = await prettier.resolveConfig(file);
  fs.writeFileSync(file, await prettier.format(`${HEAD}${types}`, { ...style, parser: "typescript" }));
  const manifest = Object.fromEntries(operations.map(({ hash, text }) => [hash, text]));
  fs.writeFileSync(
    path.join(ROOT, "schema", "persisted-documents.json"),
    `${JSON.stringify(manifest, null, 2)}\n`,
  );
}

const HEAD = `// Made by \`npm run codegen\` of schema/operations: change those.
import type { OperationDocument } from "./sender.ts";

`;

/** How each scalar of ours is in JSON. */
const TEXT = { input: "string", output: "string" };
const SCALARS = {
  CurrencyCode: TEXT,
  DateTime: TEXT,
  Decimal: TEXT,
  ID: TEXT,
  IdempotencyKey: TEXT,
  Metadata: { input: "Record<string, string>", output: "Record<string, string>" },
};

/** Each operation as what a client sends, with its types. */
function typedDocuments(operations: PrintedOperation[]): string {
  return operations
    .map(({ name, kind, hash, text }) => {
      const types = `${name}${kind}, ${name}${kind}Variables`;
      return `/** ${kind} ${name}, of \`schema/operations\`. */\nexport const ${name}: OperationDocument<${types}> = {\n  hash: "${hash}",\n  text: ${JSON.stringify(text)},\n};`;
    })
    .join("\n\n");
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
