// The checks of `.ci/run`, in the order in which they begin: two at a time (run.mjs), so that what waits runs beside what
// computes, and the longest first.

import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const npm = (script, ...args) => ['npm', 'run', script, ...(args.length > 0 ? ['--', ...args] : [])];

const CORES = Math.max(2, availableParallelism());

/** Whatever decides what is installed and how it is built. */
const BUILD = ['package.json', 'package-lock.json', 'bootstrap/'];

/**
 * What guards the pages when nothing of them changed: a file for each way in which a change elsewhere breaks them, which are
 * the answers of the API, the events that a page follows, the estimator, and the headers and files that the server sends.
 */
const SMOKE = /^(delivery|endpoints|estimator|first-load|keys|replays)\.spec\.ts$/;

/**
 * @typedef {{ command: string[], env?: Record<string, string>, minutes: number, alone?: true }} Play `minutes` is the
 *   longest that a slow machine may need; `alone` is without another check beside it
 * @typedef {Play & {
 *   name: string,
 *   always?: true,            also when `--only` names others: they need it
 *   after?: string[],         names of checks that end first
 *   nightly?: true,           not for every change
 *   thorough?: Partial<Play>, how it differs in `.ci/run nightly`
 *   inputs?: string[],        it plays only if one of them changed: files, and folders with a slash at the end
 *   otherwise?: { what: string, command: string[] },   what plays if none of them changed
 * }} Check
 */

/** @param root of the checkout @param logs where the results of the tests go @returns {Check[]} */
export function checksOf(root, logs) {
  const smoke = readdirSync(join(root, 'test', 'browser')).filter((name) => SMOKE.test(name));
  return [
    { name: 'machine', command: ['.ci/machine'], minutes: 15, alone: true, always: true },
    { name: 'build', command: npm('build'), minutes: 20, alone: true, always: true },
    // The README in its order: `npm start`, the first delivery, and then the tests, in a checkout that has data.
    { name: 'start', command: ['node', '.ci/first-delivery.mjs'], minutes: 15 },
    // A test needs it. On a machine that has it: nothing; else it compiles for two minutes.
    { name: 'collector', command: ['.ci/collector'], minutes: 20, inputs: ['test/collector/', 'src/platform/'] },
    {
      name: 'test',
      // No more files at a time than cores: another check runs beside it.
      command: npm('test', '--ci', '--json', `--outputFile=${join(logs, 'jest.json')}`, `--maxWorkers=${CORES}`),
      minutes: 50,
      after: ['start', 'collector'],
    },
    {
      name: 'chaos',
      command: npm('chaos', '--profile', 'quick'),
      minutes: 40,
      // Some of its rows measure time.
      thorough: { command: npm('chaos', '--profile', 'full'), minutes: 300, alone: true },
    },
    {
      name: 'browser',
      command: npm('test:browser'),
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(logs, 'playwright.json') },
      minutes: 50,
      // The pages, what they ask for, and what serves them.
      inputs: [
        ...[...BUILD, 'dashboard/', 'src/dashboard-api/', 'src/estimator/', 'src/http/', 'src/domain/'],
        ...['test/browser/', 'test/support/'],
      ],
      otherwise: { what: `${smoke.length} of its files play`, command: npm('test:browser', ...smoke) },
    },
    {
      name: 'cluster',
      command: npm('test:cluster'),
      minutes: 50,
      inputs: ['docker-compose.yml', 'deploy/temporal/', 'bench/topology/', 'test/cluster/', '.ci/temporal-tools'],
    },
    {
      name: 'packages',
      command: npm('test:packages'),
      minutes: 45,
      inputs: [...BUILD, '.npmrc', 'client/', 'packages/', 'dev/', 'test/packages/', 'tsconfig.build.json'],
      thorough: { env: { PACKAGE_NODES: '20 22 24' }, minutes: 90 },
    },
    {
      name: 'docs',
      command: npm('docs'),
      minutes: 15,
      inputs: ['docs/', 'docs-site/', 'src/openapi/', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
    },
    { name: 'chart', command: ['.ci/chart'], minutes: 20, inputs: ['deploy/', '.ci/chart', '.ci/chart-tools'] },
    { name: 'lint', command: npm('lint'), minutes: 10 },
    { name: 'types', command: npm('typecheck'), minutes: 10 },
    { name: 'boundaries', command: npm('boundaries'), minutes: 5 },
    { name: 'unused', command: npm('unused'), minutes: 5 },
    { name: 'format', command: npm('format:check'), minutes: 5 },
    { name: 'tree', command: ['.ci/tree'], minutes: 5 },
    { name: 'audit', command: npm('audit'), minutes: 5 },
    { name: 'licences', command: npm('licences'), minutes: 5 },
    { name: 'demo', command: npm('demo'), minutes: 10, nightly: true },
    { name: 'mutations', command: npm('test:mutations'), minutes: 60, nightly: true, alone: true },
    { name: 'stress', command: npm('test:stress'), minutes: 400, nightly: true, alone: true },
  ];
}
