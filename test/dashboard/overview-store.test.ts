import { Long, Timestamp } from 'mongodb';
import { createOverviewStore, MAX_WAITING, type OverviewStore } from '../../src/dashboard-api/overview-store';
import { isFinished, type DeliveryState } from '../../src/domain/delivery-state';
import { useDataPath } from '../support/build-data-path';
import { watchReads, type Read } from '../support/watch-reads';

const path = useDataPath();

/** Puts events with one delivery each into the record. */
async function putEvents(
  accountId: string,
  endpointId: string,
  state: DeliveryState,
  count: number,
  firstId: number,
): Promise<void> {
  const events = path.mongo.db.collection('events');
  const unfinished = isFinished(state) ? 0 : 1;
  await events.insertMany(
    Array.from({ length: count }, (_, index) => ({
      _id: firstId + index,
      account_id: accountId,
      type: 'order.created',
      accepted_at: new Timestamp(new Long(index, 1_700_000_000)),
      destinations: [{ endpoint_id: endpointId, state }],
      unfinished,
    })) as never[],
  );
}

/** The one query of a read. */
async function readOf(read: (store: OverviewStore) => Promise<unknown>): Promise<Read> {
  const [only, ...others] = await watchReads(path.mongo, () => read(createOverviewStore(path.mongo.db)));
  expect(others).toEqual([]);
  return only!;
}

it('counts what waits for an endpoint by its index, without reading what is finished', async () => {
  await path.parts.ensureIndexes();
  await putEvents('acc_1', 'ep_1', 'delivered', 3_000, 1_000_000);
  await putEvents('acc_1', 'ep_1', 'pending', 2, 2_000_000);
  await putEvents('acc_1', 'ep_1', 'retrying', 3, 3_000_000);
  await putEvents('acc_1', 'ep_2', 'pending', 500, 4_000_000);
  const store = createOverviewStore(path.mongo.db);
  const ref = { accountId: 'acc_1', endpointId: 'ep_1' };
  expect(await store.countWaiting(ref)).toBe(5);

  const { plan, documents } = await readOf((it) => it.countWaiting(ref));

  expect([plan, documents]).toEqual([
    'IXSCAN { account_id: 1, destinations.endpoint_id: 1, destinations.state: 1, accepted_at: -1, _id: -1 }',
    5,
  ]);
});

it('counts at most 10,000 deliveries that wait for an endpoint', async () => {
  await path.parts.ensureIndexes();
  await putEvents('acc_many', 'ep_many', 'pending', MAX_WAITING + 5, 5_000_000);
  const ref = { accountId: 'acc_many', endpointId: 'ep_many' };

  const { documents } = await readOf(async (it) => expect(await it.countWaiting(ref)).toBe(10_000));

  expect(documents).toBe(MAX_WAITING);
});

it('sums up the backlog of an account in its index, and reads no event', async () => {
  await path.parts.ensureIndexes();
  await putEvents('acc_2', 'ep_3', 'retrying', 7, 6_000_000);
  await putEvents('acc_2', 'ep_3', 'delivered', 100, 7_000_000);

  const { plan, documents } = await readOf(async (it) => expect(await it.countBacklog('acc_2')).toBe(7));

  expect([plan, documents]).toEqual(['IXSCAN { account_id: 1, unfinished: 1 }', 0]);
});
