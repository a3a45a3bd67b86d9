// The crash matrix:
// `npm run chaos -- --profile quick|full [--only|--again <fault>[,<fault>]] [--out <folder>] [--page <file>]`.
// test/chaos/README.md says what it is.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
  writeIntoPage,
  writeReport,
  type Report,
  type Row,
} from './report';
import { say } from './say';
import { createTheatre, type Theatre } from './theatre';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      root: { type: 'string' },
      build: { type: 'string' },
      out: { type: 'string' },
      profile: { type: 'string', default: 'quick' },
      only: { type: 'string' },
      again: { type: 'string' },
      page: { type: 'string' },
    },
  });
  const { root, build, out } = values;
  if (root === undefined || build === undefined || out === undefined) throw new Error('Run it by `npm run chaos`.');
  const counts = PROFILES[values.profile as Counts['profile']];
  if (!counts) throw new Error(`There is no profile "${values.profile}": quick or full.`);
  const faults = chosenFaults(values.again ?? values.only);
  const last = values.again === undefined ? undefined : await readReport(out, counts.profile);

  quietTemporal();
  const machine = describeMachine();
  const theatre = createTheatre({ root, build, logs: join(out, 'logs') }, counts.receiverTimeoutMs);
  try {
    const rows: Row[] = [];
    const report = (): Report => (last ? withNewerRows(last, rows) : { profile: counts.profile, machine, rows });
    for (const fault of faults) {
      rows.push(await play(fault, theatre, counts));
      // After each: whoever has to break it off keeps what there is.
      await writeReport(out, report());
    }
    if (values.page !== undefined) await writeIntoPage(values.page, report());
    process.stdout.write(presentMarkdown(report()));
    const failed = rows.filter((row) => resultOf(row) === 'failed');
    const seconds = Math.round(process.uptime());
    say(`${rows.length - failed.length} rows held, ${failed.length} failed, in ${seconds} s; the report is in ${out}`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await theatre.leave();
  }
}

function chosenFaults(only: string | undefined): readonly Fault[] {
  if (only === undefined) return FAULTS;
  return only.split(',').map((name) => {
    const fault = FAULTS.find((it) => it.name === name);
    if (!fault) throw new Error(`There is no fault "${name}". Faults: ${FAULTS.map((it) => it.name).join(', ')}`);
    return fault;
  });
}

/** One row: within its time, on a cluster that is whole, and leaving one behind. */
async function play(fault: Fault, theatre: Theatre, counts: Counts): Promise<Row> {
  const { name, title, criterion } = fault;
  const stage = await (fault.measuresTime && counts.profile === 'full' ? theatre.openForTime() : theatre.open());
  say(`── ${name}`);
  const startedAt = new Date();
  const limitMs = fault.limitSeconds[counts.profile] * 1_000;
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<Outcome>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not through after ${limitMs / 1_000} s`)), limitMs);
  });
  let isWhole = true;
  const outcome = await Promise.race([fault.run(stage, counts), cut]).catch((error: unknown): Outcome => {
    isWhole = false;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { figures: {}, failures: [reason] };
  });
  clearTimeout(timer);
  if (outcome.failures.length > 0) await theatre.keepLogs();
  if (isWhole) await stage.cluster.heal().catch(() => theatre.leave());
  // It stopped in the middle of something, or even goes on with it: nobody else gets this cluster.
  else await theatre.leave();
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const row = { name, title, criterion, startedAt: startedAt.toISOString(), seconds, ...outcome };
  say(`   ${resultOf(row)} in ${row.seconds} s ${JSON.stringify(row.figures)}`);
  if (row.skipped !== undefined) say(`   SKIPPED: ${row.skipped}`);
  for (const failure of row.failures) say(`   FAILED: ${failure}`);
  return row;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
