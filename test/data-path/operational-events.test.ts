import type { AttemptOutcome } from '../../src/domain/delivery-contract';
import type { StoredEvent } from '../../src/events/store';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// Everpost tells an account what happened to its endpoints and deliveries, by events of its own: once each, to endpoints
// that ask for them by name, and never about such events.

const LAST = { nextDelayMs: null };

let path: DataPath;
let receiver: Receiver;
let listener: Receiver;

beforeEach(async () => {
  path = await buildDataPath();
  receiver = await buildReceiver(500);
  listener = await buildReceiver();
});

afterEach(async () => {
  await Promise.all([receiver.close(), listener.close()]);
  await path.close();
});

function operationalEvents(): Promise<StoredEvent[]> {
  return path.mongo.db
    .collection<StoredEvent>('events')
    .find({ type: /^everpost\./ })
    .toArray();
}

async function failForGood(type = 'order.created'): Promise<{ id: number; outcome: AttemptOutcome }> {
  const { id, starts } = await path.promise(type);
  const { ref } = starts.find(({ url }) => url === receiver.url)!;
  return { id, outcome: await path.executor().attemptDelivery(buildAttempt(ref, { number: 8, ...LAST })) };
}

function dataOf(event: StoredEvent): Record<string, unknown> {
  return JSON.parse(Buffer.from(event.data.value()).toString()) as Record<string, unknown>;
}

test('a delivery that failed for good is told, to the endpoints that ask for it alone', async () => {
  const failing = await path.endpoint(receiver.url, 'order.created');
  const asking = await path.endpoint(listener.url, 'everpost.*');
  await path.endpoint(listener.url, '*');

  const { id } = await failForGood();

  const [event, ...more] = await operationalEvents();
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'everpost.delivery.failed', account_id: path.accountId });
  expect(event!.destinations.map(({ endpoint_id }) => endpoint_id)).toEqual([asking]);
  expect(dataOf(event!)).toEqual({
    delivery_id: `${id}.${failing}`,
    event_id: id,
    event_type: 'order.created',
    endpoint_id: failing,
    run: 1,
    last_status_code: 500,
    last_error_code: 'http_status',
    last_attempt_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('through the workflows: it arrives, signed like any other event', async () => {
  const short = await buildDataPath({ of: path, env: { RETRY_SCHEDULE: '0s,100ms' } });
  try {
    await path.endpoint(receiver.url, 'order.created');
    await path.endpoint(listener.url, 'everpost.delivery.failed');
    await short.worker();
    await short.send('order.created');

    const [request] = await listener.waitFor(1, 30_000);

    expect(request!.headers).toMatchObject({
      'x-webhook-type': 'everpost.delivery.failed',
      'x-webhook-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
    expect(receiver.requests).toHaveLength(2);
  } finally {
    await short.close();
  }
}, 90_000);

test('a failure that is tried again, a success and a cancel are not told', async () => {
  await path.endpoint(receiver.url, 'order.created');
  await path.endpoint(listener.url, 'everpost.*');
  await path.executor().attemptDelivery(buildAttempt((await path.promise('order.created')).ref));
  receiver.answerWith(200);
  await path.executor().attemptDelivery(buildAttempt((await path.promise('order.created')).ref, LAST));
  await path.parts.stores.deliveries.cancel((await path.promise('order.created')).ref);

  expect(await operationalEvents()).toEqual([]);
});

test('an endpoint that was disabled is told', async () => {
  const gone = await path.endpoint(receiver.url, 'order.created', { disable_on_gone: true });
  await path.endpoint(listener.url, 'everpost.endpoint.*');
  receiver.answerWith(410);
  await path.executor().attemptDelivery(buildAttempt((await path.promise('order.created')).ref));

  const [event, ...more] = await operationalEvents();
  expect(more).toEqual([]);
  expect(event!.type).toBe('everpost.endpoint.disabled');
  expect(dataOf(event!)).toEqual({
    endpoint_id: gone,
    reason: 'gone',
    disabled_at: (await path.parts.stores.endpoints.find(gone))!.disabled_at!.toISOString(),
  });
});

test('an endpoint that fails for days is told, with the day it began', async () => {
  const own = await buildDataPath({ of: path, env: { ENDPOINT_AUTO_DISABLE_AFTER: '1d' } });
  try {
    const failing = await path.endpoint(receiver.url, 'order.created');
    await path.endpoint(listener.url, 'everpost.*');
    const since = new Date(Date.now() - 2 * 86_400_000);
    await path.mongo.db
      .collection<{ _id: string }>('endpoints')
      .updateOne({ _id: failing }, { $set: { failing_since: since } });
    await own.executor().attemptDelivery(buildAttempt((await path.promise('order.created')).ref));

    expect((await operationalEvents()).map(dataOf)).toMatchObject([
      { endpoint_id: failing, reason: 'failing', failing_since: since.toISOString() },
    ]);
  } finally {
    await own.close();
  }
});

test('nothing is stored for an account of which no endpoint asks', async () => {
  await path.endpoint(receiver.url, '*', { disable_on_gone: true });
  receiver.answerWith(410);
  await failForGood();
  expect(await operationalEvents()).toEqual([]);
});

describe('a worker that dies between the record and the announcement', () => {
  test('of a failed delivery: the attempt is run again, and tells it', async () => {
    await path.endpoint(receiver.url, 'order.created');
    await path.endpoint(listener.url, 'everpost.*');
    const { ref } = await path.promise('order.created');
    const attempt = buildAttempt(ref, LAST);
    const killed = (): Promise<never> => Promise.reject(new Error('killed'));
    const dying = path.executor({ announce: { deliveryFailed: killed, endpointDisabled: killed } });
    await expect(dying.attemptDelivery(attempt)).rejects.toThrow('killed');
    expect((await path.destination(ref)).state).toBe('failed');
    expect(await operationalEvents()).toEqual([]);

    await path.executor().attemptDelivery(attempt);

    expect(await operationalEvents()).toHaveLength(1);
    expect(receiver.requests).toHaveLength(1);
  });

  test('of a disabled endpoint: the attempt is run again, and tells it', async () => {
    await path.endpoint(receiver.url, 'order.created', { disable_on_gone: true });
    await path.endpoint(listener.url, 'everpost.*');
    receiver.answerWith(410);
    const attempt = buildAttempt((await path.promise('order.created')).ref);
    const killed = (): Promise<never> => Promise.reject(new Error('killed'));
    const dying = path.executor({ announce: { deliveryFailed: killed, endpointDisabled: killed } });
    await expect(dying.attemptDelivery(attempt)).rejects.toThrow('killed');

    await path.executor().attemptDelivery(attempt);

    expect((await operationalEvents()).map(({ type }) => type)).toEqual(['everpost.endpoint.disabled']);
  });

  test('after the announcement: it is told once all the same', async () => {
    await path.endpoint(receiver.url, 'order.created');
    await path.endpoint(listener.url, 'everpost.*');
    const attempt = buildAttempt((await path.promise('order.created')).ref, LAST);
    await path.executor().attemptDelivery(attempt);
    await Promise.all([path.executor().attemptDelivery(attempt), path.executor().attemptDelivery(attempt)]);

    expect(await operationalEvents()).toHaveLength(1);
  });

  test('an answer that was written down later is told then', async () => {
    await path.endpoint(receiver.url, 'order.created');
    await path.endpoint(listener.url, 'everpost.*');
    const attempt = buildAttempt((await path.promise('order.created')).ref, LAST);
    const { deliveries } = path.parts.stores;
    const away = { ...deliveries, record: () => Promise.reject(new Error('MongoDB is away')) };
    const outcome = await path.executor({ deliveries: away }).attemptDelivery(attempt);
    if (outcome.kind !== 'answered') throw new Error(`not answered: ${outcome.kind}`);
    expect(await operationalEvents()).toEqual([]);

    await path.executor().recordAttempt(attempt, outcome);

    expect(await operationalEvents()).toHaveLength(1);
  });
});

test('a replay that fails as well is told as well: it is a run of its own', async () => {
  await path.endpoint(receiver.url, 'order.created');
  await path.endpoint(listener.url, 'everpost.*');
  const { ref } = await path.promise('order.created');
  await path.executor().attemptDelivery(buildAttempt(ref, LAST));
  const again = (await path.parts.stores.deliveries.replay(ref))!;
  await path.executor().attemptDelivery(buildAttempt(again, LAST));

  expect((await operationalEvents()).map((event) => dataOf(event)['run'])).toEqual([1, 2]);
});

test('operational events cause none: neither their failures, nor the endpoint that they disable', async () => {
  listener.answerWith(410);
  await path.endpoint(receiver.url, 'order.created');
  const asking = await path.endpoint(listener.url, 'everpost.*', { disable_on_gone: true });
  await failForGood();
  const [told] = await operationalEvents();

  await path.executor().attemptDelivery(buildAttempt({ eventId: told!._id, endpointId: asking, run: 1 }, LAST));

  expect((await path.parts.stores.endpoints.find(asking))!.status).toBe('disabled');
  expect(await operationalEvents()).toHaveLength(1);
});

test("a caller's idempotency key never meets one of ours", async () => {
  const failing = await path.endpoint(receiver.url, 'order.created');
  await path.endpoint(listener.url, 'everpost.*');
  const { ref } = await path.promise('order.created');
  const idempotencyKey = `delivery.failed/${ref.eventId}.${failing}/1`;
  const theirs = await path.promise('order.other', { idempotencyKey });

  await path.executor().attemptDelivery(buildAttempt(ref, LAST));

  const [told] = await operationalEvents();
  expect(told!._id).not.toBe(theirs.id);
  expect(await path.promise('order.other', { idempotencyKey })).toMatchObject({ id: theirs.id, duplicate: true });
});
