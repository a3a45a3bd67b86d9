import { readdirSync, readFileSync } from 'node:fs';
import { secondsOfTicks } from '../statistics';
import type { Topology } from './topology';

/** The kinds of processes, as docker-compose.yml calls them. */
const KINDS = ['api', 'worker', 'mongodb', 'temporal', 'postgresql'] as const;
export type ByKind = Readonly<Record<(typeof KINDS)[number], number>>;

/** CPU seconds that all processes of each kind have used since they started. Linux only. */
export function cpuByKind(topology: Topology): ByKind {
  return sumByKind(topology, (pid) => fieldsOf(pid).cpuSeconds);
}

/** Memory in MB, of which each process has its part where they share it: PostgreSQL's share most of theirs. Linux only. */
export function memoryByKind(topology: Topology): ByKind {
  return sumByKind(topology, (pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1_024;
  });
}

function sumByKind({ apis, workers, replicaSet, temporal, postgresql }: Topology, measure: (pid: number) => number) {
  const pids: Record<keyof ByKind, readonly number[]> = {
    api: apis.map((role) => role.pid()),
    worker: workers.map((role) => role.pid()),
    mongodb: replicaSet.pids(),
    temporal: [temporal.pid()],
    postgresql: [postgresql.pid, ...childrenOf(postgresql.pid)],
  };
  const sum = (kind: keyof ByKind): number =>
    pids[kind].reduce((total, pid) => total + (unlessEnded(() => measure(pid)) ?? 0), 0);
  return Object.fromEntries(KINDS.map((kind) => [kind, sum(kind)])) as ByKind;
}

/** PostgreSQL has a process for each connection. */
function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return all.filter((each) => unlessEnded(() => fieldsOf(each).parent) === pid);
}

/** Connections come and go while we look. */
function unlessEnded<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Of a process and of its children that have ended. */
function fieldsOf(pid: number): { parent: number; cpuSeconds: number } {
  // After the command's closing parenthesis: ppid is the 2nd field; utime, stime, cutime and cstime are the 12th to 15th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
  return { parent: fields[1]!, cpuSeconds: secondsOfTicks(fields.slice(11, 15)) };
}
