import { plantTree, type PlantedTree } from './planted-tree';

const SETTINGS = ['.dependency-cruiser.js', 'tsconfig.json', 'package.json'];

/** What the planted files import; each is there and breaks no rule by itself. */
const INNOCENT: Record<string, string> = {
  'src/config.ts': 'export type Config = { port: number };\n',
  'src/main.ts': "import './wiring/compose';\n",
  'src/wiring/compose.ts': "import '../endpoints/create-endpoint';\nimport '../platform/clock';\n",
  'src/worker.ts': "import '../activities';\n",
  'src/domain/word.ts': 'export type Word = string;\n',
  'src/platform/clock.ts': 'export const clock = 1;\n',
  'src/platform/mongo.ts': "import 'mongodb';\nexport const mongo = 1;\n",
  'src/platform/temporal.ts': "import '@temporalio/client';\nexport const temporal = 1;\n",
  'src/sender/send.ts': "import type { Config } from '../config';\nexport type Send = Config;\n",
  'src/http/request.ts': "import 'koa';\nexport type Request = string;\n",
  'src/stores/endpoint-store.ts': "import 'mongodb';\nimport '../platform/mongo';\nexport type Store = string;\n",
  'src/endpoints/schema.ts': "import 'zod';\nexport type Body = string;\n",
  'src/endpoints/present.ts': "import type { Store } from '../stores/endpoint-store';\nexport type View = Store;\n",
  'src/accounts/create-account.ts': 'export const create = 1;\n',
  'src/endpoints/create-endpoint.ts':
    "import '../stores/endpoint-store';\nimport '../domain/word';\nimport '../platform/clock';\n",
  'src/endpoints/routes.ts':
    "import '@koa/router';\nimport './create-endpoint';\nimport './present';\nimport './schema';\n",
  'src/app.ts': "import './endpoints/routes';\n",
  'src/engine/attempt.ts':
    "import '@temporalio/common';\nimport '../platform/temporal';\nimport '../stores/endpoint-store';\nimport '../sender/send';\n",
  'dev/start.ts': "import '../src/main';\n",
  'activities/index.ts': "import '../src/engine/attempt';\nimport '../src/domain/word';\n",
  'workflows/deliver-event.ts':
    "import '@temporalio/workflow';\nimport '@temporalio/common';\nimport '../src/domain/word';\n",
  'dashboard/src/theme.ts': 'export const theme = 1;\n',
  'test/support/build.ts': 'export const build = 1;\n',
};

/** One broken rule each: the rule, the file that breaks it, what it imports. */
const PLANTED: readonly (readonly [rule: string, file: string, imports: string])[] = [
  ['domain-is-pure', 'src/domain/reads-a-file.ts', 'node:fs'],
  ['domain-is-pure', 'src/domain/uses-a-package.ts', 'zod'],
  ['domain-is-pure', 'src/domain/knows-a-feature.ts', '../stores/endpoint-store'],
  ['workflows-are-replayed', 'workflows/knows-a-store.ts', '../src/stores/endpoint-store'],
  ['workflows-are-replayed', 'workflows/reads-a-file.ts', 'node:fs'],
  ['workflows-are-replayed', 'workflows/uses-a-package.ts', 'zod'],
  ['workflows-are-replayed', 'workflows/knows-activities.ts', '../activities'],
  ['workflows-are-given-by-path', 'src/events/knows-workflows.ts', '../../workflows/deliver-event'],
  ['workflows-are-given-by-path', 'activities/knows-workflows.ts', '../workflows/deliver-event'],
  ['only-the-worker-has-activities', 'src/events/knows-activities.ts', '../../activities'],
  ['activities-call-the-engine', 'activities/knows-http.ts', '../src/http/request'],
  ['activities-call-the-engine', 'activities/knows-a-store.ts', '../src/stores/endpoint-store'],
  ['mongodb-only-in-stores', 'src/events/speaks-mongodb.ts', 'mongodb'],
  ['mongodb-only-in-stores', 'activities/speaks-mongodb.ts', 'mongodb'],
  ['koa-only-at-the-edge', 'src/events/speaks-koa.ts', 'koa'],
  ['koa-only-at-the-edge', 'src/platform/speaks-router.ts', '@koa/router'],
  ['routes-call-verbs', 'src/keys/routes.ts', '../stores/endpoint-store'],
  ['verbs-use-stores-and-domain', 'src/events/knows-http.ts', '../http/request'],
  ['verbs-use-stores-and-domain', 'src/events/presents.ts', '../endpoints/present'],
  ['verbs-use-stores-and-domain', 'src/events/speaks-temporal.ts', '../platform/temporal'],
  ['the-engine-sends', 'src/engine/knows-http.ts', '../http/request'],
  ['stores-know-domain-only', 'src/endpoints/rotation-store.ts', '../accounts/create-account'],
  ['routes-are-private', 'src/events/knows-routes.ts', '../endpoints/routes'],
  ['folders-look-down', 'src/platform/knows-a-feature.ts', '../stores/endpoint-store'],
  ['folders-look-down', 'src/endpoints/knows-what-is-above.ts', '../events/count'],
  ['folders-have-a-place', 'src/knows-a-new-folder.ts', './new-folder/file'],
  ['sender-stands-alone', 'src/sender/knows-a-feature.ts', '../stores/endpoint-store'],
  ['wiring-is-on-top', 'src/http/knows-wiring.ts', '../wiring/compose'],
  ['settings-are-passed-in', 'src/http/reads-settings.ts', '../config'],
  ['page-is-served-as-files', 'src/http/knows-the-page.ts', '../../dashboard/src/theme'],
  ['no-cycles', 'src/http/one.ts', './other-half'],
  ['product-never-imports-test', 'src/http/knows-test.ts', '../../test/support/build'],
  ['product-never-imports-dev', 'src/wiring/knows-dev.ts', '../../dev/start'],
  ['nothing-unresolved', 'src/http/lost.ts', './nowhere'],
  ['no-development-packages', 'src/http/checks-fast.ts', 'fast-check'],
];

/** What other planted files import: one closes the cycle, which is reported once. */
const OTHER_HALF = {
  'src/events/count.ts': 'export const count = 1;\n',
  'src/new-folder/file.ts': 'export const file = 1;\n',
  'src/http/other-half.ts': "import './one';\n",
};

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

describe('the import rules', () => {
  let tree: PlantedTree;
  let violations: readonly Violation[];

  beforeAll(() => {
    // Types are imports as well: half of the files import one that way.
    const planted = PLANTED.map(([, file, imports], index) =>
      index % 2 === 0
        ? [file, `import '${imports}';\n`]
        : [file, `import type * as x from '${imports}';\nexport type X = typeof x;\n`],
    );
    tree = plantTree(SETTINGS, { ...INNOCENT, ...OTHER_HALF, ...Object.fromEntries(planted) });
    const { stdout } = tree.run(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ...['src', 'workflows', 'activities', 'dev', '--output-type', 'json'],
    );
    ({ violations } = (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary);
  });
  afterAll(() => tree.remove());

  it.each(PLANTED)('%s refuses %s', (rule, file) => {
    expect(violations.filter(({ from }) => from === file).map(({ rule: { name } }) => name)).toContain(rule);
  });

  it('accept files that keep them', () => {
    expect(violations.filter(({ from }) => from in INNOCENT)).toEqual([]);
  });
});
