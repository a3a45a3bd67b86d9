// What the tests' own reports say.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How much of a failure is told again at the end. */
const LINES = 12;

/**
 * Counts the tests of a run, and tells again which failed and how each began to complain.
 *
 * @param logs has the reports of jest and Playwright @param expected which of them there must be: none is a failure
 */
export function summarise(logs, expected) {
  const complaints = [];
  const tell = (name, message) => {
    const plain = message
      .replace(/\u001b\[[0-9;]*m/g, '')
      .split('\n')
      .slice(0, LINES)
      .join('\n');
    complaints.push(`\n✗ ${name}\n${plain}`);
  };
  const [jest, browser] = ['jest', 'playwright'].map((name) => readReport(join(logs, `${name}.json`)));
  const counts = [
    jest ? countJest(jest, tell) : missing(expected.jest),
    browser ? countBrowser(browser, tell) : missing(expected.browser),
  ];
  const sum = (part) => counts.reduce((total, count) => total + count[part], 0);
  if (sum('skipped') > 0)
    complaints.push(`\n${sum('skipped')} tests were skipped:`, ...counts.flatMap(({ reasons }) => reasons));
  return { passed: sum('passed'), failed: sum('failed'), complaints };
}

const missing = (isExpected) => ({ passed: 0, failed: isExpected ? 1 : 0, skipped: 0, reasons: [] });

function readReport(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function countJest(result, tell) {
  const all = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const file of result.testResults) {
    const bad = file.assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of bad) tell(fullName, failureMessages.join('\n'));
    // A file that could not even be loaded.
    if (file.status === 'failed' && bad.length === 0) tell(file.name, file.message);
  }
  const skipped = all.filter(({ status }) => status === 'pending' || status === 'todo');
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: skipped.length,
    reasons: skipped.map(({ fullName }) => `  ${fullName}`),
  };
}

function countBrowser({ stats, errors, suites }, tell) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  const messages = ({ results }) => results.flatMap((result) => result.errors.map(({ message }) => message));
  for (const spec of suites.flatMap(specsOf).filter(({ ok }) => !ok)) {
    tell(spec.title, spec.tests.flatMap(messages).join('\n'));
  }
  for (const { message } of errors) tell('the browser', message ?? '');
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    reasons: [],
  };
}
