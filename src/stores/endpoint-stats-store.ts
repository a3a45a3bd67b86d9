import { Timestamp, type Collection, type Db } from 'mongodb';
import { DELIVERY_STATES, type DeliveryState } from '../domain/delivery-state';
import type { EndpointRef } from './endpoint-store';
import { EVENTS_COLLECTION, type StoredEvent } from './event-store';
import { attemptId, ATTEMPTS_COLLECTION, type Attempt } from './attempt-store';

/** The results of the deliveries to an endpoint. */
export interface EndpointStats {
  readonly since: Date;
  readonly until: Date;
  /** Deliveries by state. */
  readonly deliveries: Readonly<Record<DeliveryState, number>>;
  readonly attempts: { readonly total: number; readonly succeeded: number };
  /** Of answered attempts, in milliseconds; null if there are none. */
  readonly latencyMs: { readonly p50: number; readonly p95: number } | null;
  /** False if there were more deliveries than are read: only the newest ones were. */
  readonly complete: boolean;
}

/** The query for an endpoint's deliveries. */
interface StatsQuery extends EndpointRef {
  /** The window ends at the database's current time. */
  readonly windowMs: number;
  /** The most deliveries that are read, which bounds the work. */
  readonly most: number;
}

/** Attempts that one query sums up: some 50 bytes of id each. */
const ATTEMPT_IDS = 10_000;

export type EndpointStatsStore = ReturnType<typeof createEndpointStatsStore>;

/** Reads what `DeliveryStore` writes, through that store's indexes. */
export function createEndpointStatsStore(db: Db) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  return {
    /** Sums up the newest deliveries of events that were accepted in the window. */
    statsOfEndpoint: (query: StatsQuery) => statsOfEndpoint(events, attempts, query),
  };
}

async function statsOfEndpoint(
  events: Collection<StoredEvent>,
  attempts: Collection<Attempt>,
  { accountId, endpointId, windowMs, most }: StatsQuery,
): Promise<EndpointStats> {
  const { localTime } = (await events.db.command({ hello: 1 })) as { localTime: Date };
  const since = new Date(localTime.getTime() - windowMs);
  const found = await events
    .aggregate<{ _id: number; state: DeliveryState; run: number; attempt_count: number }>([
      {
        $match: {
          account_id: accountId,
          accepted_at: { $gte: new Timestamp({ t: Math.floor(since.getTime() / 1_000), i: 0 }) },
          destinations: {
            $elemMatch: { endpoint_id: endpointId, state: { $in: [...DELIVERY_STATES] }, test: { $ne: true } },
          },
        },
      },
      { $sort: { accepted_at: -1, _id: -1 } },
      { $limit: most + 1 },
      { $unwind: '$destinations' },
      { $match: { 'destinations.endpoint_id': endpointId } },
      { $replaceWith: { $mergeObjects: ['$destinations', { _id: '$_id' }] } },
      { $project: { state: 1, run: 1, attempt_count: 1 } },
    ])
    .toArray();
  const looked = found.slice(0, most);
  const counts = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as Record<DeliveryState, number>;
  for (const { state } of looked) counts[state] += 1;
  const ids = looked.flatMap(({ _id, run, attempt_count: count }) =>
    Array.from({ length: count }, (_, index) => attemptId({ eventId: _id, endpointId, run, number: index + 1 })),
  );
  return {
    since,
    until: localTime,
    deliveries: counts,
    ...(await summarizeAttempts(attempts, ids)),
    complete: found.length <= most,
  };
}

/** The attempts of the current runs, found by their ids: no extra index slows attempts down. */
async function summarizeAttempts(
  attempts: Collection<Attempt>,
  ids: readonly string[],
): Promise<Pick<EndpointStats, 'attempts' | 'latencyMs'>> {
  const latencies: number[] = [];
  let succeeded = 0;
  for (let from = 0; from < ids.length; from += ATTEMPT_IDS) {
    const [page] = await attempts
      .aggregate<{ latencies: number[]; succeeded: number }>([
        { $match: { _id: { $in: ids.slice(from, from + ATTEMPT_IDS) }, answer: { $exists: true } } },
        {
          $group: {
            _id: null,
            latencies: { $push: '$answer.latency_ms' },
            succeeded: { $sum: { $cond: ['$answer.succeeded', 1, 0] } },
          },
        },
      ])
      .toArray();
    latencies.push(...(page?.latencies ?? []));
    succeeded += page?.succeeded ?? 0;
  }
  latencies.sort((one, other) => one - other);
  return {
    attempts: { total: latencies.length, succeeded },
    latencyMs: latencies.length === 0 ? null : { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) },
  };
}

/** The smallest value that at least `share` of them do not exceed (nearest rank). */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1]!;
}
