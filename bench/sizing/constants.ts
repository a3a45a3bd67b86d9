import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The unit of each constant. CPU seconds are those of one core of the measuring machine. */
export const UNITS = {
  'idle.everpost': 'cores of a process',
  'idle.mongodb': 'cores for a process',
  'idle.temporal': 'cores',
  'delivery.everpost': 'CPU s for 1,000 further deliveries of an event',
  'delivery.mongodb': 'CPU s for 1,000 further deliveries of an event',
  'execution.everpost': 'CPU s for 1,000 executions',
  'execution.mongodb': 'CPU s for 1,000 executions',
  'execution.temporal': 'CPU s for 1,000 executions, with PostgreSQL',
  'execution.postgresql': 'CPU s for 1,000 executions',
  'execution.sqlite': 'CPU s for 1,000 executions, Temporal with SQLite',
  'delete.mongodb': 'CPU s for 1,000 documents that expire',
  'delete.rate': 'documents a second that expire',
  'primary.of-three': 'times the CPU of a set of one',
  'event.disk': 'bytes, with 1 KB of `data`',
  'event.index': 'bytes',
  'attempt.disk': 'bytes',
  'attempt.index': 'bytes',
  'key.disk': 'bytes of an idempotency key',
  'key.index': 'bytes of an idempotency key',
  'execution.postgresql-disk': 'bytes',
  'execution.sqlite-disk': 'bytes',
  'memory.everpost': 'MB of a process that is API and worker',
  'memory.mongodb': 'MB, with what its cache held',
  'memory.temporal': 'MB, with SQLite',
} as const;

export type ConstantName = keyof typeof UNITS;

/** A measured value, or null before its first measurement, and the run that it comes from (or that measures it). */
export interface Constant {
  readonly value: number | null;
  readonly source: string;
}

/** CPU seconds for 1,000 events, each to one endpoint, at a load of one process. What an idle process uses is part of it. */
export interface MeasuredLoad {
  /** Events a second. */
  readonly perSecond: number;
  /** Accounts that the events are from, in equal parts. */
  readonly tenants: number;
  readonly everpost: number;
  readonly mongodb: number;
  readonly temporal: number;
  /** Commands that MongoDB got for an event. */
  readonly commands: number;
  readonly source: string;
}

/** What the sizing multiplies, as in `measured.json`. */
export interface Constants {
  readonly loads: readonly MeasuredLoad[];
  readonly constants: Readonly<Record<ConstantName, Constant>>;
}

/** npm runs the benchmarks in the project's folder. */
const FILE = resolve('bench', 'sizing', 'measured.json');

export function readConstants(): Constants {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Constants;
}

/**
 * Stores what a run has measured.
 *
 * @param loads in place of all loads; left out, they stay
 * @param values in place of the constants of these names
 * @param source of all of them: the command and the day
 */
export function writeConstants(
  { loads, values }: { loads?: readonly Omit<MeasuredLoad, 'source'>[]; values: Partial<Record<ConstantName, number>> },
  source: string,
): void {
  const before = readConstants();
  const measured = Object.entries(values).map(([name, value]) => [name, { value, source }]);
  const constants = { ...before.constants, ...(Object.fromEntries(measured) as Partial<Constants['constants']>) };
  const after: Constants = { loads: loads?.map((load) => ({ ...load, source })) ?? before.loads, constants };
  writeFileSync(FILE, `${JSON.stringify(after, null, 2)}\n`);
}
