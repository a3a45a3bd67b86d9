import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { FirstAttemptWay } from '../../src/domain/delivery-contract';
import type { Outcome } from './fault';

/** A row that was played. */
export interface Row extends Outcome {
  readonly name: string;
  readonly way: FirstAttemptWay;
  readonly title: string;
  readonly criterion: string;
  /** When it began; a report may have rows of several runs. */
  readonly startedAt: string;
  readonly seconds: number;
}

export interface Report {
  readonly profile: string;
  readonly machine: string;
  readonly rows: readonly Row[];
}

export type RowResult = 'passed' | 'failed' | 'skipped';

export function resultOf({ skipped, failures }: Outcome): RowResult {
  if (skipped !== undefined) return 'skipped';
  return failures.length === 0 ? 'passed' : 'failed';
}

/** The machine of the measurements, without names; call it before anything runs. */
export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const busy = loadavg()[0]!.toFixed(1);
  return `${cpus().length} CPUs, ${gigabytes} GB, Node ${process.versions.node}, ${process.platform}, load average ${busy} before`;
}

/** Writes `report.json` and `report.md` into the folder. */
export async function writeReport(folder: string, report: Report): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(folder, 'report.md'), presentMarkdown(report));
}

/** @throws Error if there is none, or one of another profile */
export async function readReport(folder: string, profile: string): Promise<Report> {
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
  if (report.profile !== profile) throw new Error(`The last report is one of profile ${report.profile}.`);
  return report;
}

/** A report with newer rows in the place of older ones; those that it did not have come last. */
export function withNewerRows(report: Report, newer: readonly Row[]): Report {
  const isSame = (one: Row, other: Row): boolean => one.name === other.name && one.way === other.way;
  const rows = report.rows.map((row) => newer.find((it) => isSame(it, row)) ?? row);
  return { ...report, rows: [...rows, ...newer.filter((it) => !report.rows.some((row) => isSame(it, row)))] };
}

export function presentMarkdown(report: Report): string {
  const lines = report.rows.map(
    (row) =>
      `| ${cell(row.title)} | ${row.way} | ${cell(row.criterion)} | ${resultOf(row)} | ${cell(figuresOf(row))} | ${row.startedAt.slice(0, 10)}, ${row.seconds} s |`,
  );
  const failures = report.rows.flatMap(({ name, way, failures: sentences }) =>
    sentences.map((sentence) => `- **${name}**, ${way}: ${cell(sentence)}`),
  );
  const seconds = report.rows.reduce((sum, row) => sum + row.seconds, 0);
  return [
    `Profile \`${report.profile}\`, ${seconds} s in all, on ${report.machine}.`,
    '',
    '| What is broken | First attempts by | Passes when | Result | Measured | Played |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
    ...(failures.length > 0 ? ['What did not hold:', '', ...failures, ''] : []),
  ].join('\n');
}

function figuresOf({ figures, skipped }: Row): string {
  if (skipped !== undefined) return skipped;
  return Object.entries(figures)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
