import type { Collection, Db } from 'mongodb';
import { DURABLE, FAST } from '../platform/mongo';
import { ENDPOINTS_COLLECTION, type Endpoint } from './store';

/** What is due on endpoints, by the database's clock. */
export interface EndpointDueStore {
  ensureIndexes(): Promise<void>;
  /**
   * Makes the next secret the one where it has been there for `afterMs`.
   * @returns how many endpoints that were
   */
  activateSecrets(afterMs: number): Promise<number>;
  /** Endpoints that were resumed more than `graceMs` ago and whose held deliveries nobody wakes yet; some of them. */
  findWakes(graceMs: number): Promise<Endpoint[]>;
  /** Notes that the deliveries are being woken for this version of the endpoint. */
  wakeStarted(endpoint: Pick<Endpoint, '_id' | 'version'>): Promise<void>;
}

const WAKES = 100;

export function createEndpointDueStore(db: Db): EndpointDueStore {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  return {
    async ensureIndexes() {
      // Few endpoints have them: the indexes hold only those.
      await endpoints.createIndexes([
        { key: { next_secret_at: 1 }, partialFilterExpression: { next_secret_at: { $gt: new Date(0) } } },
        { key: { wake_due_at: 1 }, partialFilterExpression: { wake_due_at: { $gt: new Date(0) } } },
      ]);
    },
    async activateSecrets(afterMs) {
      const { modifiedCount } = await endpoints.updateMany(
        isPast('next_secret_at', afterMs),
        [
          {
            $set: {
              secret: '$next_secret',
              version: { $add: [{ $ifNull: ['$version', 0] }, 1] },
              updated_at: '$$NOW',
            },
          },
          { $unset: ['next_secret', 'next_secret_at'] },
        ],
        { writeConcern: DURABLE },
      );
      return modifiedCount;
    },
    findWakes: (graceMs) => endpoints.find(isPast('wake_due_at', graceMs)).limit(WAKES).toArray(),
    async wakeStarted({ _id, version }) {
      // Of an endpoint that was paused and resumed since, the later wake is still due.
      await endpoints.updateOne(
        { _id, version: version ?? 0 },
        { $unset: { wake_due_at: true } },
        { writeConcern: FAST },
      );
    },
  };
}

/** Selects documents whose time lies at least `ms` back; the first condition makes a partial index fit. */
export function isPast(field: 'next_secret_at' | 'wake_due_at' | 'removed_at', ms: number) {
  return {
    [field]: { $gt: new Date(0) },
    $expr: { $lte: [`$${field}`, { $subtract: ['$$NOW', ms] }] },
  };
}
