import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a table into a page of the documentation, between `<!-- mark:begin -->` and `<!-- mark:end -->`.
 *
 * @throws Error when the page lacks the marks
 */
export function writeIntoPage(page: string, mark: string, table: string): void {
  const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`];
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${page} has no place for the table: ${begin} and ${end}`);
  writeFileSync(page, `${text.slice(0, before + begin.length)}\n\n${table.trim()}\n\n${text.slice(after)}`);
}

/** Prints a benchmark's table; `--page <file>` writes it into that page instead. */
export function publish(mark: string, table: string): void {
  const at = process.argv.indexOf('--page');
  const page = at < 0 ? undefined : process.argv[at + 1];
  if (page === undefined) process.stdout.write(`${table}\n`);
  else writeIntoPage(page, mark, table);
}
