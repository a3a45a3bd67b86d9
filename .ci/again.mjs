// What plays once more, alone, after a few tests failed beside everything else. A test that passes then is unsteady: the
// end of the run names it and shows how it failed. The nightly run has no second try, so it stays red until it is mended.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** More than these fail for a reason. */
const MAX_FILES = 3;

/**
 * The second tries of the checks that failed for a few tests.
 *
 * @param root of the checkout @param logs has the reports of jest and Playwright @param failed names of checks
 * @returns checks (checks.mjs), each named `<check>-again`
 */
export function secondTries(root, logs, failed) {
  const [jest, browser] = ['jest', 'playwright'].map((name) => join(logs, `${name}-again.json`));
  const tries = [
    {
      name: 'test',
      files: failedInJest(readReport(logs, 'jest')).map((file) => relative(root, file)),
      command: (files) => ['npm', 'test', '--', '--ci', '--json', `--outputFile=${jest}`, ...files],
    },
    {
      name: 'browser',
      files: failedInBrowser(readReport(logs, 'playwright')),
      command: (files) => ['npm', 'run', 'test:browser', '--', ...files],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: browser },
    },
  ];
  return tries
    .filter(({ name, files }) => failed.includes(name) && files.length > 0 && files.length <= MAX_FILES)
    .map(({ name, files, command, env }) => ({
      name: `${name}-again`,
      command: command(files),
      env,
      minutes: 20,
      alone: true,
    }));
}

/** The report of a runner of tests, or undefined. @param name `jest` or `playwright`, with `-again` for the second try */
export function readReport(logs, name) {
  const file = join(logs, `${name}.json`);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function failedInJest(report) {
  return (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
}

function failedInBrowser(report) {
  const isFailed = (suite) => (suite.specs ?? []).some(({ ok }) => !ok) || (suite.suites ?? []).some(isFailed);
  return (report?.suites ?? []).filter(isFailed).map(({ file }) => file);
}
