import type { Db, Timestamp } from 'mongodb';
import { createDueStore, type DatabaseClocks } from '../record/due-store';
import { EVENTS_COLLECTION } from '../record/event-store';
import { createLeases } from '../platform/mongo-lease';

export type DispatchStore = ReturnType<typeof createDispatchStore>;

/** What background work asks MongoDB: whose turn it is, what the time is, and what there is to do. */
export function createDispatchStore(db: Db) {
  const clocks = async (): Promise<DatabaseClocks> => {
    const { localTime, $clusterTime: cluster } = await db.command({ hello: 1 });
    return { now: localTime as Date, cluster: cluster.clusterTime as Timestamp };
  };
  return {
    clocks,
    /** The database's wall clock. */
    now: async (): Promise<Date> => (await clocks()).now,
    ...createLeases(db.collection('leases')),
    ...createDueStore(db.collection(EVENTS_COLLECTION)),
  };
}
