'use strict';
/**
 * Measures whether the tests notice broken code: `node test/mutations/mutate.js`, by hand.
 *
 * It takes a sample of small changes ("mutants") of the product's code: `<` becomes `<=`, `&&` becomes `||`, a guard's
 * `return` or a call is left out. It makes one change at a time in a copy of the tree, and runs the tests that are
 * responsible for that folder. A test that fails has noticed: the mutant is "killed". A mutant that nothing notices has
 * "survived": either a test is missing there, or the change makes no difference that anyone could see.
 *
 * It prints the share of killed mutants for each folder, then each survivor. The same seed and the same sources give the
 * same mutants. A time-out counts as killed: the change made the code hang.
 *
 *   --per-folder 12   mutants of each folder
 *   --seed 16         another seed takes another sample
 *   --minutes 15      takes no more mutants so long after the start; it takes them from the folders in turn
 *   --parallel 2      copies of the tree, and mutants at a time
 *   --folder NAME     only this folder; may be given more than once
 *   --tree DIR        measures another checkout
 *   --json FILE       writes every mutant with a stable id, its outcome, and which test killed it
 */
const { writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { parseArgs } = require('node:util');
const { collectMutants, sample } = require('./collect');
const { findTests, makeCopy, packagesOf } = require('./copy');
require('../harness/hermetic');
require('../harness/load-typescript');

const DELIVERIES = [
  ...['delivery-state', 'deliveries', 'delivery', 'delivery-commands', 'lists', 'attempt-history'],
  ...['runs', 'retry-now', 'state-first', 'claim-before-post', 'claim-leases', 'unrecorded-answer'],
];

/** Which tests are responsible for a folder: folders of test/, and names of files in them. */
const RESPONSIBLE = {
  'src/domain': ['unit'],
  'src/stores': DELIVERIES,
  'src/deliveries': DELIVERIES,
  'src/engine': [
    ...['endpoint-capacity', 'direct-attempts', 'dispatcher', 'fair-queue', 'gate', 'executions'],
    ...['claim-before-post', 'options', 'ordered', 'rate', 'caps', 'unrecorded-answer', 'attempt-history'],
    ...['replay-jobs', 'endpoint-secrets', 'auto-disable', 'slow-receivers', 'operational-events', 'retry-now'],
    ...['receiver-budget', 'sweeper', 'first-attempts'],
  ],
  'src/events': [
    ...['ingest-batch', 'ingest-admission', 'ingest-event', 'event-ids', 'batch', 'filter', 'deliveries', 'replays'],
    ...['endpoint-attempts', 'several-destinations', 'expect-continue'],
  ],
  'src/limits': ['limiter', 'auth-failures', 'limits', 'authentication', 'batch'],
  'src/sender': ['sender', 'deadline', 'keep-alive', 'signature', 'address-guard'],
  activities: ['slow-receivers', 'retry-now', 'first-attempts'],
  workflows: ['workflows'],
};

const TIMEOUT_MS = 120_000;
/** Tests that take long by themselves have that many times as long. */
const PATIENCE = 2;

async function main() {
  const options = readOptions();
  const folders = planOf(options);
  const { startTestServers } = require('../support/servers.ts');
  const stopServers = await startTestServers();
  const packages = packagesOf(options.tree);
  const copies = Array.from({ length: options.parallel }, () => makeCopy(options.tree, packages));
  const clear = () => {
    for (const copy of copies) {
      copy.stop();
      copy.remove();
    }
  };
  process.once('exit', clear);
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  try {
    await expectGreen(folders, copies);
    const results = await tryMutants(folders, copies, options.giveUpAt);
    report(folders, results);
    if (options.json) writeFileSync(options.json, JSON.stringify(results, undefined, 2));
  } finally {
    await stopServers();
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      'per-folder': { type: 'string', default: '12' },
      seed: { type: 'string', default: '16' },
      minutes: { type: 'string', default: '15' },
      parallel: { type: 'string', default: '2' },
      folder: { type: 'string', multiple: true, default: Object.keys(RESPONSIBLE) },
      tree: { type: 'string', default: resolve(__dirname, '../..') },
      json: { type: 'string' },
    },
  });
  return {
    ...values,
    perFolder: Number(values['per-folder']),
    parallel: Number(values.parallel),
    tree: resolve(values.tree),
    giveUpAt: performance.now() + Number(values.minutes) * 60_000,
  };
}

function planOf({ folder: names, tree, perFolder, seed }) {
  return names.map((folder) => ({
    folder,
    tests: findTests(tree, RESPONSIBLE[folder]),
    mutants: sample(collectMutants(tree, folder), perFolder, seed),
    timeoutMs: TIMEOUT_MS,
  }));
}

/** The tests must pass on the original code; otherwise a failure says nothing about a mutant. */
async function expectGreen(folders, copies) {
  await inTurns(folders, copies, async (folder, copy) => {
    const { outcome, output, seconds } = await copy.run(folder.tests, TIMEOUT_MS * 5);
    say(`${folder.folder}: ${folder.tests.length} files of tests, ${seconds} s unmutated`);
    if (outcome !== 'survived') throw new Error(`the tests of ${folder.folder} fail unmutated.\n${output}`);
    folder.timeoutMs = Math.max(TIMEOUT_MS, PATIENCE * seconds * 1_000);
  });
}

/** From the folders in turn: where the time ends early, each has had as many. */
async function tryMutants(folders, copies, giveUpAt) {
  const most = Math.max(...folders.map(({ mutants }) => mutants.length));
  const turns = Array.from({ length: most }, (_, turn) =>
    folders.flatMap((folder) => (folder.mutants[turn] ? [{ folder, mutant: folder.mutants[turn] }] : [])),
  ).flat();
  const results = [];
  await inTurns(turns, copies, async ({ folder, mutant }, copy) => {
    if (performance.now() > giveUpAt) return;
    const { output: _, ...result } = await copy.runOn(mutant, folder.tests, folder.timeoutMs);
    results.push({ ...mutant, ...result });
    say(`${result.outcome.padEnd(9)} ${String(result.seconds).padStart(5)} s  ${describe(mutant)}`);
  });
  return results;
}

async function inTurns(items, copies, work) {
  const left = [...items];
  const one = async (copy) => {
    for (let item = left.shift(); item; item = left.shift()) await work(item, copy);
  };
  await Promise.all(copies.map(one));
}

function report(folders, results) {
  const rows = folders.map(({ folder }) => rowOf(folder, (result) => result.folder === folder, results));
  const lines = [...rows, rowOf('all', () => true, results)].map((cells) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(10))).join(''),
  );
  const heading = ['folder', 'mutants', 'killed', 'timed out', 'survived', 'score'];
  const first = heading.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(10))).join('');
  const survivors = results.filter(({ outcome }) => outcome === 'survived').map(describe);
  process.stdout.write(`\n${[first, ...lines, '', 'Survivors:', ...survivors.sort()].join('\n')}\n`);
}

function rowOf(name, isMeant, results) {
  const own = results.filter(isMeant);
  const count = (outcome) => own.filter((result) => result.outcome === outcome).length;
  const survived = count('survived');
  const score = own.length === 0 ? '-' : `${Math.round((100 * (own.length - survived)) / own.length)} %`;
  return [name, ...[own.length, count('killed'), count('timed out'), survived].map(String), score];
}

function describe({ file, line, before, after }) {
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 80);
  return `${file}:${line}  ${short(before)} → ${after === ';' ? '(nothing)' : short(after)}`;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

main().then(
  () => process.exit(0),
  (error) => {
    say(String(error instanceof Error ? error.stack : error));
    process.exit(1);
  },
);
