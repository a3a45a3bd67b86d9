import type { Db } from 'mongodb';
import { ATTEMPTS_COLLECTION } from './attempt-store';
import { EVENTS_COLLECTION } from './event-store';
import { IDEMPOTENCY_KEYS_COLLECTION } from './idempotency-store';

/** How much of its disk and its memory MongoDB uses; the sums over all shards, if there are several. */
export interface Capacity {
  /** Of the file system with the data, in bytes. */
  readonly diskUsed: number;
  readonly diskSize: number;
  /** Of all collections of the product, in bytes. */
  readonly indexes: number;
  /** Pages of data and indexes of the collections that grow with events: asked for, and of these read from the disk. */
  readonly pagesRequested: number;
  readonly pagesRead: number;
}

/** The collections of the data path. */
const GROWING = [EVENTS_COLLECTION, ATTEMPTS_COLLECTION, IDEMPOTENCY_KEYS_COLLECTION];
const WITHIN_MS = 2_000;
const REQUESTED = 'pages requested from the cache';
const READ = 'pages read into cache';

/** One for the data and one for each index, of one shard. */
interface CacheUse {
  readonly [REQUESTED]?: number;
  readonly [READ]?: number;
}

/** Reads what MongoDB knows about itself; a user with the role `readWrite` may ask for it. */
export function createCapacityStore(db: Db) {
  const usesOf = async (name: string): Promise<readonly CacheUse[]> => {
    const ofIndexes = { $map: { input: { $objectToArray: '$storageStats.indexDetails' }, in: '$$this.v.cache' } };
    const pipeline = [
      { $collStats: { storageStats: {} } },
      { $project: { _id: 0, uses: { $concatArrays: [['$storageStats.wiredTiger.cache'], ofIndexes] } } },
    ];
    const shards = await db
      .collection(name)
      .aggregate<{ readonly uses: readonly CacheUse[] | null }>(pipeline, { maxTimeMS: WITHIN_MS })
      .toArray();
    return shards.flatMap(({ uses }) => uses ?? []);
  };
  return {
    async read(): Promise<Capacity> {
      const [stats, uses] = await Promise.all([
        db.command({ dbStats: 1, maxTimeMS: WITHIN_MS }),
        Promise.all(GROWING.map(usesOf)).then((lists) => lists.flat()),
      ]);
      const sum = (of: keyof CacheUse): number => uses.reduce((total, use) => total + (use[of] ?? 0), 0);
      return {
        diskUsed: Number(stats['fsUsedSize']),
        diskSize: Number(stats['fsTotalSize']),
        indexes: Number(stats['indexSize']),
        pagesRequested: sum(REQUESTED),
        pagesRead: sum(READ),
      };
    },
  };
}
