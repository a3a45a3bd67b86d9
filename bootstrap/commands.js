'use strict';
const { join } = require('node:path');
const { npmCommand } = require('./npm');
const { MODULES, ROOT } = require('./paths');

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

/** A program of the repository. */
function own(...path) {
  return {
    build: false,
    steps: ({ args }) => [{ file: process.execPath, args: [join(ROOT, ...path), ...args] }],
  };
}

/** jest; tests of `breakage` run the built product. */
function jest(...first) {
  return {
    ...tool('jest/bin/jest.js', ...first),
    build: (args) => {
      const paths = [...first, ...args].filter((argument) => !argument.startsWith('-'));
      return paths.length === 0 || paths.some((path) => path.includes('breakage'));
    },
  };
}

/** The crash matrix: compiled beside the build that it breaks. */
const chaos = {
  build: true,
  steps: ({ args, build }) => {
    const compiled = join(build, '..', 'chaos');
    const out = join(build, '..', 'chaos-report');
    const main = join(compiled, 'test', 'chaos', 'chaos.js');
    return [
      // Types are the type check's business; a half-typed file elsewhere must not stop the matrix.
      ...tool('typescript/bin/tsc', '--project', 'test/chaos', '--noCheck', '--outDir', compiled).steps({ args: [] }),
      { file: process.execPath, args: [main, '--root', ROOT, '--build', build, '--out', out, ...args] },
    ];
  },
};

/** What may be in the product or make it: permissive licences; those of MPL and CC-BY are of tools and data only. */
const LICENCES = [
  ...['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'],
  ...['CC0-1.0', 'Public Domain', 'Python-2.0', 'CC-BY-3.0', 'CC-BY-4.0', 'MPL-2.0'],
];

const COMMANDS = {
  start: { ...built('dev/start.js'), webPage: true, settings: true },
  demo: built('dev/demo.js'),
  bench: built('bench/bench.js'),
  'bench:abusers': built('bench/abusers.js'),
  'bench:estimator': built('bench/estimator.js'),
  'bench:held': built('bench/held.js'),
  'bench:neighbours': built('bench/neighbours.js'),
  'bench:strangers': { ...built('bench/strangers.js'), webPage: true },
  cli: { ...built('src/cli.js'), settings: true },
  'start:api': { ...built('src/main.js', 'api'), webPage: true, settings: true },
  'start:worker': { ...built('src/main.js', 'worker'), settings: true },
  build: { build: true, webPage: true, steps: () => [] },
  'dev:dashboard': tool('vite/bin/vite.js', 'dashboard'),
  test: jest(),
  'test:unit': jest('test/unit'),
  'test:watch': { ...jest('--watch'), build: false },
  'test:stress': { ...own('test', 'harness', 'stress.js'), build: true },
  'test:mutations': own('test', 'mutations', 'mutate.js'),
  'test:browser': {
    ...tool('@playwright/test/cli.js', 'test', '--config', 'test/browser/playwright.config.ts'),
    build: true,
    webPage: true,
  },
  /** The types of `client/`, from the operations that are served. */
  'client:generate': {
    build: true,
    steps: ({ build }) => [{ file: process.execPath, args: [join(ROOT, 'client', 'generate.mjs'), build] }],
  },
  lint: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  format: tool('oxfmt/bin/oxfmt'),
  'format:check': tool('oxfmt/bin/oxfmt', '--check'),
  typecheck: {
    build: false,
    steps: (context) => [
      ...['.', 'dashboard', 'test/browser'].flatMap((project) =>
        tool('typescript/bin/tsc', '--noEmit', '--project', project).steps(context),
      ),
      // By the compiler that its users have.
      ...tool('../client/node_modules/typescript/bin/tsc', '--noEmit', '--project', 'client').steps(context),
    ],
  },
  chaos,
  audit: own('bootstrap', 'audit.js'),
  licences: tool(
    'license-checker-rseidelsohn/bin/license-checker-rseidelsohn.js',
    ...['--excludePrivatePackages', '--summary', '--onlyAllow', LICENCES.join(';')],
  ),
  // On standard output: CycloneDX of everything, since the page's packages, which are built into it, are development's.
  // (With `--omit dev` npm 11 leaves out what a development tool uses as well.)
  sbom: {
    build: false,
    steps: ({ args }) => [npmCommand('sbom', '--sbom-format', 'cyclonedx', ...args)],
  },
  boundaries: tool('dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'workflows', 'activities', 'dev'),
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
