import { createEventIds } from '../../src/events/event-ids';
import { createEventStore } from '../../src/stores/event-store';
import { useReceiver, type Receiver } from '../support/build-receiver';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { UNSEALED } from '../../dev/unsealed';

// Rule 11: lists sort by (database time, id): ids come in blocks, so they are not chronological.
// `finished_at` is set only by the update that finishes the last destination.

const path = useDataPath();
const receiver = useReceiver();
const another = useReceiver();

it('events of two processes are stored in the order of acceptance, even if their ids are not in that order', async () => {
  const { stores } = path.parts;
  const processes = [1, 2].map(() => {
    const events = createEventStore(path.mongo.db, UNSEALED);
    return { events, eventIds: createEventIds(events) };
  });
  const accepted: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const { id } = await path.promise('order.two', { deps: processes[turn % 2]! });
    accepted.push(id);
  }

  const stored = await path.events.find({ type: 'order.two' }).sort({ accepted_at: 1, _id: 1 }).toArray();

  expect(stored.map(({ _id }) => _id)).toEqual(accepted);
  expect([...accepted].sort((a, b) => a - b)).not.toEqual(accepted);
  expect(new Set(stored.map(({ accepted_at: at }) => at.toJSON().$timestamp)).size).toBe(20);
  expect(await stores.events.find(accepted[0]!)).toMatchObject({ finished_at: expect.any(Date) });
});

it('ids of concurrent processes are unique, positive and safe integers', async () => {
  const processes = Array.from({ length: 4 }, () => createEventIds(createEventStore(path.mongo.db, UNSEALED)));

  const ids = (
    await Promise.all(processes.map((eventIds) => Promise.all(Array.from({ length: 1_500 }, () => eventIds.next()))))
  ).flat();

  expect(new Set(ids).size).toBe(6_000);
  expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
});

async function twoDestinations() {
  const type = ownType();
  for (const { url } of [receiver, another]) await path.endpoint(url, type);
  const promised = await path.promise(type);
  const refTo = ({ url }: Receiver) => promised.starts.find((start) => start.url === url)!.ref;
  return { id: promised.id, one: refTo(receiver), other: refTo(another) };
}

it('an event finishes when its last destination does, not before', async () => {
  const { id, one, other } = await twoDestinations();
  const worker = path.executor();

  await worker.attemptDelivery(buildAttempt(one));
  expect((await path.event(id)).finished_at).toBeNull();
  await worker.attemptDelivery(buildAttempt(other));

  const { finished_at: finishedAt, destinations } = await path.event(id);
  const completed = destinations.map(({ completed_at: at }) => at!.getTime());
  expect(finishedAt!.getTime()).toBe(Math.max(...completed));
});

it('destinations that finish at the same moment finish the event once', async () => {
  const { id, one, other } = await twoDestinations();
  const { deliveries } = path.parts.stores;

  await Promise.all([path.executor().attemptDelivery(buildAttempt(one)), deliveries.cancel(other)]);

  const { finished_at: finishedAt, destinations } = await path.event(id);
  expect(destinations.map(({ state }) => state).sort()).toEqual(['cancelled', 'delivered']);
  expect(finishedAt).toEqual(expect.any(Date));
});

it("a failed attempt that is retried doesn't finish the event; the last failure does", async () => {
  receiver.answerWith(500);
  const { id, one, other } = await twoDestinations();
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(other));

  await worker.attemptDelivery(buildAttempt(one));
  expect((await path.event(id)).finished_at).toBeNull();
  await worker.attemptDelivery(buildAttempt(one, { number: 2, nextDelayMs: null }));

  expect((await path.event(id)).finished_at).toEqual(expect.any(Date));
});

it('a finished event keeps its finish time when an answer is recorded again', async () => {
  const { id, one, other } = await twoDestinations();
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(one));
  await worker.attemptDelivery(buildAttempt(other));
  const before = await path.event(id);

  await path.parts.stores.deliveries.applyAnswer(buildAttempt(other), { succeeded: true });

  expect(await path.event(id)).toEqual(before);
});

it('an event without a destination is finished when it is accepted', async () => {
  const { id } = await path.promise('nobody.wants.it');

  expect((await path.event(id)).finished_at).toEqual(expect.any(Date));
});
