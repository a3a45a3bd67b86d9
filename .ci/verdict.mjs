// What the tests' own reports say.

import { readReport } from './again.mjs';

/** How much of a failure is told again at the end. */
const LINES = 12;

/**
 * Counts the tests of a run, and tells again which failed and how each began to complain. A test that failed and passed in
 * the second try (again.mjs) counts as passed, and is told as unsteady.
 *
 * @param logs has the reports of jest and Playwright @param expected which of them there must be: none is a failure
 */
export function summarise(logs, expected) {
  const complaints = [];
  const tell = (name, messages) => {
    const plain = messages
      .join('\n')
      .replace(/\u001b\[[0-9;]*m/g, '')
      .split('\n')
      .slice(0, LINES)
      .join('\n');
    complaints.push(`\n✗ ${name}\n${plain}`);
  };
  const counts = [
    countTests(logs, 'jest', testsOfJest, expected.jest, tell),
    countTests(logs, 'playwright', testsOfBrowser, expected.browser, tell),
  ];
  const sum = (part) => counts.reduce((total, count) => total + count[part], 0);
  if (sum('skipped') > 0)
    complaints.push(`\n${sum('skipped')} tests were skipped:`, ...counts.flatMap(({ reasons }) => reasons));
  if (sum('unsteady') > 0) complaints.push(`\n${sum('unsteady')} UNSTEADY: failed beside other checks, passed alone`);
  return { passed: sum('passed'), failed: sum('failed'), complaints };
}

/** @param testsOf the tests of a report, as `{ file, name, outcome: 'passed'|'failed'|'skipped', messages }` */
function countTests(logs, name, testsOf, isExpected, tell) {
  const report = readReport(logs, name);
  if (!report) return { passed: 0, failed: isExpected ? 1 : 0, skipped: 0, unsteady: 0, reasons: [] };
  const first = testsOf(report);
  const second = testsOf(readReport(logs, `${name}-again`));
  const played = new Set(second.map(({ file }) => file));
  const tests = [...first.filter(({ file }) => !played.has(file)), ...second];
  const failed = tests.filter(({ outcome }) => outcome === 'failed');
  const unsteady = first.filter(({ file, outcome }) => outcome === 'failed' && played.has(file));
  for (const test of failed) tell(test.name, test.messages);
  for (const test of unsteady) tell(`UNSTEADY ${test.name}`, test.messages);
  const skipped = tests.filter(({ outcome }) => outcome === 'skipped');
  return {
    passed: tests.filter(({ outcome }) => outcome === 'passed').length,
    failed: failed.length,
    skipped: skipped.length,
    unsteady: unsteady.length,
    reasons: skipped.map((test) => `  ${test.name}`),
  };
}

const JEST_OUTCOMES = { passed: 'passed', failed: 'failed' };

function testsOfJest(report) {
  return (report?.testResults ?? []).flatMap(({ name: file, status, message, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      file,
      name: test.fullName,
      outcome: JEST_OUTCOMES[test.status] ?? 'skipped',
      messages: test.failureMessages,
    }));
    // A file that could not even be loaded.
    const isUnloaded = status === 'failed' && !tests.some(({ outcome }) => outcome === 'failed');
    return isUnloaded ? [...tests, { file, name: file, outcome: 'failed', messages: [message] }] : tests;
  });
}

const BROWSER_OUTCOMES = { expected: 'passed', skipped: 'skipped' };

function testsOfBrowser(report) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  const tests = (report?.suites ?? []).flatMap((suite) =>
    specsOf(suite).flatMap((spec) =>
      spec.tests.map(({ status, results }) => ({
        file: suite.file,
        name: spec.title,
        outcome: BROWSER_OUTCOMES[status] ?? 'failed',
        messages: results.flatMap((result) => result.errors.map(({ message }) => message)),
      })),
    ),
  );
  const errors = (report?.errors ?? []).map(({ message }) => message ?? '');
  return [...tests, ...errors.map((text) => ({ file: '', name: 'the browser', outcome: 'failed', messages: [text] }))];
}
