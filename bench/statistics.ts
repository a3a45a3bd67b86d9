import { readFileSync } from 'node:fs';

/** Milliseconds since 1970 with fractions: processes on one machine agree on it. */
export function preciseNowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** The value below which the given share of the values lies. @param share 0.5 is the median */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/** Without decimals, and with a comma between thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** The median and the 99th percentile. */
export function quantiles(values: readonly number[]): { p50: number; p99: number } {
  return { p50: rounded(percentile(values, 0.5)), p99: rounded(percentile(values, 0.99)) };
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** The seconds of several CPU times of /proc. */
export function secondsOfTicks(ticks: readonly number[]): number {
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** CPU seconds that a process has used; NaN where /proc is missing. */
export function cpuSeconds(pid: number): number {
  try {
    // Fields after the command's closing parenthesis: utime and stime are the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return secondsOfTicks([Number(fields[11]), Number(fields[12])]);
  } catch {
    return Number.NaN;
  }
}

/**
 * Measures the CPU of processes from now on, by their names.
 *
 * @returns a function that gives the seconds used for each 1,000 of `count` things done since
 */
export function meterCpu(pids: Readonly<Record<string, number>>): (count: number) => Record<string, number> {
  const before = new Map(Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid)]));
  const usedBy = (name: string, pid: number): number => cpuSeconds(pid) - before.get(name)!;
  return (count) =>
    Object.fromEntries(
      Object.entries(pids).map(([name, pid]) => [name, rounded((usedBy(name, pid) / count) * 1_000, 2)]),
    );
}

/** Resident memory of a process in MB; NaN where /proc is missing. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
