'use strict';
// Who may import whom: docs/architecture.md, "Who may import whom", as rules. Every import counts, types too.

/**
 * The folders of src/, from the ground up: each may import those before it. A new folder has to find its place here.
 * docs/architecture.md, "The tree", says what is in them.
 */
const LAYERS = [
  'domain',
  'sender',
  'platform',
  'accounts',
  'http',
  'payloads',
  'stores',
  'limits',
  'keys',
  'users',
  'endpoints',
  'engine',
  'deliveries',
  'event-types',
  'events',
  'alerts',
  'replays',
  'rehearsals',
  'erasures',
  'reports',
  'listen',
  'estimator',
  'account-lifecycle',
  'portal',
  'openapi',
  'dashboard-api',
];

/** Folders that hold verbs. */
const FEATURES = `(${LAYERS.slice(LAYERS.indexOf('accounts'), LAYERS.indexOf('openapi'))
  .filter((folder) => folder !== 'http' && folder !== 'listen')
  .join('|')})`;

/** What a verb may take from platform/: pieces without I/O of their own. */
const PURE_PLATFORM =
  '^src/platform/(answer-questions|clock|csv|cursor|ids|logger|metrics|periodic|run-jobs|secret-box|sleep|tally|tracing|concurrency-limit|lanes|write-groups|password-hash|password-strength)\\.ts$';

/** What everybody but domain and workflows may take from Node. */
const HARMLESS_NODE = '^(crypto|timers/promises)$';

/** The one verb that reads a file: prices that come with the product. */
const CATALOG_FILE = '^src/estimator/import-catalog\\.ts$';

/** Files that put the parts together. */
const WIRING = '^src/(main|app|worker|cli)\\.ts$|^src/(wiring|processes|cli)/|^dev/';

/** Files of a feature that are not a verb. */
const KINDS = '([a-z-]*store|[a-z-]*routes|[a-z-]*schema|params|tag|examples|present|[a-z-]*middleware)';

/** The package with this name, wherever npm put it. */
function npm(names) {
  return `(^|/)node_modules/(${names})/`;
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    // 0 -------------------------------------------------------------------------------------------------------------
    ...LAYERS.map((folder, index) => ({
      name: 'folders-look-down',
      comment: 'A folder imports only those before it in LAYERS, so no two import each other.',
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/[a-z-]+/', pathNot: `^src/(${LAYERS.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'folders-have-a-place',
      comment: 'Every folder of src/ is in LAYERS, or wires.',
      severity: 'error',
      from: {},
      to: { path: '^src/[a-z-]+/', pathNot: `^src/(${LAYERS.join('|')}|wiring|cli|processes)/` },
    },

    // 1 -------------------------------------------------------------------------------------------------------------
    {
      name: 'domain-is-pure',
      comment: 'domain imports only domain and the decimals of money (ADR 21): no I/O, not even Node.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: ['^src/domain/', npm('big.js|@types/big.js')] },
    },

    // 2 -------------------------------------------------------------------------------------------------------------
    {
      name: 'workflows-are-replayed',
      comment:
        'Workflow code imports workflows, domain and what Temporal made for it. Not even types of activities: ' +
        'their interface is in domain/delivery-contract.ts.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^workflows/', '^src/domain/', npm('@temporalio/workflow|@temporalio/common')] },
    },

    // 3 -------------------------------------------------------------------------------------------------------------
    {
      name: 'workflows-are-given-by-path',
      comment: 'Workflow code runs in a sandbox of its own; importing it would run it outside.',
      severity: 'error',
      from: { pathNot: '^(workflows|test)/' },
      to: { path: '^workflows/' },
    },
    {
      name: 'only-the-worker-has-activities',
      comment: 'src/worker.ts joins workflows and activities.',
      severity: 'error',
      from: { pathNot: '^(activities|test)/|^src/worker\\.ts$' },
      to: { path: '^activities/' },
    },
    {
      name: 'activities-call-the-engine',
      comment: "activities import the engine's attempts, and the contract with the workflow.",
      severity: 'error',
      from: { path: '^activities/' },
      to: { pathNot: ['^activities/', '^src/domain/', '^src/engine/attempt\\.ts$'] },
    },

    // 4 -------------------------------------------------------------------------------------------------------------
    {
      name: 'mongodb-only-in-stores',
      comment: 'MongoDB is spoken to in */*store.ts and platform/mongo*.ts; dev/mongod.ts makes a replica set.',
      severity: 'error',
      from: {
        pathNot:
          '^src/[a-z-]+/[a-z-]*store\\.ts$|^src/platform/mongo(-changes|-expiry|-indexes|-jobs|-lease|-pool|-router|-sockets|-unavailable)?\\.ts$|^dev/mongod\\.ts$|^(test|bench)/|node_modules',
      },
      to: { path: npm('mongodb|bson') },
    },
    {
      name: 'koa-only-at-the-edge',
      comment:
        'koa is known in app.ts, operations.ts, http/, openapi/, dashboard-api/, */*routes.ts and */*middleware.ts.',
      severity: 'error',
      from: {
        pathNot:
          '^src/((app|operations)\\.ts$|(http|openapi|dashboard-api)/)|^src/[a-z-]+/[a-z-]*(routes|middleware)\\.ts$|^(test|bench)/|node_modules',
      },
      to: { path: npm('koa|@koa/[a-z-]+|@types/koa|@types/koa__[a-z-]+') },
    },

    // 5 -------------------------------------------------------------------------------------------------------------
    {
      name: 'routes-call-verbs',
      comment: 'A route validates, calls a verb and presents. It reads and writes nothing itself.',
      severity: 'error',
      from: { path: `^src/${FEATURES}/[a-z-]*routes\\.ts$` },
      to: {
        path: '.',
        pathNot: [
          `^src/${FEATURES}/(?!([a-z-]*store|[a-z-]*routes|[a-z-]*middleware)\\.ts$)[a-z-]+\\.ts$`,
          '^src/(http|domain)/',
          npm('@koa/router|koa|zod'),
        ],
      },
    },
    {
      name: 'verbs-use-stores-and-domain',
      comment: 'A use case knows stores, domain and other verbs. It knows nothing of HTTP and is given the rest.',
      severity: 'error',
      from: { path: `^src/${FEATURES}/`, pathNot: `/${KINDS}\\.ts$|^src/engine/|${CATALOG_FILE}` },
      to: {
        pathNot: [
          '^src/domain/',
          `^src/${FEATURES}/(?!([a-z-]*routes|params|present|[a-z-]*middleware)\\.ts$)[a-z-]+\\.ts$`,
          PURE_PLATFORM,
          npm('ajv|ajv-formats|lru-cache|sift|csv-parse|fastest-levenshtein'),
          HARMLESS_NODE,
        ],
      },
    },
    {
      name: 'the-engine-sends',
      comment: 'The engine may also use the sender, and talk to Temporal.',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: {
        pathNot: [
          '^src/domain/',
          '^src/sender/',
          `^src/${FEATURES}/(?!([a-z-]*routes|params|present|[a-z-]*middleware)\\.ts$)[a-z-]+\\.ts$`,
          PURE_PLATFORM,
          '^src/platform/temporal\\.ts$',
          npm('@temporalio/common|lru-cache'),
          HARMLESS_NODE,
        ],
      },
    },
    {
      name: 'stores-know-domain-only',
      comment:
        "A store imports domain, MongoDB's platform, pure pieces of its own folder, and other stores' interfaces.",
      severity: 'error',
      from: { path: '^src/([a-z-]+)/[a-z-]*store\\.ts$' },
      to: {
        pathNot: [
          '^src/domain/',
          '^src/platform/(clock|cursor|ids|mongo|mongo-changes|mongo-expiry|mongo-indexes|mongo-jobs|mongo-lease|mongo-router|mongo-unavailable|secret-box|concurrency-limit|write-groups)\\.ts$',
          '^src/payloads/(account-key|payload-box)\\.ts$',
          '^src/[a-z-]+/[a-z-]*store\\.ts$',
          '^src/$1/(?!(routes|schema|present|[a-z-]*middleware)\\.ts$)[a-z-]+\\.ts$',
          npm('mongodb'),
          HARMLESS_NODE,
        ],
      },
    },
    {
      name: 'routes-are-private',
      comment: 'A feature uses another through its verbs or its store, never its routes.',
      severity: 'error',
      from: { pathNot: '^src/(app|operations)\\.ts$|^src/dashboard-api/(dashboard|portal)-api\\.ts$|^(test|bench)/' },
      to: { path: '^src/[a-z-]+/[a-z-]*routes\\.ts$' },
    },
    {
      name: 'sender-stands-alone',
      comment: 'The sender knows domain, the address policy, and nothing of the product around it.',
      severity: 'error',
      from: { path: '^src/sender/' },
      to: { path: '^(src|workflows|activities)/', pathNot: '^src/(sender|domain)/|^src/config\\.ts$' },
    },
    {
      name: 'wiring-is-on-top',
      comment: 'Nothing imports the files that put the parts together, but each other.',
      severity: 'error',
      from: { pathNot: `${WIRING}|^(test|bench)/` },
      to: { path: WIRING },
    },
    {
      name: 'settings-are-passed-in',
      comment: 'Only wiring reads the settings; the sender takes the type of its policy from there.',
      severity: 'error',
      from: { pathNot: `${WIRING}|^src/sender/|^(test|bench)/` },
      to: { path: '^src/config\\.ts$' },
    },
    {
      name: 'page-is-served-as-files',
      comment:
        'The server serves what Vite built from the page, and imports nothing of it. What the page imports is checked by lint.',
      severity: 'error',
      from: {},
      to: { path: '^dashboard/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'product-never-imports-test',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'product-never-imports-dev',
      comment: 'The production image has no dev/, and none of its packages.',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { path: '^dev/' },
    },

    // Hygiene -------------------------------------------------------------------------------------------------------
    {
      name: 'nothing-unresolved',
      comment: 'An import that leads nowhere would slip through every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-packages',
      comment: 'The production image has only `dependencies`.',
      severity: 'error',
      from: { pathNot: '^(dev|test|bench)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    // TypeScript 7 has no API for tools yet; swc reads the imports, those of types included.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // Packages whose parts are found by `exports` only.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.chaos|coverage)/' },
  },
};
