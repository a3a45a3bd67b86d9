'use strict';
const { join } = require('node:path');
const { MODULES } = require('./paths');

/** A program of the build. */
function built(script, ...first) {
  return {
    build: true,
    steps: ({ args, build }) => [{ file: process.execPath, args: [join(build, script), ...first, ...args] }],
  };
}

/** A development tool, by its file in node_modules. */
function tool(script, ...first) {
  return {
    build: false,
    steps: ({ args }) => [{ file: process.execPath, args: [join(MODULES, script), ...first, ...args] }],
  };
}

/** jest; the end-to-end tests run the built product. */
function jest(...first) {
  return {
    ...tool('jest/bin/jest.js', ...first),
    build: (args) => {
      const paths = [...first, ...args].filter((argument) => !argument.startsWith('-'));
      return paths.length === 0 || paths.some((path) => path.includes('e2e'));
    },
  };
}

const COMMANDS = {
  start: { ...built('src/local/start.js'), settings: true },
  demo: built('src/local/demo.js'),
  bench: built('bench/bench.js'),
  cli: { ...built('src/cli.js'), settings: true },
  'start:api': { ...built('src/main.js', 'api'), settings: true },
  'start:worker': { ...built('src/main.js', 'worker'), settings: true },
  build: { build: true, steps: () => [] },
  test: jest(),
  'test:unit': jest('test/unit'),
  'test:api': jest('test/api'),
  'test:workflows': jest('test/workflows'),
  'test:local': jest('test/local'),
  'test:e2e': jest('test/e2e'),
  lint: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  format: tool('oxfmt/bin/oxfmt'),
  'format:check': tool('oxfmt/bin/oxfmt', '--check'),
  typecheck: tool('typescript/bin/tsc', '--noEmit'),
  boundaries: tool('dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'workflows', 'activities'),
  unused: tool('knip/bin/knip.js'),
};

/** Everything that has to be right before a change is handed in, the quick ones first. */
const CHECKS = ['format:check', 'lint', 'typecheck', 'boundaries', 'unused', 'test'];

COMMANDS.check = {
  build: true,
  steps: (context) =>
    CHECKS.flatMap((name) =>
      COMMANDS[name].steps({ ...context, args: [] }).map((step) => ({ ...step, title: `── ${name}` })),
    ),
};

module.exports = { COMMANDS };
