/** A row or rows for people; with `--json` the value itself. */
type Row = Readonly<Record<string, string | number | null | readonly string[]>>;
export type Output = Row | readonly Row[];

/** One line a row, one column a field, as wide as its longest value. */
export function asTable(output: Output): string {
  const rows: readonly Row[] = Array.isArray(output) ? output : [output as Row];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return '(none)';
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
