import { Timestamp } from 'mongodb';
import type { Destination } from '../../src/stores/event-store';
import { isWorkflowNotFound } from '../../src/platform/temporal';
import { receivedIds } from '../support/build-data-path';
import { EVENTS, useEndpointTestbed } from '../support/build-endpoint-testbed';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// An endpoint is paused for an hour while events arrive. The hour passes in the record, where the product's idea of time
// is: what is held waits there, and nowhere else.

/** As many events as make the endpoint's rate plain. */
const COUNT = 80;
const PER_SECOND = 40;
const HOUR_MS = 3_600_000;
const TYPE = 'order.created';

const testbed = useEndpointTestbed('0s,1h,1h');
const receiver = useReceiver();

it('an endpoint paused for an hour gets no events; after the resume it gets each once, at its rate', async () => {
  const options = { max_per_second: PER_SECOND };
  const id = await testbed.register(receiver.url, { events: [TYPE], options });
  await testbed.act('POST', id, '/pause');

  const ids = (await Promise.all([ingest(testbed.here), ingest(testbed.there)])).flat();
  await letAnHourPass();
  expect(await sweepEverything()).toBe(0);
  for (const it of await destinations()) {
    expect(it).toMatchObject({ state: 'pending', attempt_count: 0, run: 1, dispatch: 'held', held_for: 'paused' });
  }
  expect(await executionsOf(id, ids)).toEqual([]);
  expect(receiver.requests).toHaveLength(0);

  const resumedAt = (await testbed.path.parts.stores.dispatch.now()).getTime();
  await testbed.act('POST', id, '/resume');
  await eventually(destinations, (all) => all.every(({ state }) => state === 'delivered'));

  const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);
  expect(inOrder(receivedIds(receiver))).toEqual(inOrder(ids));
  expect((await destinations()).map(({ attempt_count: count }) => count)).toEqual(ids.map(() => 1));
  const attempts = await testbed.path.attempts.find({ endpoint_id: id }).toArray();
  const starts = inOrder(attempts.map(({ answer }) => answer!.started_at.getTime()));
  // Each turn is an interval after the one before it. A timer counts whole milliseconds.
  for (const [turn, at] of starts.entries()) expect(at).toBeGreaterThan(resumedAt + (turn * 1_000) / PER_SECOND - 2);
});

async function ingest(api: typeof testbed.here): Promise<number[]> {
  const events = Array.from({ length: COUNT / 2 }, (_, n) => ({ type: TYPE, data: { n } }));
  const { status, body } = await api.post(`${EVENTS}/batch`, { events });
  expect(status).toBe(207);
  return body.results.map((result: { id: number }) => result.id);
}

function destinations(): Promise<Destination[]> {
  return testbed.path.events
    .find({ type: TYPE })
    .map(({ destinations: [it] }) => it!)
    .toArray();
}

/** A pass of the sweeper to which nothing is too young. @returns how many overdue deliveries it found */
function sweepEverything(): Promise<number | null> {
  const { dispatch } = testbed.path.parts.stores;
  return testbed.path.sweep({}, { dispatch: { ...dispatch, holdLease: () => Promise.resolve(true) } });
}

async function executionsOf(endpointId: string, eventIds: readonly number[]): Promise<number[]> {
  const isThere = (eventId: number): Promise<boolean> =>
    testbed.path
      .handleOf({ eventId, endpointId, run: 1 })
      .describe()
      .then(
        () => true,
        (error: unknown) => !isWorkflowNotFound(error),
      );
  const found = await Promise.all(eventIds.map(isThere));
  return eventIds.filter((_, index) => found[index]);
}

/** Moves the recorded times of the events an hour back: a held delivery has no time of its own. */
async function letAnHourPass(): Promise<void> {
  const acceptedAt = new Timestamp({ t: Math.floor((Date.now() - HOUR_MS) / 1_000), i: 1 });
  await testbed.path.events.updateMany({ type: TYPE }, [
    { $set: { accepted_at: acceptedAt, timestamp: { $subtract: ['$timestamp', HOUR_MS / 1_000] } } },
  ]);
}
