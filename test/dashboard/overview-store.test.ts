import { Long, Timestamp } from 'mongodb';
import { createListEventTypes } from '../../src/dashboard-api/list-event-types';
import {
  createOverviewStore,
  MAX_TYPES,
  MAX_WAITING,
  TYPE_EVENTS,
  type OverviewStore,
} from '../../src/dashboard-api/overview-store';
import { isFinished, type DeliveryState } from '../../src/domain/delivery-state';
import { useDataPath } from '../support/build-data-path';
import { ACCEPTED_AT, insertEvents } from '../support/build-events';
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

it('counts what waits by endpoint, and reads nothing that is finished', async () => {
  await path.parts.ensureIndexes();
  await putEvents('acc_by', 'ep_by_1', 'retrying', 3, 7_100_000);
  await putEvents('acc_by', 'ep_by_2', 'pending', 2, 7_200_000);
  await putEvents('acc_by', 'ep_by_1', 'delivered', 500, 7_300_000);

  const { plan, documents } = await readOf(async (it) =>
    expect(new Set(await it.waitingByEndpoint('acc_by'))).toEqual(
      new Set([
        { endpointId: 'ep_by_1', deliveries: 3 },
        { endpointId: 'ep_by_2', deliveries: 2 },
      ]),
    ),
  );

  expect([plan, documents]).toEqual(['IXSCAN { account_id: 1, unfinished: 1 }', 5]);
});

const DAY = 86_400;
const NOW = new Date(ACCEPTED_AT * 1_000);

const putTypes = (accountId: string, firstId: number, types: readonly { type: string; acceptedAt: number }[]) =>
  insertEvents(
    path.mongo,
    types.map((it, index) => ({ id: firstId + index, accountId, deliveries: [], ...it })),
  );

const readsAbout = (accountId: string, reads: readonly Read[]) =>
  reads.filter(({ command }) => JSON.stringify(command).includes(accountId));

it('lists the types of 30 days by one index key for each, beside one type with thousands of newer events', async () => {
  await path.parts.ensureIndexes();
  const noisy = Array.from({ length: TYPE_EVENTS + 100 }, () => ({ type: 'noisy.ping', acceptedAt: ACCEPTED_AT }));
  await putTypes('acc_noisy', 8_000_000, [
    { type: 'order.created', acceptedAt: ACCEPTED_AT - 1_500 },
    { type: 'refund.made', acceptedAt: ACCEPTED_AT - 29 * DAY },
    { type: 'invoice.paid', acceptedAt: ACCEPTED_AT - 31 * DAY },
    ...noisy,
  ]);
  await putTypes('acc_other', 8_100_000, [{ type: 'other.type', acceptedAt: ACCEPTED_AT }]);
  const list = createListEventTypes(createOverviewStore(path.mongo.db));

  const reads = await watchReads(path.mongo, async () => {
    const { types, complete } = await list('acc_noisy', NOW);
    expect(complete).toBe(true);
    expect(types.map(({ type }) => type)).toEqual(['noisy.ping', 'order.created', 'refund.made']);
  });

  expect(readsAbout('acc_noisy', reads).map(({ documents }) => documents)).toEqual([0, 0, 0, 0, 0]);
});

it('looks up so many types at most, adds those of the newest events, and says that there may be more', async () => {
  await path.parts.ensureIndexes();
  const many = Array.from({ length: MAX_TYPES + 500 }, (_, index) => ({
    type: `made.by_${1_000 + index}`,
    acceptedAt: ACCEPTED_AT - 2 * DAY + index,
  }));
  await putTypes('acc_types', 9_000_000, [...many, { type: 'zebra.seen', acceptedAt: ACCEPTED_AT }]);
  const list = createListEventTypes(createOverviewStore(path.mongo.db));

  const reads = await watchReads(path.mongo, async () => {
    const { types, complete } = await list('acc_types', NOW);
    expect(complete).toBe(false);
    expect(types[0]!.type).toBe('zebra.seen');
    expect(types).toHaveLength(MAX_TYPES + 200);
  });

  expect(readsAbout('acc_types', reads)).toHaveLength(MAX_TYPES + 1);
});
