'use strict';
const { statSync } = require('node:fs');
const { relative, sep } = require('node:path');

/** Files that start servers and processes take so much longer than others of their size. */
const PROCESSES_FACTOR = 4;

/**
 * The longest files first, so that no worker is left with a long one while the others have ended. The last run on this
 * machine tells what each took (`npm run ci:times`), in whatever folder the checkout was. Without one, the
 * size of a file stands for it.
 */
module.exports = class LongestFirst {
  async sort(tests) {
    const { lastFileTimes } = await import('../../.ci/times.mjs');
    const known = lastFileTimes();
    const msOf = ({ path, context }) => {
      const file = relative(context.config.rootDir, path).replaceAll(sep, '/');
      return known.get(file) ?? statSync(path).size * (file.startsWith('test/breakage/') ? PROCESSES_FACTOR : 1);
    };
    const rows = tests.map((test) => ({ test, ms: msOf(test) }));
    return rows.sort((a, b) => b.ms - a.ms).map(({ test }) => test);
  }

  /** `--shard`: jest asks for it before it sorts. */
  shard(tests, { shardIndex, shardCount }) {
    const inOrder = tests.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return inOrder.filter((_, index) => index % shardCount === shardIndex - 1);
  }

  /** `--onlyFailures`: nothing is kept of them. */
  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
};
