import type { Document } from 'mongodb';
import { pause } from '../child';
import { cpuSeconds, rounded } from '../statistics';
import type { System } from '../system';

const COLLECTIONS = { event: 'events', attempt: 'attempts', key: 'idempotency_keys' } as const;
type Kind = keyof typeof COLLECTIONS;

/** What a document takes on the disk, in bytes: itself, compressed, and its entries in indexes. */
export type Sizes = Readonly<Record<`${Kind}.${'disk' | 'index'}`, number>>;

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 120_000;

/** Measures the documents of the data path, after MongoDB has written all of them down. */
export async function measureSizes({ mongo }: System): Promise<Sizes> {
  await mongo.client.db('admin').command({ fsync: 1 });
  const sizes = await Promise.all(
    Object.entries(COLLECTIONS).map(async ([kind, name]) => {
      const [stats] = await mongo.db
        .collection(name)
        .aggregate([{ $collStats: { storageStats: {} } }])
        .toArray();
      const { count, storageSize, totalIndexSize } = stats!['storageStats'] as Document;
      return [
        [`${kind}.disk`, Math.round(Number(storageSize) / Number(count))],
        [`${kind}.index`, Math.round(Number(totalIndexSize) / Number(count))],
      ];
    }),
  );
  return Object.fromEntries(sizes.flat()) as Sizes;
}

/**
 * Lets every event, attempt and idempotency key expire at once, and measures how MongoDB deletes them. Nothing else runs
 * meanwhile but an idle Everpost.
 *
 * @param idleCores what MongoDB uses for that
 */
export async function measureExpiry({ mongo, servers }: System, idleCores: number) {
  const set = (parameters: Document) => mongo.client.db('admin').command({ setParameter: 1, ...parameters });
  await set({ ttlMonitorEnabled: false });
  await set({ ttlMonitorSleepSecs: 1 });
  const collections = Object.values(COLLECTIONS).map((name) => mongo.db.collection(name));
  for (const collection of collections) await collection.updateMany({}, { $set: { expires_at: new Date(1) } });
  await mongo.client.db('admin').command({ fsync: 1 });
  const left = async (): Promise<number> => {
    const counts = await Promise.all(collections.map((collection) => collection.estimatedDocumentCount()));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const documents = await left();
  await set({ ttlMonitorEnabled: true });
  // The first pass begins within a second: the time counts from the first document that is gone.
  const giveUpAt = performance.now() + PATIENCE_MS;
  const until = async (isSo: (count: number) => boolean): Promise<void> => {
    while (!isSo(await left())) {
      if (performance.now() > giveUpAt) throw new Error('MongoDB did not delete what expired within two minutes');
      await pause(LOOK_EVERY_MS);
    }
  };
  const cpuBefore = cpuSeconds(servers.mongod.pid);
  await until((count) => count < documents);
  const startedAt = performance.now();
  await until((count) => count === 0);
  const seconds = (performance.now() - startedAt + LOOK_EVERY_MS) / 1_000;
  const cpu = cpuSeconds(servers.mongod.pid) - cpuBefore - idleCores * seconds;
  return {
    'delete.mongodb': rounded((Math.max(0, cpu) / documents) * 1_000, 3),
    'delete.rate': Math.round(documents / seconds),
  };
}
