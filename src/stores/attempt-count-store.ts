import type { Collection, Db } from 'mongodb';
import { NO_ATTEMPTS, type AttemptCounts } from '../domain/attempt-counts';
import { GRAIN_MS, spanOf, type CountGrain } from '../domain/health-windows';
import { FAST } from '../platform/mongo';

const DAY_MS = 24 * 3_600_000;
/** How long the counts of a span are kept after its end: as long as the longest window that shows them. */
export const KEPT_MS: Readonly<Record<CountGrain, number>> = { '5m': DAY_MS, '1h': 30 * DAY_MS };

/** The attempts of an endpoint, or of all endpoints of an account, that were answered in one span of time. */
interface StoredCounts {
  /** `<endpoint or account id>/<grain>/<start>`: sorts by time, and one range of it is a series. */
  readonly _id: string;
  readonly account_id: string;
  /** Null in the counts of an account. */
  readonly endpoint_id: string | null;
  readonly grain: CountGrain;
  /** The start. */
  readonly at: Date;
  readonly attempts: number;
  readonly succeeded: number;
  readonly retries: number;
  readonly failed_by?: AttemptCounts['failedBy'];
  readonly latencies: AttemptCounts['latencies'];
  readonly expires_at: Date;
}

/** Counts of one span of time. */
export interface CountsAt extends AttemptCounts {
  /** The start. */
  readonly at: Date;
}

/** Counts of one endpoint and one span of time, without latencies. */
export interface EndpointCountsAt extends CountsAt {
  readonly endpointId: string;
}

/** What to add to the counts of an endpoint and of its account. */
export interface CountAddition {
  readonly accountId: string;
  readonly endpointId: string;
  /** When the attempts were answered, or any time in the same five minutes. */
  readonly at: Date;
  readonly counts: AttemptCounts;
}

export type AttemptCountStore = ReturnType<typeof createAttemptCountStore>;

/** Counts of answered attempts by five minutes and by hour. */
export function createAttemptCountStore(db: Db) {
  const counts: Collection<StoredCounts> = db.collection('attempt_counts');
  return {
    async ensureIndexes(): Promise<void> {
      await counts.createIndexes([
        { key: { account_id: 1, grain: 1, at: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Adds counts, in one command. */
    async add(additions: readonly CountAddition[]): Promise<void> {
      const updates = additions.flatMap((addition) => updatesOf(addition));
      if (updates.length > 0) await counts.bulkWrite(updates, { ordered: false, writeConcern: FAST });
    },
    /**
     * The counts of an endpoint or of an account since then, the oldest first. Spans without attempts are left out.
     *
     * @param subject the id of the endpoint or of the account
     */
    series: (subject: string, grain: CountGrain, since: Date): Promise<CountsAt[]> =>
      counts
        .find({ _id: rangeOf(subject, grain, since) })
        .sort({ _id: 1 })
        .map(countsOf)
        .toArray(),
    /** How many attempts of an account were answered on each UTC day since then; days without any are left out. */
    byDay: (accountId: string, since: Date): Promise<{ readonly day: Date; readonly attempts: number }[]> =>
      counts
        .aggregate<{ day: Date; attempts: number }>([
          { $match: { _id: rangeOf(accountId, '1h', since) } },
          { $group: { _id: { $dateTrunc: { date: '$at', unit: 'day' } }, attempts: { $sum: '$attempts' } } },
          { $project: { _id: 0, day: '$_id', attempts: 1 } },
        ])
        .toArray(),
    /**
     * The counts of some endpoints since then, in any order, without latencies. Not by account: one that removes and
     * registers endpoints has counts of any number of them.
     */
    async byEndpoint(endpointIds: readonly string[], grain: CountGrain, since: Date): Promise<EndpointCountsAt[]> {
      if (endpointIds.length === 0) return [];
      return counts
        .find({ $or: endpointIds.map((id) => ({ _id: rangeOf(id, grain, since) })) }, { projection: { latencies: 0 } })
        .map((stored) => ({ ...countsOf(stored), endpointId: stored.endpoint_id! }))
        .toArray();
    },
  };
}

function idOf(subject: string, grain: CountGrain, at: Date): string {
  return `${subject}/${grain}/${at.toISOString()}`;
}

/** The ids of a subject's counts since then. */
function rangeOf(subject: string, grain: CountGrain, since: Date) {
  return { $gte: idOf(subject, grain, since), $lt: `${subject}/${grain}/~` };
}

function countsOf({ at, attempts, succeeded, retries, failed_by: failedBy = {}, latencies }: StoredCounts): CountsAt {
  // Without latencies if they were not asked for.
  return { at, attempts, succeeded, retries, failedBy, latencies: latencies ?? NO_ATTEMPTS.latencies };
}

/** The endpoint's and the account's counts, of each grain. */
function updatesOf({ accountId, endpointId, at: answeredAt, counts }: CountAddition) {
  const { attempts, succeeded, retries, failedBy, latencies } = counts;
  const added = {
    attempts,
    succeeded,
    retries,
    ...named('failed_by', failedBy),
    ...named('latencies', latencies),
  };
  const grains = Object.keys(GRAIN_MS) as CountGrain[];
  return grains.flatMap((grain) => {
    const at = spanOf(answeredAt, grain);
    const expiresAt = new Date(at.getTime() + GRAIN_MS[grain] + KEPT_MS[grain]);
    return [endpointId, null].map((endpoint) => ({
      updateOne: {
        filter: { _id: idOf(endpoint ?? accountId, grain, at) },
        update: {
          $inc: added,
          $setOnInsert: { account_id: accountId, endpoint_id: endpoint, grain, at, expires_at: expiresAt },
        },
        upsert: true,
      },
    }));
  });
}

function named(prefix: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${prefix}.${name}`, count]));
}
