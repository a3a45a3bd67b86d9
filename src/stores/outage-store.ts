import type { Collection, Db, Document } from 'mongodb';
import { FAILURES_IN_A_ROW, type AnswersSeen } from '../domain/endpoint-health';
import { HEALTH_COLLECTION, seenOf, type StoredHealth } from './endpoint-health-store';
import { ENDPOINTS_COLLECTION } from './endpoint-store';

/** A run of failures that is to be announced, or its end. */
export interface Outage {
  readonly kind: 'failing' | 'recovered';
  readonly endpointId: string;
  readonly accountId: string;
  readonly url: string;
  /** The start of the run of failures. */
  readonly since: Date;
  /** Only of one that ended. */
  readonly recoveredAt?: Date;
  /** What the endpoint's attempts said when it was found. */
  readonly seen: AnswersSeen;
}

type Found = StoredHealth & { readonly endpoint: { readonly url: string } };

/** The most outages that one look finds; the next look finds the others. */
const MOST = 1_000;

const HAS_RUN = { 'run.since': { $type: 'date' } } as const;
const IS_ANNOUNCED = { announced_since: { $type: 'date' } } as const;
/** `isFailing` in domain/endpoint-health.ts. */
const IS_FAILING = { $or: [{ 'run.failures': { $gte: FAILURES_IN_A_ROW } }, { succeeded_at: { $exists: false } }] };
/** Nothing is sent to other endpoints, whatever their last attempts said. */
const IS_OPEN = { status: 'active', account_suspended: { $ne: true } };

export type OutageStore = ReturnType<typeof createOutageStore>;

/** Endpoints that fail, and those that failed until now: reads what `EndpointHealthStore` writes. */
export function createOutageStore(db: Db) {
  const health: Collection<StoredHealth> = db.collection(HEALTH_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await health.createIndexes([
        { key: { 'run.since': 1 }, partialFilterExpression: HAS_RUN },
        { key: { announced_since: 1 }, partialFilterExpression: IS_ANNOUNCED },
      ]);
    },
    /** Open endpoints that have failed for that long, by the database's clock, and whose run is not announced. */
    async findUnannounced(failingForMs: number): Promise<Outage[]> {
      const isDue = { $lte: ['$run.since', { $subtract: ['$$NOW', failingForMs] }] };
      const isNew = { $ne: [{ $ifNull: ['$announced_since', null] }, '$run.since'] };
      const where = { ...HAS_RUN, ...IS_FAILING, $expr: { $and: [isDue, isNew] } };
      const found = await health
        .aggregate<Found>([{ $match: where }, ...withEndpoint(IS_OPEN), { $limit: MOST }])
        .toArray();
      return found.map((stored) => ({ ...outageOf(stored), kind: 'failing', since: stored.run!.since }));
    },
    /** Announced runs of failures that have ended. */
    async findRecovered(): Promise<Outage[]> {
      const isOver = { $expr: { $ne: ['$announced_since', { $ifNull: ['$run.since', null] }] } };
      const found = await health
        .aggregate<Found>([{ $match: { ...IS_ANNOUNCED, ...isOver } }, { $limit: MOST }, ...withEndpoint({})])
        .toArray();
      return found.map((stored) => ({
        ...outageOf(stored),
        kind: 'recovered',
        since: stored.announced_since!,
        recoveredAt: stored.recovered_at!,
      }));
    },
    /** Records that these outages, or their ends, are announced. One that changed meanwhile is left alone. */
    async markAnnounced(outages: readonly Outage[]): Promise<void> {
      if (outages.length === 0) return;
      const updates = outages.map(({ kind, endpointId, since }) => ({
        updateOne: {
          filter: { _id: endpointId, [kind === 'failing' ? 'run.since' : 'announced_since']: since },
          update: { $set: { announced_since: kind === 'failing' ? since : null } },
        },
      }));
      await health.bulkWrite(updates, { ordered: false });
    },
    /** Endpoints of all accounts whose last attempt failed, those that fail longest first; at most `limit`. */
    failingLongest: (limit: number): Promise<string[]> =>
      health
        .find({ ...HAS_RUN }, { projection: { _id: 1 } })
        .sort({ 'run.since': 1 })
        .limit(limit)
        .map(({ _id }) => _id)
        .toArray(),
    /** How many open endpoints fail. Reads only those whose last attempt failed. */
    async countFailing(): Promise<number> {
      const [found] = await health
        .aggregate<{ failing: number }>([
          { $match: { ...HAS_RUN, ...IS_FAILING } },
          ...withEndpoint(IS_OPEN),
          { $count: 'failing' },
        ])
        .toArray();
      return found?.failing ?? 0;
    },
  };
}

/** Joins the endpoint; those without one that matches are left out. */
function withEndpoint(where: Document): Document[] {
  return [
    {
      $lookup: {
        from: ENDPOINTS_COLLECTION,
        localField: '_id',
        foreignField: '_id',
        pipeline: [{ $match: where }, { $project: { url: 1 } }],
        as: 'endpoint',
      },
    },
    { $unwind: '$endpoint' },
  ];
}

function outageOf(stored: Found) {
  const { _id: endpointId, account_id: accountId, endpoint } = stored;
  return { endpointId, accountId, url: endpoint.url, seen: seenOf(stored) };
}
