import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Kind, parse, print, visit, type DocumentNode, type FragmentDefinitionNode } from "graphql";

/** One file of operations or fragments. */
export interface OperationFile {
  file: string;
  document: DocumentNode;
}

/** One operation as it is sent: with the fragments that it uses, and nothing else. */
export interface PrintedOperation {
  name: string;
  kind: "Query" | "Mutation" | "Subscription";
  text: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
}

/** Reads every document of a folder, in the order of its names. */
export function readOperations(folder: string): OperationFile[] {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(".graphql"));
  return files.sort().map((file) => {
    return { file, document: parse(fs.readFileSync(path.join(folder, file), "utf8"), { noLocation: true }) };
  });
}

/**
 * Prints the operations, sorted by their names.
 * @throws Error where two operations or fragments have one name, or an operation has none
 */
export function printOperations(files: OperationFile[]): PrintedOperation[] {
  const definitions = files.flatMap(({ document }) => document.definitions);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    if (fragments.has(definition.name.value)) throw new Error(`two fragments are ${definition.name.value}`);
    fragments.set(definition.name.value, definition);
  }
  const printed = definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    if (!definition.name) throw new Error("an operation has no name");
    const used = usedBy(definition, fragments);
    const text = print({ kind: Kind.DOCUMENT, definitions: [definition, ...used] });
    const kind = KINDS[definition.operation];
    return [
      { name: definition.name.value, kind, text, hash: createHash("sha256").update(text).digest("hex") },
    ];
  });
  const names = printed.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`two operations are ${twice}`);
  return printed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const KINDS = { query: "Query", mutation: "Mutation", subscription: "Subscription" } as const;

/** The fragments of a definition and of each other, sorted by their names. */
function usedBy(
  definition: DocumentNode["definitions"][number],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FragmentDefinitionNode[] {
  const found = new Map<string, FragmentDefinitionNode>();
  const look = (node: DocumentNode["definitions"][number]): void => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment) throw new Error(`there is no fragment ${name.value}`);
        if (found.has(name.value)) return;
        found.set(name.value, fragment);
        look(fragment);
      },
    });
  };
  look(definition);
  return [...found.values()].sort((a, b) => (a.name.value < b.name.value ? -1 : 1));
}
