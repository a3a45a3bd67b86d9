import { Long, Timestamp, type Document } from 'mongodb';
import { createOverviewStore, type OverviewStore } from '../../src/dashboard-api/overview-store';
import type { DeliveryState } from '../../src/domain/delivery-state';
import { useDataPath } from '../support/build-data-path';

const path = useDataPath();

/** Puts events with one delivery each into the record. */
async function putEvents(accountId: string, state: DeliveryState, count: number, firstId: number): Promise<void> {
  const events = path.mongo.db.collection('events');
  await events.insertMany(
    Array.from({ length: count }, (_, index) => ({
      _id: firstId + index,
      account_id: accountId,
      type: 'order.created',
      accepted_at: new Timestamp(new Long(index, 1_700_000_000)),
      destinations: [{ endpoint_id: 'ep_1', state }],
    })) as never[],
  );
}

/** The server's work for a read: the index, and how many events it examined. */
async function readsOf(read: (store: OverviewStore) => Promise<unknown>): Promise<Document> {
  const { db } = path.mongo;
  await db.command({ profile: 2 });
  await read(createOverviewStore(db));
  await db.command({ profile: 0 });
  const [last] = await db
    .collection('system.profile')
    .find({ 'command.aggregate': 'events' })
    .sort({ ts: -1 })
    .limit(1)
    .toArray();
  return last!;
}

it('counts deliveries in flight without reading finished ones, for any account', async () => {
  await path.parts.ensureIndexes();
  await putEvents('acc_new', 'pending', 300, 1_000_000);
  await putEvents('acc_old', 'delivered', 5_000, 2_000_000);
  await putEvents('acc_old', 'retrying', 3, 3_000_000);
  const store = createOverviewStore(path.mongo.db);
  for (let round = 0; round < 5; round += 1) {
    expect(await store.countUnfinished('acc_new')).toEqual(new Map([['pending', 300]]));
  }

  const { planSummary, docsExamined } = await readsOf((it) => it.countUnfinished('acc_old'));

  expect([planSummary, docsExamined]).toEqual([
    'IXSCAN { account_id: 1, destinations.state: 1, accepted_at: -1, _id: -1 }',
    3,
  ]);
});
