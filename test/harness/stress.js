'use strict';
// Runs the tests on a machine that is busy and whose servers stop for a moment now and then:
//
//   npm run test:stress                          three times everything, ten times what is about time and breakage
//   npm run test:stress -- --whole 1 --part 0    another number of times
//
// A test that fails here judges the machine, or has found a bug. Either way it is mended, never tried again.
const { spawn } = require('node:child_process');
const { existsSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const ROOT = join(__dirname, '..', '..');
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const PART = ['--selectProjects', 'time', 'breakage'];

async function main() {
  const { values } = parseArgs({
    options: { whole: { type: 'string', default: '3' }, part: { type: 'string', default: '10' } },
  });
  const runs = [...times(values.whole, []), ...times(values.part, PART)];
  const folder = mkdtempSync(join(tmpdir(), 'everpost-stress-'));
  const failures = [];
  try {
    for (const [index, args] of runs.entries()) {
      const result = await runTests(args, join(folder, 'jest.json'));
      const name = `run ${index + 1} of ${runs.length} (${args.length === 0 ? 'everything' : 'time and breakage'})`;
      print(`${name}: ${result.numPassedTests} passed, ${result.numFailedTests} failed, ${result.seconds} s`);
      failures.push(...failuresOf(result).map((failure) => `${name}: ${failure}`));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const failure of failures) print(failure);
  return failures.length === 0 ? 0 : 1;
}

function times(count, args) {
  return Array.from({ length: Number(count) }, () => args);
}

function runTests(args, file) {
  const begin = performance.now();
  const env = { ...process.env, EVERPOST_TEST_STRESS: '1' };
  const child = spawn(process.execPath, [JEST, '--json', '--outputFile', file, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      const seconds = Math.round((performance.now() - begin) / 1_000);
      resolve({ ...reportOf(file), seconds });
      rmSync(file, { force: true });
    });
  });
}

/** Without a report jest could not begin: that is a failure too. */
function reportOf(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const nothing = { status: 'failed', name: 'jest', message: 'It ended without a report.', assertionResults: [] };
  return { numPassedTests: 0, numFailedTests: 1, testResults: [nothing] };
}

/** Also of files that could not be loaded. */
function failuresOf({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${name}\n${message}`];
      return failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
    });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

main().then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
