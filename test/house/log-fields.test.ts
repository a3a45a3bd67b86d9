import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Every field of a log line is in the table of docs/operating.md, so that whoever parses them knows all.

const ROOT = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What a spread in a line's fields adds. */
const SPREADS: Readonly<Record<string, readonly string[]>> = {
  'stored.origin': ['source', 'imported_by'],
  'logFieldsOf(delivery.ref)': ['event_id', 'endpoint_id', 'run'],
  'logFieldsOf(ref)': ['event_id', 'endpoint_id', 'run'],
  'traceIdsIn(delivery.traceparent)': ['trace_id', 'span_id'],
  'traceIdsOf(span)': ['trace_id', 'span_id'],
  ids: ['trace_id', 'span_id'],
};

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'activities'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.ts'));

/** The text from a brace to the one that closes it, without both. */
function objectAt(source: string, from: number): string {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    if ('{[('.includes(source[at]!)) depth += 1;
    if ('}])'.includes(source[at]!)) depth -= 1;
    if (depth === 0) return source.slice(from + 1, at);
  }
  throw new Error(`no end of: ${source.slice(from, from + 80)}`);
}

/** The parts of an object between its own commas. */
function partsOf(body: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of body) {
    if ('{[('.includes(char)) depth += 1;
    if ('}])'.includes(char)) depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

function fieldsOf(body: string): string[] {
  return partsOf(body).flatMap((part) => {
    const spread = /^\.\.\.(.+)$/s.exec(part)?.[1];
    if (spread === undefined) return /^['"]?(\w+)/.exec(part)![1]!;
    // `...(condition && { field })`, and `...{ a, b }`.
    const inner = spread.indexOf('{');
    if (/^\(.*\{/s.test(spread) || spread.startsWith('{')) return fieldsOf(objectAt(spread, inner));
    return SPREADS[spread] ?? [`an unknown spread: ${spread}`];
  });
}

const CALLS = /\b(?:log|logger)\??\.(?:debug|info|warn|error|child)\(\s*(?=\{)|\bidentify\(\s*(?=\{)/g;

const found = files.flatMap((path) => {
  const source = read(path);
  return [...source.matchAll(CALLS)].flatMap(({ 0: call, index }) =>
    fieldsOf(objectAt(source, index + call.length)).map((field) => ({ path, field })),
  );
});

const page = read('docs/operating.md');
const table = page.slice(page.indexOf('| Field | In which lines |'));
const documented = new Set([...table.slice(0, table.indexOf('\n\n')).matchAll(/`(\w+)`/g)].map((match) => match[1]!));

it('finds the fields of the lines', () => {
  const names = new Set(found.map(({ field }) => field));
  expect(names.size).toBeGreaterThan(20);
  for (const name of ['err', 'event_id', 'key_ids', 'build_id']) expect(names).toContain(name);
});

it('lists every field that is written', () => {
  expect(found.filter(({ field }) => !documented.has(field))).toEqual([]);
});
