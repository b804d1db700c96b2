import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

// ── The rules ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Where money is decided; and what is under each of its features. */
const UNDER_PAYMENTS = ["access", "idempotency", "outbox", "providers", "db", "shared", "app", "config"];
const FEATURES = [...UNDER_PAYMENTS, "payments", "refunds", "inbox", "reconciliation"];

/**
 * What may import what, by path under src: a folder or a file at the left, the only folders and files that it may see at
 * the right, besides itself and packages. A folder that is not here has no place in the picture yet.
 */
const ARROWS: Record<string, readonly string[]> = {
  shared: [],
  config: ["shared"],
  entities: FEATURES,
  migrations: [],
  db: ["shared", "entities", "migrations"],
  access: ["db", "shared"],
  idempotency: ["db", "shared"],
  outbox: ["db", "shared"],
  providers: ["shared", "config"], // a connector cannot see a transaction
  app: ["access", "idempotency", "outbox", "providers", "db", "shared", "config"],
  payments: UNDER_PAYMENTS,
  refunds: [...UNDER_PAYMENTS, "payments"],
  inbox: [...UNDER_PAYMENTS, "payments", "refunds"],
  reconciliation: [...UNDER_PAYMENTS, "payments", "refunds", "inbox"],
  graphql: FEATURES,
  http: [...FEATURES, "graphql"],
  worker: FEATURES,
  main: FEATURES,
  cli: [...FEATURES, "graphql", "http", "worker", "main", "sandbox"],
  sandbox: ["shared/assert"], // it stands for somebody else's server
  client: [],
  console: ["client"], // front ends import no server code
  playground: ["client"],
};

/** Packages that would bring a transaction where none may be. */
const KEPT_OUT = { under: "src/providers/", but: /\.entity\.ts$/, packages: ["typeorm", "pg"] };

/** What reads the environment: the settings, and the commands that hand it on to processes of theirs. */
const READS_ENVIRONMENT = /^src\/(config\.ts|cli\/)/;

/** Types that hold a transaction, types by which a network is reached, and calls that reach one. */
const TRANSACTION = ["Tx", "Reader"];
const NETWORK = ["App", "Provider", "Providers"];
const NETWORK_CALL = /^(fetch|https?\.(request|get)|net\.(connect|createConnection)|tls\.connect)$/;
const OPENS_TRANSACTION = /^(inTransaction|readOnly)$/;

const FUNCTION_LINES = 60;
const FILE_LINES = 300;
const PARAMETERS = 4;
/** Signatures that a package dictates: `path name`. */
const DICTATED = ["src/providers/stripe/http-client.ts makeRequest"];
/** A tool asks for it by name. */
const MAY_DEFAULT_EXPORT = /(^|\/)vite\.config\.ts$/;
/** What a package's users import: it only passes on. */
const PACKAGE_ENTRY = "src/client/entry.ts";
/** Made by a tool. */
const GENERATED = "src/client/generated.ts";
/** Words that say nothing of what a thing does. */
const EMPTY_WORDS = /^(service|manager|helper|util|utility|utilitie|common)s?$/;
/** The domain services that resolvers call. */
const DOMAIN_SERVICES = ["payment-service", "PaymentService"];

// ── What is checked ─────────────────────────────────────────────────────────────────────────────────────────────

type Sources = Map<string, ts.SourceFile>;
type Check = (sources: Sources) => string[];

const CHECKS: Record<string, Check> = {
  "imports follow the arrows": arrows,
  "no import cycle exists": cycles,
  "only config.ts and the commands read the environment": environment,
  "what holds a transaction cannot reach a network": networkInTransaction,
  "a transaction's closure is a single call": singleCall,
  "functions, parameters and files stay small": numbers,
  "nothing is exported by default or passed on": exportForms,
  "nothing is of type any": anyTypes,
  "names say what a thing does": names,
  "every exported declaration says what it means": docstrings,
};

describe("the house", () => {
  const sources = readSources("src");

  test("has sources, and they are read", () => {
    expect([...sources.keys()]).toEqual(expect.arrayContaining(["src/config.ts", "src/shared/money.ts"]));
  });

  test.each(Object.entries(CHECKS))("%s", (_, check) => {
    expect(check(sources)).toEqual([]);
  });
});

/** A file that breaks the rule at these lines; and a good twin of it, in which nothing is found. */
interface Planted {
  file: string;
  bad: string;
  lines: number[];
  good?: string;
}

// prettier-ignore
const PLANTED: Record<keyof typeof CHECKS, Planted[]> = {
  "imports follow the arrows": [
    { file: "shared/a", bad: `\nimport { x } from "../db/x";`, lines: [2], good: `import { x } from "./x"; import { v7 } from "uuid";` },
    { file: "access/a", bad: `import type { P } from "../payments/p";`, lines: [1], good: `import type { P } from "../db/p";` },
    { file: "providers/stripe/a", bad: `import { DataSource } from "typeorm";`, lines: [1], good: `import { P } from "../provider";` },
    { file: "providers/a", bad: `const x = await import("../db/transaction");`, lines: [1], good: `const x = await import("../shared/x");` },
    { file: "payments/a", bad: `type A = import("../graphql/x").A; export * from "../http/x";`, lines: [1, 1] },
    { file: "sandbox/a", bad: `import { x } from "../shared/money";`, lines: [1], good: `import { x } from "../shared/assert";` },
    { file: "elsewhere/a", bad: ``, lines: [1] },
  ],
  "no import cycle exists": [
    { file: "db/a", bad: `import "./a";`, lines: [1], good: `import "./c"; import "./b";` },
    { file: "db/c", bad: `import "./b";`, lines: [1], good: `import "fastify";` },
    { file: "db/c", bad: `export type { B } from "./a";\nimport "./d";`, lines: [1] },
  ],
  "only config.ts and the commands read the environment": [
    { file: "http/a", bad: `\n\nconst port = process.env.PORT;`, lines: [3], good: `const env = { env: process.pid };` },
    { file: "http/a", bad: `import { env } from "node:process";\nconst { env: e } = process;\nprocess["env"];`, lines: [1, 2, 3] },
  ],
  "what holds a transaction cannot reach a network": [
    { file: "payments/a", bad: `function f(tx: Tx, app: App) {}`, lines: [1], good: `function f(app: App, work: (tx: Tx) => void) {}` },
    { file: "payments/a", bad: `const f = (tx: Tx) => fetch("x");`, lines: [1], good: `const f = (app: App) => fetch("x");` },
    {
      file: "payments/a",
      bad: `interface Held { deep: { p: Provider } }\nfunction f(tx: Tx, held: Held) {}`, lines: [2],
      good: `interface Held { ask(p: Provider): void }\nfunction f(tx: Tx, held: Held) {}`,
    },
    { file: "payments/a", bad: `class S {\n constructor(private app: App) {}\n write(tx: Tx) {}\n}`, lines: [3], good: `class S { write(tx: Tx) {} }` },
  ],
  "a transaction's closure is a single call": [
    { file: "db/a", bad: `inTransaction(db, m, async (tx) => { await a(tx); await b(); });`, lines: [1], good: `inTransaction(db, m, (tx) => a(tx));` },
    { file: "db/a", bad: `readOnly(db, m, async (tx) => a(tx, await ask()));`, lines: [1], good: `readOnly(db, m, (read) => read.sql("select 1"));` },
    { file: "db/a", bad: `inTransaction(db, m, () => provider.authorize(x));`, lines: [1], good: `inTransaction(db, m, claimAll);` },
  ],
  "functions, parameters and files stay small": [
    { file: "db/a", bad: `function f() {${"\n".repeat(FUNCTION_LINES)}}`, lines: [1], good: `function f() {${"\n".repeat(FUNCTION_LINES - 1)}}` },
    { file: "db/a", bad: `class A { constructor(a: 1, b: 2, c: 3, d: 4, e: 5) {} }`, lines: [1], good: `const f = (a: 1, b: 2, c: 3, d: 4) => {};` },
    { file: "db/a", bad: "\n".repeat(FILE_LINES + 1), lines: [FILE_LINES + 1], good: "\n".repeat(FILE_LINES) },
  ],
  "nothing is exported by default or passed on": [
    { file: "db/a", bad: `export default function f() {}`, lines: [1], good: `export function f() {}` },
    { file: "db/a", bad: `const a = 1;\nexport default a;`, lines: [2], good: `const a = 1;` },
    { file: "db/a", bad: `export * from "./b";\nexport { b } from "./b";`, lines: [1, 2] },
    { file: "db/index", bad: ``, lines: [1] },
  ],
  "nothing is of type any": [
    { file: "db/a", bad: `let a: Record<string, any>;\nlet b = a as any;`, lines: [1, 2], good: `let any: unknown;` },
  ],
  "names say what a thing does": [
    { file: "db/string-utils", bad: ``, lines: [1] },
    { file: "db/a", bad: `export class StoreService {}\nexport const MY_HELPERS = 1;`, lines: [1, 2], good: `export class PaymentService {}` },
  ],
  "every exported declaration says what it means": [
    {
      file: "db/a",
      bad: `/** Told. */\nexport const a = 1;\nexport type B = 2;\n/** */\nexport function c() {}`, lines: [3, 5],
      good: `/** Told. */\nexport const a = 1;\nconst b = 2;`,
    },
  ],
};

/** What stands around what is planted, without a fault of its own. */
const AROUND = { "src/db/a.ts": `import "./b";`, "src/db/b.ts": `import type { C } from "./c";` };

describe("the checks themselves", () => {
  const cases = Object.entries(PLANTED).flatMap(([rule, planted]) =>
    planted.map((each) => ({ rule, ...each })),
  );

  test.each(cases)("find what is planted: $rule ($file, $#)", ({ rule, file, bad, lines, good }) => {
    const found = (text: string) => (CHECKS[rule] as Check)(parse({ ...AROUND, [`src/${file}.ts`]: text }));
    expect(found(bad).map((line) => line.split(" ")[0])).toEqual(
      lines.map((line) => `src/${file}.ts:${line}`),
    );
    if (good !== undefined) expect(found(good)).toEqual([]);
  });

  test("are each proved by a planted source", () => {
    expect(Object.keys(PLANTED)).toEqual(Object.keys(CHECKS));
  });
});

// ── How it is checked ───────────────────────────────────────────────────────────────────────────────────────────

function readSources(root: string): Sources {
  const repository = path.join(__dirname, "..");
  const files = fs.readdirSync(path.join(repository, root), { recursive: true, encoding: "utf8" });
  const written = files.filter(
    (file) => /\.tsx?$/.test(file) && !/\.d\.ts$|node_modules|\bdist\b/.test(file),
  );
  const texts = written
    .map((file) => path.posix.join(root, file.split(path.sep).join("/")))
    .filter((file) => file !== GENERATED);
  return parse(
    Object.fromEntries(texts.map((file) => [file, fs.readFileSync(path.join(repository, file), "utf8")])),
  );
}

function parse(texts: Record<string, string>): Sources {
  const trees = Object.entries(texts).map(
    ([file, text]) => [file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)] as const,
  );
  return new Map(trees);
}

const lineOf = (tree: ts.SourceFile, position: number) =>
  tree.getLineAndCharacterOfPosition(position).line + 1;

/** A finding as `path:line rule`, which editors open. A whole file is found at its first line. */
function at(node: ts.Node, rule: string): string {
  const tree = node.getSourceFile();
  return `${tree.fileName}:${node === tree ? 1 : lineOf(tree, node.getStart())} ${rule}`;
}

/** Every node of a tree, or of a part of it, that `wanted` accepts. */
function all<T extends ts.Node>(root: ts.Node, wanted: (node: ts.Node) => node is T): T[] {
  const found: T[] = wanted(root) ? [root] : [];
  ts.forEachChild(root, (child) => void found.push(...all(child, wanted)));
  return found;
}

function everywhere<T extends ts.Node>(sources: Sources, wanted: (node: ts.Node) => node is T): T[] {
  return [...sources.values()].flatMap((tree) => all(tree, wanted));
}

/** What a file imports or passes on, types too, with the place; packages by name and files by path without extension. */
function importsOf(tree: ts.SourceFile): { node: ts.Node; to: string }[] {
  const specifiers = all(tree, ts.isStringLiteral).filter(({ parent }) => {
    if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent);
    if (ts.isCallExpression(parent)) return /^(import|require)$/.test(parent.expression.getText());
    return (
      ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isExternalModuleReference(parent)
    );
  });
  return specifiers.map((node) => ({
    node,
    to: node.text.startsWith(".") ? path.posix.join(path.posix.dirname(tree.fileName), node.text) : node.text,
  }));
}

const withoutRoot = (file: string) => file.replace(/^src\//, "").replace(/\.tsx?$/, "");

function arrows(sources: Sources): string[] {
  return [...sources.values()].flatMap((tree) => {
    const from = withoutRoot(tree.fileName).split("/")[0] as string;
    const allowed = ARROWS[from];
    if (!allowed) return [at(tree, `${from} has no place in the picture: give it its arrows`)];
    const packages =
      tree.fileName.startsWith(KEPT_OUT.under) && !KEPT_OUT.but.test(tree.fileName) ? KEPT_OUT.packages : [];
    const isAllowed = (to: string) => {
      if (!/^(src|migrations)\//.test(to)) return !packages.includes(to);
      return [from, ...allowed].some((place) => `${withoutRoot(to)}/`.startsWith(`${place}/`));
    };
    return importsOf(tree).flatMap(({ node, to }) =>
      isAllowed(to) ? [] : [at(node, `${from} must not see ${to}`)],
    );
  });
}

function cycles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: string[]) => {
    if (done.has(file)) return;
    for (const { node, to } of importsOf(sources.get(file) as ts.SourceFile)) {
      const next = [`${to}.ts`, `${to}.tsx`, `${to}/index.ts`, to].find((candidate) =>
        sources.has(candidate),
      );
      if (next === undefined) continue;
      const place = [...way, file].indexOf(next);
      if (place >= 0)
        found.push(at(node, `closes a cycle: ${[...way, file].slice(place).join(" → ")} → ${next}`));
      else visit(next, [...way, file]);
    }
    done.add(file);
  };
  [...sources.keys()].forEach((file) => visit(file, []));
  return found;
}

/** Found by how it is written: `process.env`, `process["env"]`, `{ env } = process`, `{ env } from "process"`. */
const ENVIRONMENT =
  /\bprocess\??\.?(\.|\[["'`])env\b|\benv\b[^;=]*\}\s*(=\s*process\b(?!\.)|from\s*["'](node:)?process\b)/g;

function environment(sources: Sources): string[] {
  return [...sources.values()].flatMap((tree) => {
    if (READS_ENVIRONMENT.test(tree.fileName)) return [];
    return [...tree.text.matchAll(ENVIRONMENT)].map(
      ({ index }) => `${tree.fileName}:${lineOf(tree, index)} only config.ts reads the environment`,
    );
  });
}

type Holder = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration;
const isHolder = (node: ts.Node): node is Holder =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);

/** The names of types that a type holds: what its functions take or give is not held. */
function heldBy(node: ts.Node): string[] {
  if (ts.isTypeReferenceNode(node))
    return [node.typeName.getText(), ...(node.typeArguments ?? []).flatMap(heldBy)];
  if (ts.isClassDeclaration(node))
    return node.members.flatMap((member) =>
      ts.isConstructorDeclaration(member)
        ? member.parameters.flatMap(heldBy)
        : ts.isPropertyDeclaration(member) && member.type
          ? heldBy(member.type)
          : [],
    );
  if (ts.isParameter(node)) return node.type ? heldBy(node.type) : [];
  if (ts.isFunctionLike(node)) return [];
  const held: string[] = [];
  ts.forEachChild(node, (child) => void held.push(...heldBy(child)));
  return held;
}

/** These names, and those of every type that holds one of them, however deep. */
function holdersOf(names: readonly string[], declared: Holder[]): Set<string> {
  const known = new Set(names);
  for (let before = -1; before < known.size;) {
    before = known.size;
    for (const holder of declared)
      if (holder.name && heldBy(holder).some((name) => known.has(name))) known.add(holder.name.text);
  }
  return known;
}

function networkInTransaction(sources: Sources): string[] {
  const declared = everywhere(sources, isHolder);
  const transactions = holdersOf(TRANSACTION, declared);
  const networks = holdersOf(NETWORK, declared);
  const calls = (node: ts.Node) =>
    all(node, ts.isCallExpression).some((call) => NETWORK_CALL.test(call.expression.getText()));
  return everywhere(sources, ts.isFunctionLike).flatMap((node) => {
    const held = node.parameters.flatMap(heldBy);
    if (!held.some((name) => transactions.has(name))) return [];
    const own = ts.isClassDeclaration(node.parent) ? heldBy(node.parent) : [];
    const reaches = [...held, ...own].some((name) => networks.has(name)) || calls(node);
    return reaches ? [at(node, "holds a transaction and reaches a network")] : [];
  });
}

function singleCall(sources: Sources): string[] {
  return everywhere(sources, ts.isCallExpression)
    .filter((call) => OPENS_TRANSACTION.test(call.expression.getText()))
    .filter((call) => !isSingleCall(call.arguments[call.arguments.length - 1]))
    .map((call) => at(call, "its closure must be a single call with the transaction"));
}

function isSingleCall(work: ts.Expression | undefined): boolean {
  if (!work || ts.isIdentifier(work)) return work !== undefined;
  if (!ts.isArrowFunction(work) || !ts.isCallExpression(work.body) || work.modifiers) return false;
  const transaction = work.parameters[0]?.name.getText();
  return all(work.body, ts.isIdentifier).some(({ text }) => text === transaction);
}

function numbers(sources: Sources): string[] {
  const long = [...sources.values()].flatMap((tree) => {
    const lines = tree.text.replace(/\n$/, "").split("\n").length;
    return lines > FILE_LINES ? [`${tree.fileName}:${lines} the file has more than ${FILE_LINES} lines`] : [];
  });
  const large = everywhere(sources, ts.isFunctionLike).flatMap((node) => {
    const tree = node.getSourceFile();
    const lines = lineOf(tree, node.end) - lineOf(tree, node.getStart()) + 1;
    const isDictated = DICTATED.includes(`${tree.fileName} ${node.name?.getText()}`);
    const takes = isDictated ? 0 : node.parameters.length;
    return [
      ...(lines > FUNCTION_LINES ? [at(node, `the function has ${lines} lines`)] : []),
      ...(takes > PARAMETERS ? [at(node, `it takes ${takes} parameters`)] : []),
    ];
  });
  return [...long, ...large];
}

function exportForms(sources: Sources): string[] {
  return [...sources.values()].flatMap((tree) => {
    if (/(^|\/)index\.tsx?$/.test(tree.fileName)) return [at(tree, "an index file is a barrel")];
    return tree.statements.flatMap((node) => {
      if (ts.isExportDeclaration(node) && tree.fileName === PACKAGE_ENTRY) return [];
      if (ts.isExportDeclaration(node)) return [at(node, "exports stand where the thing is declared")];
      const isDefault =
        ts.isExportAssignment(node) || modifiersOf(node).includes(ts.SyntaxKind.DefaultKeyword);
      return isDefault && !MAY_DEFAULT_EXPORT.test(tree.fileName) ? [at(node, "is exported by default")] : [];
    });
  });
}

function anyTypes(sources: Sources): string[] {
  const isAny = (node: ts.Node): node is ts.KeywordTypeNode => node.kind === ts.SyntaxKind.AnyKeyword;
  return everywhere(sources, isAny).map((node) => at(node, "is of type any"));
}

const modifiersOf = (node: ts.Node) =>
  ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []).map(({ kind }) => kind) : [];

/** The exported declarations at the top of a file. */
function exportedOf(tree: ts.SourceFile): ts.Statement[] {
  return tree.statements.filter((node) => modifiersOf(node).includes(ts.SyntaxKind.ExportKeyword));
}

function namesOf(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = node as ts.DeclarationStatement;
  return name ? [name.getText()] : [];
}

function isEmptyName(name: string): boolean {
  if (DOMAIN_SERVICES.includes(name)) return false;
  return name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).some((word) => EMPTY_WORDS.test(word.toLowerCase()));
}

function names(sources: Sources): string[] {
  return [...sources.values()].flatMap((tree) => {
    const base = path.posix.basename(tree.fileName).replace(/\.tsx?$/, "");
    const folder = path.posix.dirname(tree.fileName);
    return [
      ...(isEmptyName(base) || isEmptyName(folder) ? [at(tree, "the file's name says nothing")] : []),
      ...exportedOf(tree).flatMap((node) =>
        namesOf(node).some(isEmptyName) ? [at(node, "its name says nothing")] : [],
      ),
    ];
  });
}

function docstrings(sources: Sources): string[] {
  return [...sources.values()].flatMap((tree) => {
    const told = new Set<string>();
    return exportedOf(tree).flatMap((node) => {
      const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
      const isTold =
        comments.some(({ comment, tags }) => comment || tags?.length) ||
        namesOf(node).some((name) => told.has(name));
      namesOf(node).forEach((name) => told.add(name)); // an overload is told once
      return isTold ? [] : [at(node, `${namesOf(node).join(", ")} has no docstring`)];
    });
  });
}
