/** What `--json` decides. */
export interface PrintOptions {
  json?: boolean;
}

/** A row as people see it: by column. */
export type Row = Record<string, string | number | null>;

/** Prints a list: as JSON for programs, else as a table with its columns' names. `none` is said where it is empty. */
export function printList(rows: Row[], none: string, { json }: PrintOptions): void {
  if (json) return console.log(JSON.stringify(rows, null, 2));
  console.log(rows.length === 0 ? none : table(rows));
}

/** Prints one thing: as JSON, else a line for each field. */
export function printOne(thing: Record<string, unknown>, { json }: PrintOptions): void {
  if (json) return console.log(JSON.stringify(thing, null, 2));
  const names = Object.keys(thing);
  const width = Math.max(...names.map((name) => name.length));
  console.log(names.map((name) => `${name.padEnd(width)}  ${shown(thing[name])}`).join("\n"));
}

function table(rows: Row[]): string {
  const names = Object.keys(rows[0] as Row);
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => shown(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Control characters in a name must not move a terminal's cursor; they cannot be stored today, and old rows are old. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return "-";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, "?");
}
