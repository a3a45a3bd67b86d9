// Plays the checks (checks.mjs). `.ci/run` says how it is called.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { secondTries } from './again.mjs';
import { changesSince } from './changes.mjs';
import { checksOf } from './checks.mjs';
import { keepRecord } from './times.mjs';
import { summarise } from './verdict.mjs';

const ROOT = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const nightly = positionals[0] === 'nightly';
const logs = mkdtempSync(join(tmpdir(), 'everpost-ci-'));
// Beside each other, what waits costs nothing; more than this, and the limits of slow machines come near.
const AT_ONCE = Math.max(2, Math.floor(availableParallelism() / 2));
/** A runner that is stopped from outside says nothing. This one says what failed, five minutes before most are stopped. */
const WHOLE_MINUTES = nightly ? Number.POSITIVE_INFINITY : 85;
// What a check could not show is no failure, and is never passed over in silence.
const REMARKS = /NOT AUDITED|SKIPPED:|rows held/;

process.chdir(ROOT);
/** What the check `start` leaves for the tests, in a checkout that had none, goes at the end. */
const hadData = existsSync('.everpost');
const begin = performance.now();
const changes = changesSince(process.env.CI_BASE || 'origin/main');
const checks = chosen(checksOf(ROOT, logs));
/** @type {Map<string, { name: string, code: number | null, seconds: number, computed: number | undefined }>} */
const results = new Map();
const running = new Map();

console.log(changes.said);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const { child } of running.values()) stop(child, 'SIGTERM');
    tidy();
    process.exit(130);
  });
}
const progress = setInterval(() => {
  for (const [name, { file }] of running) console.log(`   ${clock()} ${name}: ${lastLineOf(file)}`);
}, 60_000);
if (Number.isFinite(WHOLE_MINUTES)) setTimeout(giveUp, WHOLE_MINUTES * 60_000).unref();
next();

/** Those of the profile, each in the form that the changes ask for; says in a line what is left out, and why. */
function chosen(all) {
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !all.some((check) => check.name === name)) ?? [];
  if (unknown.length > 0) {
    tidy();
    console.error(`There is no check ${unknown.join(', ')}. Checks: ${all.map(({ name }) => name).join(', ')}`);
    process.exit(1);
  }
  return all.flatMap((check) => {
    if (only && !only.includes(check.name) && !check.always) return [];
    if (nightly) return [{ ...check, ...check.thorough }];
    if (check.nightly && !only) return [];
    if (!check.inputs || only || changes.touch(check.inputs)) return [check];
    if (check.otherwise) {
      console.log(`── ${check.name}: nothing that it depends on changed, so only ${check.otherwise.what}`);
      return [{ ...check, command: check.otherwise.command }];
    }
    console.log(`── ${check.name}: not played, because nothing that it depends on changed (${check.inputs.join(' ')})`);
    return [];
  });
}

/** Begins what may begin: in the order of the list, so many at once. */
function next() {
  const waiting = checks.filter(({ name }) => !results.has(name) && !running.has(name));
  if (waiting.length === 0 && running.size === 0) {
    const tries = triesLeft();
    if (tries.length === 0) return end();
    checks.push(...tries);
    return next();
  }
  for (const check of waiting) {
    if (running.size >= AT_ONCE || [...running.values()].some(({ alone }) => alone)) return;
    const isFree = (check.after ?? []).every((name) => results.has(name) || !checks.some((it) => it.name === name));
    if (check.alone && running.size > 0) return;
    if (isFree) play(check);
  }
}

/** The second tries, once, of what failed. */
function triesLeft() {
  if (nightly) return [];
  const failed = namesOf(results, ({ code }) => code > 0);
  return secondTries(ROOT, logs, failed).filter(({ name }) => !results.has(name));
}

function play(check) {
  const { name, command, minutes, alone = false } = check;
  const [file, cpu] = [join(logs, `${name}.log`), join(logs, `${name}.cpu`)];
  console.log(`── ${name} (${clock()})`);
  // `times` prints the CPU time of the shell and its children. No other process can tell it from that of other checks.
  const script = 'log=$0; cpu=$1; shift; "$@" >"$log" 2>&1; code=$?; times >"$cpu"; exit $code';
  const env = { ...process.env, CI: 'true', NO_COLOR: '1', EVERPOST_TIMES: logs, ...check.env };
  const child = spawn('bash', ['-c', script, file, cpu, ...command], { env, stdio: ['ignore', 2, 2], detached: true });
  const startedAt = performance.now();
  let late;
  const limit = setTimeout(() => {
    late = `it did not end within ${minutes} minutes`;
    stop(child, 'SIGTERM');
    setTimeout(() => stop(child, 'SIGKILL'), 30_000).unref();
  }, minutes * 60_000);
  running.set(name, { child, file, alone });
  child.once('close', (code) => {
    clearTimeout(limit);
    running.delete(name);
    const seconds = (performance.now() - startedAt) / 1_000;
    results.set(name, { name, code: late ? null : code, seconds, computed: computedIn(cpu) });
    tell(name, late);
    next();
  });
}

function tell(name, late) {
  const { code, seconds, computed } = results.get(name);
  const log = read(join(logs, `${name}.log`));
  const took = `${seconds.toFixed(0)} s${computed === undefined ? '' : `, computed ${computed.toFixed(0)} s`}`;
  if (code === 0) {
    console.log(`   ${name}: ok (${took})`);
    for (const line of log.split('\n').filter((text) => REMARKS.test(text))) console.log(`   ${name}: ${line.trim()}`);
    return;
  }
  console.log(log.split('\n').slice(-200).join('\n'));
  console.log(`   ${name}: FAILED (${took}, ${late ?? `exit code ${code}`})`);
}

function giveUp() {
  console.log(`Stopped: it did not end within ${WHOLE_MINUTES} minutes.`);
  for (const [name, { child, file }] of running) {
    stop(child, 'SIGKILL');
    results.set(name, { name, code: null, seconds: 0, computed: undefined });
    console.log(`${read(file).split('\n').slice(-100).join('\n')}\n   ${name}: FAILED (it was running)`);
  }
  for (const { name } of checks) {
    if (!results.has(name)) results.set(name, { name, code: null, seconds: 0, computed: undefined });
  }
  end();
}

function end() {
  clearInterval(progress);
  const seconds = (performance.now() - begin) / 1_000;
  const all = [...results.values()];
  const isOk = ({ name, code }) => code === 0 || results.get(`${name}-again`)?.code === 0;
  const [passed, failed] = [namesOf(results, isOk), namesOf(results, (it) => !isOk(it))];
  const played = (name) => results.has(name);
  const tests = summarise(logs, { jest: played('test'), browser: played('browser') });
  const record = keepRecord(logs, { seconds, checks: all });
  console.log(`\n${record}`);
  for (const line of tests.complaints) console.error(line);
  console.log(`\nChecks that passed: ${passed.join(' ') || 'none'}`);
  console.log(`Checks that failed: ${failed.join(' ') || 'none'}`);
  console.log(`In ${Math.round(seconds)} s.`);
  tidy();
  console.log(`${tests.passed} passed, ${tests.failed} failed`);
  process.exit(failed.length === 0 && tests.failed === 0 && (tests.passed > 0 || values.only) ? 0 : 1);
}

function namesOf(some, isMeant) {
  return [...some.values()].filter(isMeant).map(({ name }) => name);
}

function tidy() {
  rmSync(logs, { recursive: true, force: true });
  if (!hadData) rmSync('.everpost', { recursive: true, force: true });
}

function stop(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has just ended.
  }
}

function clock() {
  const seconds = Math.round((performance.now() - begin) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function lastLineOf(file) {
  return (read(file).trimEnd().split('\n').at(-1) ?? '').replaceAll('\r', '').slice(0, 120);
}

/** The last line of `times`: what all children computed, `1m2.345s 0m1.234s`. */
function computedIn(file) {
  const line = read(file).trimEnd().split('\n').at(-1);
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.length === 0 ? undefined : parts.reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
}
