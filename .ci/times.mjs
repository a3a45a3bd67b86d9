// What the checks and tests of a run took:
//
//   npm run ci:times                       of the last run of `.ci/run` or `npm test` on this machine
//   npm run ci:times -- --list             the runs that are kept
//   npm run ci:times -- <before> <after>   two of them side by side, each by its number or file
//
// "Waited" is what did not compute. Of a check all processes count; of a test, its own and those that ended meanwhile.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'everpost', 'times');
const KEPT = 40;
const ROWS = 50;

/** @typedef {{ title: string, wallMs: number, cpuMs?: number }} Span */

/**
 * Keeps what a run of the checks took in the user's cache.
 *
 * @param logs has what the tests took, as their reporter wrote it
 * @returns the table of the checks
 */
export function keepRecord(logs, { seconds, checks }) {
  const tests = readRecord(join(logs, 'tests.json')) ?? { files: [], tests: [] };
  const browser = browserSpans(join(logs, 'playwright.json'));
  const spans = checks.map(({ name, seconds: took, computed }) => ({
    title: name,
    wallMs: took * 1_000,
    ...(computed !== undefined && { cpuMs: computed * 1_000 }),
  }));
  const record = {
    commit: commit(),
    wallMs: seconds * 1_000,
    checks: spans,
    files: [...tests.files, ...browser.files],
    tests: [...tests.tests, ...browser.tests],
  };
  write(record);
  return tableOf('Checks', spans, spans.length);
}

/** Keeps what `npm test` alone took. @param spans of its files and tests */
export function keepTests({ files, tests, wallMs }) {
  write({ commit: commit(), wallMs, checks: [], files, tests });
}

/** What each file of tests took in the last run that is kept. @returns {Map<string, number>} milliseconds by path */
export function lastFileTimes() {
  const [newest] = namesOf();
  return new Map((newest ? readRecord(join(FOLDER, newest)).files : []).map(({ title, wallMs }) => [title, wallMs]));
}

function write(record) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${new Date().toISOString().replaceAll(':', '-')}.json`), JSON.stringify(record));
  for (const name of namesOf().slice(KEPT)) rmSync(join(FOLDER, name), { force: true });
}

/** Newest first. */
const namesOf = () => (existsSync(FOLDER) ? readdirSync(FOLDER).sort().reverse() : []);

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function readRecord(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Playwright knows how long a test took, and not what it computed in the browser. */
function browserSpans(file) {
  const suites = readRecord(file)?.suites ?? [];
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  const wallMsOf = ({ tests }) => tests.flatMap(({ results }) => results).reduce((sum, it) => sum + it.duration, 0);
  const tests = suites.flatMap((suite) =>
    specsOf(suite).map((spec) => ({ title: `${suite.title} › ${spec.title}`, wallMs: wallMsOf(spec) })),
  );
  const files = suites.map((suite) => ({
    title: suite.title,
    wallMs: specsOf(suite).reduce((sum, spec) => sum + wallMsOf(spec), 0),
  }));
  return { files, tests };
}

/** The slowest, with a column for each of the three times in seconds. @param {Span[]} spans @returns text */
export function tableOf(heading, spans, rows = ROWS) {
  const slowest = spans.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, rows);
  const lines = slowest.map(({ title, wallMs, cpuMs }) => {
    const waitedMs = cpuMs === undefined ? undefined : Math.max(0, wallMs - cpuMs);
    return `${cell(wallMs, 8)}${cell(waitedMs, 9)}${cell(cpuMs, 11)}  ${title}`;
  });
  return [heading, '  took s waited s computed s', ...lines].join('\n');
}

/** What two runs took, the largest differences first. */
function comparisonOf(heading, before, after, rows = ROWS) {
  const titles = [...new Set([...before, ...after].map(({ title }) => title))];
  const find = (spans, title) => spans.find((span) => span.title === title);
  const pairs = titles.map((title) => ({ title, old: find(before, title), now: find(after, title) }));
  const change = ({ old, now }) => (now?.wallMs ?? 0) - (old?.wallMs ?? 0);
  const lines = pairs
    .toSorted((a, b) => Math.abs(change(b)) - Math.abs(change(a)))
    .slice(0, rows)
    .map(({ title, old, now }) => {
      const took = `${cell(old?.wallMs, 9)}${cell(now?.wallMs, 9)}`;
      return `${took}${cell(old?.cpuMs, 13)}${cell(now?.cpuMs, 9)}  ${title}`;
    });
  return [heading, '   took s →          computed s →', ...lines].join('\n');
}

function cell(ms, width) {
  return (ms === undefined ? '–' : (ms / 1_000).toFixed(1)).padStart(width);
}

function show(record) {
  console.log(`${record.commit}: ${(record.wallMs / 1_000).toFixed(0)} s\n`);
  if (record.checks.length > 0) console.log(`${tableOf('Checks', record.checks)}\n`);
  console.log(`${tableOf('Slowest files', record.files)}\n\n${tableOf('Slowest tests', record.tests)}`);
}

function compare(before, after) {
  const said = ({ commit: name, wallMs }) => `${name} (${(wallMs / 1_000).toFixed(0)} s)`;
  console.log(`${said(before)} → ${said(after)}\n`);
  for (const part of ['checks', 'files', 'tests']) {
    console.log(`${comparisonOf(part[0].toUpperCase() + part.slice(1), before[part], after[part])}\n`);
  }
}

function main() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } });
  const named = (name) => {
    const record = readRecord(/^\d+$/.test(name) ? join(FOLDER, namesOf()[Number(name) - 1] ?? '') : name);
    if (record) return record;
    throw new Error(`There is no record ${name}; --list shows those that are kept.`);
  };
  if (values.list) {
    for (const [index, name] of namesOf().entries()) {
      const { commit: id, wallMs, checks } = readRecord(join(FOLDER, name));
      const what = checks.length > 0 ? `${checks.length} checks` : 'npm test';
      console.log(`${String(index + 1).padStart(3)}  ${name}  ${id}  ${what}, ${(wallMs / 1_000).toFixed(0)} s`);
    }
  } else if (positionals.length === 2) compare(...positionals.map(named));
  else if (namesOf().length === 0) console.log('No run is kept yet: `.ci/run` and `npm test` keep theirs.');
  else show(named(positionals[0] ?? '1'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
