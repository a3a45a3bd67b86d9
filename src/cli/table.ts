import { printable } from '../domain/plain-text';

/** A row or rows for people; `--json` prints the value itself. */
type Row = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>>
>;
export type Output = Row | readonly Row[];
/** Rows that are read, and printed, in parts. */
export type Pages = AsyncIterable<readonly Row[]>;

/** One line for each row, one column for each field, as wide as its longest value. */
export function asTable(output: Output): string {
  const rows = rowsOf(output);
  const names = namesOf(rows);
  return names.length === 0 ? '(none)' : linesOf([names, ...cellsOf(rows, names)]);
}

/** Prints pages as one table. Each page has columns as wide as its own longest values. */
export async function printTable(pages: Pages, print: (text: string) => void): Promise<void> {
  let names: string[] = [];
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    const isFirst = names.length === 0;
    if (isFirst) names = namesOf(rows);
    const cells = cellsOf(rows, names);
    print(linesOf(isFirst ? [names, ...cells] : cells));
  }
  if (names.length === 0) print('(none)');
}

/** Prints pages as one JSON array. */
export async function printArray(pages: Pages, print: (text: string) => void): Promise<void> {
  let held = '[';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    if (held !== '[') print(`${held},`);
    held = (held === '[' ? '[' : '') + JSON.stringify(rows).slice(1, -1);
  }
  print(`${held}]`);
}

function rowsOf(output: Output): readonly Row[] {
  return Array.isArray(output) ? output : [output as Row];
}

function namesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function cellsOf(rows: readonly Row[], names: readonly string[]): string[][] {
  return rows.map((row) => names.map((name) => cellOf(row[name])));
}

function linesOf(cells: readonly (readonly string[])[]): string {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** On one line, and as wide as it is printed. */
function cellOf(value: Row[string] | undefined): string {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return printable(isMap ? JSON.stringify(value) : String(value ?? '-')).replaceAll(/[\t\n]/g, ' ');
}
