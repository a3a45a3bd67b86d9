import { cpuSeconds, percentile, rounded } from '../statistics';

/** What one operation on MongoDB costs when so many callers do it all the time. */
export interface Probed {
  /** Operations a second. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU milliseconds of the primary for one. */
  readonly cpuMs: number;
}

/**
 * Repeats an operation from several callers at once.
 *
 * @param mongodPids of the members: the one that used the most is the primary
 * @param operation gets the number of its caller
 */
export async function probe(
  { callers, seconds, mongodPids }: { callers: number; seconds: number; mongodPids: readonly number[] },
  operation: (caller: number) => Promise<unknown>,
): Promise<Probed> {
  const times: number[] = [];
  // The first round opens connections.
  await Promise.all(Array.from({ length: callers }, (_, caller) => operation(caller)));
  const before = mongodPids.map(cpuSeconds);
  const startedAt = performance.now();
  const lane = async (caller: number): Promise<void> => {
    while (performance.now() - startedAt < seconds * 1_000) {
      const begunAt = performance.now();
      await operation(caller);
      times.push(performance.now() - begunAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => lane(caller)));
  const took = (performance.now() - startedAt) / 1_000;
  const cpu = Math.max(...mongodPids.map((pid, index) => cpuSeconds(pid) - before[index]!));
  return {
    perSecond: Math.round(times.length / took),
    p50Ms: rounded(percentile(times, 0.5)),
    p99Ms: rounded(percentile(times, 0.99)),
    cpuMs: rounded((cpu / times.length) * 1_000, 3),
  };
}
