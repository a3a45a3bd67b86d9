// The crash matrix:
// `npm run chaos -- --profile quick|full [--only|--again <fault>[,<fault>]] [--way workflow|express] [--auto]
// [--out <folder>] [--page <file>]`.
// test/chaos/README.md says what it is.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FirstAttemptWay } from '../../src/domain/delivery-contract';
import { writeIntoPage } from '../../bench/page';
import { quietTemporal } from '../support/quiet-temporal';
import type { Fault, Outcome } from './fault';
import { FAULTS } from './faults';
import { PROFILES, type Counts } from './profile';
import {
  describeMachine,
  presentMarkdown,
  readReport,
  resultOf,
  withNewerRows,
  writeReport,
  type Report,
  type Row,
} from './report';
import { say } from './say';
import { createTestbeds, type Testbeds } from './testbeds';

const WAYS: readonly FirstAttemptWay[] = ['workflow', 'express'];

/** A row of the report: a fault, and who makes first attempts meanwhile. */
interface Play {
  readonly fault: Fault;
  readonly way: FirstAttemptWay;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: '.chaos/report' },
      profile: { type: 'string', default: 'quick' },
      only: { type: 'string' },
      again: { type: 'string' },
      way: { type: 'string' },
      auto: { type: 'boolean', default: false },
      page: { type: 'string' },
    },
  });
  // npm runs it in the project's folder.
  const [root, build, out] = [resolve('.'), resolve('dist'), resolve(values.out)];
  const counts = PROFILES[values.profile as Counts['profile']];
  if (!counts) throw new Error(`There is no profile "${values.profile}": quick or full.`);
  const plays = planPlays(chosenFaults(values.again ?? values.only, counts), counts, values.way);
  const last = values.again === undefined ? undefined : await readReport(out, counts.profile);

  quietTemporal();
  const machine = describeMachine();
  const testbeds = createTestbeds(
    { root, build, logs: join(out, 'logs'), auto: values.auto },
    counts.receiverTimeoutMs,
  );
  try {
    const played = new Map<Play, Row>();
    const rowsSoFar = (): Row[] => plays.flatMap((it) => played.get(it) ?? []);
    const report = (): Report =>
      last ? withNewerRows(last, rowsSoFar()) : { profile: counts.profile, machine, rows: rowsSoFar() };
    // One way after the other: between them all roles start again.
    for (const it of WAYS.flatMap((way) => plays.filter((each) => each.way === way))) {
      played.set(it, await play(it, testbeds, counts));
      // After each row, so that an interrupted run keeps its results.
      await writeReport(out, report());
    }
    if (values.page !== undefined) writeTables(values.page, report());
    process.stdout.write(presentMarkdown(report()));
    const rows = rowsSoFar();
    const failed = rows.filter((row) => resultOf(row) === 'failed');
    const seconds = Math.round(process.uptime());
    say(`${rows.length - failed.length} rows held, ${failed.length} failed, in ${seconds} s; the report is in ${out}`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await testbeds.leave();
  }
}

/** Writes a table for each way that the report has, so that the page can have runs of different days. */
function writeTables(page: string, report: Report): void {
  for (const way of WAYS) {
    const rows = report.rows.filter((row) => row.way === way);
    if (rows.length > 0) writeIntoPage(page, `chaos-${way}`, presentMarkdown({ ...report, rows }));
  }
}

/** Those of the profile, or those that are named. */
function chosenFaults(only: string | undefined, { profile }: Counts): readonly Fault[] {
  if (only === undefined) return FAULTS.filter(({ nightly }) => profile === 'full' || nightly === undefined);
  return only.split(',').map((name) => {
    const fault = FAULTS.find((it) => it.name === name);
    if (!fault) throw new Error(`There is no fault "${name}". Faults: ${FAULTS.map((it) => it.name).join(', ')}`);
    return fault;
  });
}

/** In the matrix's order. @param way only this one */
function planPlays(faults: readonly Fault[], { profile }: Counts, way: string | undefined): readonly Play[] {
  const waysOf = ({ ways }: Fault) => (way === undefined ? ways[profile] : ways.full.filter((it) => it === way));
  const plays = faults.flatMap((fault) => waysOf(fault).map((it) => ({ fault, way: it })));
  if (plays.length === 0) throw new Error(`Nothing of that is played by "${way}": workflow or express.`);
  return plays;
}

/** A row that takes longer hangs. No row judges the speed of the machine by its own length. */
const LIMIT_MS = 60 * 60_000;

/** One row: within its time, on a cluster that is whole, and leaving one behind. */
async function play({ fault, way }: Play, testbeds: Testbeds, counts: Counts): Promise<Row> {
  const { name, title, criterion } = fault;
  const { cluster, run } = await opened(fault, way, testbeds, counts);
  say(`── ${name}, first attempts by ${way}`);
  const startedAt = new Date();
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<Outcome>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not through after ${LIMIT_MS / 60_000} minutes`)), LIMIT_MS);
  });
  let isWhole = true;
  const outcome = await Promise.race([run(), cut]).catch((error: unknown): Outcome => {
    isWhole = false;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { figures: {}, failures: [reason] };
  });
  clearTimeout(timer);
  if (outcome.failures.length > 0) await testbeds.keepLogs();
  if (isWhole) await cluster.heal().catch(() => testbeds.leave());
  // It stopped in the middle of something, or is still running: no other row gets this cluster.
  else await testbeds.leave();
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const row = { name, way, title, criterion, startedAt: startedAt.toISOString(), seconds, ...outcome };
  say(`   ${resultOf(row)} in ${row.seconds} s ${JSON.stringify(row.figures)}`);
  if (row.skipped !== undefined) say(`   SKIPPED: ${row.skipped}`);
  for (const failure of row.failures) say(`   FAILED: ${failure}`);
  return row;
}

/** The servers of a row, and the row on them. */
async function opened(fault: Fault, way: FirstAttemptWay, testbeds: Testbeds, counts: Counts) {
  if (fault.testbed === 'small') {
    const testbed = await testbeds.openSmall(way);
    return { cluster: testbed.cluster, run: () => fault.run(testbed, counts) };
  }
  const isAlone = fault.measuresTime === true && counts.profile === 'full';
  const testbed = await (isAlone ? testbeds.openForTime(way) : testbeds.open(way));
  return { cluster: testbed.cluster, run: () => fault.run(testbed, counts) };
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
