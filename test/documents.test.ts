import fs from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");

const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  ...fs.readdirSync(path.join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`),
];

test.each(DOCUMENTS)("every file that %s names exists", (document) => {
  const text = read(document);
  const named = [
    ...[...text.matchAll(/`((?:src|test|migrations|schema|docs|scripts|bin)\/[\w./-]+\.\w+)`/g)].map(
      (found) => found[1] ?? "",
    ),
    ...[...text.matchAll(/\]\((?!https?:)([\w./-]+)\)/g)].map((found) =>
      path.join(path.dirname(document), found[1] ?? ""),
    ),
  ];
  expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
  if (document === "ARCHITECTURE.md") expect(named.length).toBeGreaterThan(30);
});

test("README's table has every setting, and no other", () => {
  const known = [...read("src/config.ts").matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map((found) => found[1]);
  const table = read("README.md").split("## Settings")[1]?.split("\n## ")[0] ?? "";
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  const told = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)].map((found) => found[1]),
  );
  expect(told.sort()).toEqual(known.sort());
});
