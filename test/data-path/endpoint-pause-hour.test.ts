import { Timestamp } from 'mongodb';
import { signalWorkflowId } from '../../src/domain/signal-contract';
import type { Endpoint } from '../../src/endpoints/store';
import type { StoredEvent } from '../../src/events/store';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildEndpointStage, type EndpointStage } from '../support/build-endpoint-stage';

// An endpoint is paused for an hour while 1,000 events arrive. The hour passes in the record, where the product's idea of
// time is; that a held delivery keeps still for an hour of Temporal's time is in test/workflows/deliver-event.test.ts.

const EVENTS = '/api/v1/webhooks/events';
const COUNT = 1_000;
/** As many as a call takes. */
const BATCH = 100;
const PER_SECOND = 100;
const HOUR_MS = 3_600_000;

let stage: EndpointStage;
let receiver: Receiver;

beforeAll(async () => {
  stage = await buildEndpointStage('0s,1h,1h');
  receiver = await buildReceiver();
}, 60_000);

afterAll(async () => {
  await receiver?.close();
  await stage?.close();
});

test('paused for an hour while 1,000 events arrive, an endpoint gets none; resumed, it gets each once, at its rate', async () => {
  const options = { max_per_second: PER_SECOND };
  const id = await stage.register(receiver.url, { events: ['order.*'], options });
  await stage.act('POST', id, '/pause');

  const ids: number[] = [];
  for (let from = 0; from < COUNT; from += BATCH) {
    const api = from % (2 * BATCH) === 0 ? stage.here : stage.there;
    const events = Array.from({ length: BATCH }, (_, index) => ({ type: 'order.created', data: { n: from + index } }));
    const { status, body } = await api.post(`${EVENTS}/batch`, { events });
    expect(status).toBe(207);
    for (const result of body.results) ids.push(result.id);
    // One after the other: Temporal's development server is soon at its limits.
    await untilStarted(id, ids.length);
  }
  expect(new Set(ids).size).toBe(COUNT);
  await letAnHourPass(id);
  // The sweeper finds a thousand deliveries that are an hour late.
  await untilSwept();
  expect(receiver.requests).toHaveLength(0);
  for (const it of await destinations(id)) expect(it).toMatchObject({ state: 'pending', attempt_count: 0, run: 1 });

  await stage.act('POST', id, '/resume');
  await receiver.waitFor(COUNT, 240_000);
  await eventually(
    async () => (await destinations(id)).filter(({ state }) => state === 'delivered').length,
    (delivered) => delivered === COUNT,
    60_000,
  );

  const received = receiver.requests.map(({ headers }) => Number(headers['x-webhook-id']));
  const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);
  expect(inOrder(received)).toEqual(inOrder(ids));
  expect((await destinations(id)).map(({ attempt_count: count }) => count)).toEqual(ids.map(() => 1));
  // On a busy machine a second's requests can arrive together with the next one's.
  const arrivals = receiver.requests.map(({ at }) => at);
  expect(mostInASecond(arrivals)).toBeLessThanOrEqual(PER_SECOND * 2);
  expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(((COUNT - PER_SECOND) / PER_SECOND) * 900);
  const { version } = (await stage.path.mongo.db.collection<Endpoint>('endpoints').findOne({ _id: id }))!;
  const job = signalWorkflowId({ accountId: '', endpointId: id, signal: 'wake', cursor: null, signalled: 0 }, version!);
  // The last delivery is through before the job has told its last page, or heard that it has.
  await eventually(
    async () => (await stage.path.temporal.client()!.workflow.getHandle(job).describe()).status.name,
    (status) => status === 'COMPLETED',
  );
}, 580_000);

function destinations(id: string): Promise<StoredEvent['destinations'][number][]> {
  return stage.path.mongo.db
    .collection<StoredEvent>('events')
    .find({ 'destinations.endpoint_id': id })
    .map(({ destinations: [it] }) => it!)
    .toArray();
}

/** Waits until so many deliveries have their executions. */
async function untilStarted(id: string, count: number): Promise<void> {
  await eventually(
    async () => (await destinations(id)).filter(({ started }) => started).length,
    (started) => started === count,
    120_000,
  );
}

/** Moves what the record knows of the deliveries an hour back. */
async function letAnHourPass(id: string): Promise<void> {
  const events = stage.path.mongo.db.collection<StoredEvent>('events');
  const acceptedAt = new Timestamp({ t: Math.floor((Date.now() - HOUR_MS) / 1_000), i: 1 });
  const { modifiedCount } = await events.updateMany({ 'destinations.endpoint_id': id }, [
    {
      $set: {
        accepted_at: acceptedAt,
        timestamp: { $subtract: ['$timestamp', HOUR_MS / 1_000] },
        destinations: {
          $map: {
            input: '$destinations',
            as: 'it',
            in: { $mergeObjects: ['$$it', { next_attempt_at: { $subtract: ['$$it.next_attempt_at', HOUR_MS] } }] },
          },
        },
      },
    },
  ]);
  expect(modifiedCount).toBe(COUNT);
}

/** Waits until the sweeper, which looks every second, has looked a few times. */
async function untilSwept(): Promise<void> {
  const leases = stage.path.mongo.db.collection<{ _id: string; until: Date }>('leases');
  const until = async (): Promise<number> => (await leases.findOne({ _id: 'sweeper' }))?.until.getTime() ?? 0;
  const before = await until();
  await eventually(until, (now) => now > before + 5_000, 60_000);
}

/** The most requests that came within a second of each other. */
function mostInASecond(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while (times[last]! - times[first]! >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
