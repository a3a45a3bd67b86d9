import type { ChildProcess } from 'node:child_process';
import { ask, pause } from './child';
import type { Ingested } from './load';

const LOOK_EVERY_MS = 200;
const PATIENCE_MS = 300_000;

/** When each delivery arrived first: `<event id><path>` and milliseconds since 1970. */
type Arrivals = readonly (readonly [delivery: string, atMs: number])[];

/**
 * Waits until the receiver has answered that many deliveries with 200.
 *
 * @returns for each event when its deliveries first arrived, in milliseconds since 1970
 * @throws Error after five minutes
 */
export async function arrivalsOf(receiver: ChildProcess, count: number): Promise<Map<number, number[]>> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const answered = await answeredBy(receiver);
    if (answered >= count) break;
    if (performance.now() > giveUpAt) throw new Error(`${answered} of ${count} deliveries arrived in five minutes`);
    await pause(LOOK_EVERY_MS);
  }
  const { arrivals } = await ask<{ arrivals: Arrivals }>(receiver, { kind: 'arrivals' }, 'arrivals');
  return byEvent(arrivals);
}

/** How many deliveries the receiver has answered with 200. */
export async function answeredBy(receiver: ChildProcess): Promise<number> {
  return (await ask<{ answered: number }>(receiver, { kind: 'answered' }, 'answered')).answered;
}

/** Milliseconds from each ingest to the first request of each of its deliveries. */
export function lagsOf(ingested: readonly Ingested[], arrivals: ReadonlyMap<number, readonly number[]>): number[] {
  return ingested.flatMap(({ eventId, sentAtMs }) => (arrivals.get(eventId) ?? []).map((atMs) => atMs - sentAtMs));
}

/** Events accepted and deliveries arrived a second, of events that were sent together. */
export function ratesOf(
  burst: readonly Ingested[],
  arrivals: ReadonlyMap<number, readonly number[]>,
): { accepted: number; delivered: number } {
  const arrivedAt = burst.flatMap(({ eventId }) => arrivals.get(eventId) ?? []);
  const startedAt = Math.min(...burst.map(({ sentAtMs }) => sentAtMs));
  const acceptedAt = Math.max(...burst.map(({ sentAtMs, latencyMs }) => sentAtMs + latencyMs));
  const rate = (count: number, endedAt: number): number => count / ((endedAt - startedAt) / 1_000);
  return { accepted: rate(burst.length, acceptedAt), delivered: rate(arrivedAt.length, Math.max(...arrivedAt)) };
}

function byEvent(arrivals: Arrivals): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const [delivery, atMs] of arrivals) {
    const eventId = Number.parseInt(delivery, 10);
    const known = found.get(eventId);
    if (known) known.push(atMs);
    else found.set(eventId, [atMs]);
  }
  return found;
}
