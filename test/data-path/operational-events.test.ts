import type { StartTask } from '../../src/engine/task';
import type { AttemptOutcome } from '../../src/domain/delivery-contract';
import type { OptionsBody } from '../../src/endpoints/options-schema';
import type { StoredEvent } from '../../src/stores/event-store';
import { useReceiver } from '../support/build-receiver';
import { buildAttempt, buildDataPath, useDataPath } from '../support/build-data-path';
import { openedEvents } from '../support/open-payloads';

// Everpost reports to an account what happened to its endpoints and deliveries with its own events: once each, to
// endpoints that subscribe to them by name, and never about such events.

const LAST = { nextDelayMs: null };

const path = useDataPath();
const receiver = useReceiver(500);
const listener = useReceiver();

// A test counts all operational events that there are.
afterEach(() => path.clear());

async function operationalEvents(): Promise<StoredEvent[]> {
  return openedEvents(path, await path.events.find({ type: /^everpost\./ }).toArray());
}

/** An endpoint that fails, and one that subscribes to operational events. */
async function failingAndAsking(options?: OptionsBody): Promise<[string, string]> {
  return [await path.endpoint(receiver.url, 'order.created', options), await path.endpoint(listener.url, 'everpost.*')];
}

async function failForGood(type = 'order.created'): Promise<{ id: number; outcome: AttemptOutcome }> {
  const { id, starts } = await path.promise(type);
  const { ref } = starts.find(({ url }) => url === receiver.url)!;
  return { id, outcome: await path.executor().attemptDelivery(buildAttempt(ref, { number: 8, ...LAST })) };
}

function dataOf(event: StoredEvent): Record<string, unknown> {
  return JSON.parse(Buffer.from(event.data!.value()).toString()) as Record<string, unknown>;
}

it('a delivery that fails after its last attempt is announced, only to endpoints that subscribe', async () => {
  const [failing, asking] = await failingAndAsking();
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

it('through the workflows: the event arrives, signed like any other', async () => {
  const short = await buildDataPath({ of: path, env: { RETRY_SCHEDULE: '0s,100ms' } });
  try {
    await path.endpoint(receiver.url, 'order.created');
    await path.endpoint(listener.url, 'everpost.delivery.failed');
    await short.worker();
    await short.send('order.created');

    const [request] = await listener.waitFor(1);

    expect(request!.headers).toMatchObject({
      'x-webhook-type': 'everpost.delivery.failed',
      'x-webhook-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
    expect(receiver.requests).toHaveLength(2);
  } finally {
    await short.close();
  }
});

it('a failure that is retried, a success and a cancel are not announced', async () => {
  await failingAndAsking();
  await path.attempt('order.created');
  receiver.answerWith(200);
  await path.attempt('order.created', LAST);
  await path.parts.stores.deliveries.cancel((await path.promise('order.created')).ref);

  expect(await operationalEvents()).toEqual([]);
});

it('a disabled endpoint is announced', async () => {
  const gone = await path.endpoint(receiver.url, 'order.created', { disable_on_gone: true });
  await path.endpoint(listener.url, 'everpost.endpoint.*');
  receiver.answerWith(410);
  await path.attempt('order.created');

  const [event, ...more] = await operationalEvents();
  expect(more).toEqual([]);
  expect(event!.type).toBe('everpost.endpoint.disabled');
  expect(dataOf(event!)).toEqual({
    endpoint_id: gone,
    reason: 'gone',
    disabled_at: (await path.parts.stores.endpoints.find(gone))!.disabled_at!.toISOString(),
  });
});

it('an endpoint disabled after days of failures is announced, with the day of the first failure', async () => {
  const own = await buildDataPath({ of: path, env: { ENDPOINT_AUTO_DISABLE_AFTER: '1d' } });
  try {
    const [failing] = await failingAndAsking();
    const since = new Date(Date.now() - 2 * 86_400_000);
    await path.endpoints.updateOne({ _id: failing }, { $set: { failing_since: since } });
    await own.executor().attemptDelivery(buildAttempt((await path.promise('order.created')).ref));

    expect((await operationalEvents()).map(dataOf)).toMatchObject([
      { endpoint_id: failing, reason: 'failing', failing_since: since.toISOString() },
    ]);
  } finally {
    await own.close();
  }
});

it('an account without subscribed endpoints stores nothing', async () => {
  await path.endpoint(receiver.url, '*', { disable_on_gone: true });
  receiver.answerWith(410);
  await failForGood();
  expect(await operationalEvents()).toEqual([]);
});

describe('a worker that dies before the announcement', () => {
  const killed = (): Promise<never> => Promise.reject(new Error('killed'));

  it('of a failed delivery: the repeated attempt announces it', async () => {
    await failingAndAsking();
    const { ref } = await path.promise('order.created');
    const attempt = buildAttempt(ref, LAST);
    const dying = path.executor({ announce: { deliveryFailed: killed, endpointDisabled: killed } });
    await expect(dying.attemptDelivery(attempt)).rejects.toThrow('killed');
    expect((await path.destination(ref)).state).toBe('failed');
    expect(await operationalEvents()).toEqual([]);

    await path.executor().attemptDelivery(attempt);

    expect(await operationalEvents()).toHaveLength(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('of a failed express delivery, which no execution repeats: a sweep has it announced', async () => {
    await failingAndAsking({ retry_schedule: [0] });
    const { ref } = (await path.promise('order.created')).starts.find(({ url }) => url === receiver.url)!;
    const dying = path.executor({ announce: { deliveryFailed: killed, endpointDisabled: killed } });
    await expect(dying.make(buildAttempt(ref, { ...LAST, express: true }))).rejects.toThrow('killed');
    expect(await path.destination(ref)).toMatchObject({ state: 'failed', dispatch: 'due' });
    expect(await operationalEvents()).toEqual([]);

    const another = path.executor();
    const made: Promise<unknown>[] = [];
    const dispatch = ({ ref: found, firstAttempt: number }: StartTask): boolean => {
      made.push(another.make(buildAttempt(found, { ...LAST, number, express: true })));
      return true;
    };
    await path.sweepUntil(ref, { dispatch: 'done' }, { startGraceMs: 0 }, { dispatcher: { dispatch } });
    await Promise.all(made);

    expect((await operationalEvents()).map(({ type }) => type)).toEqual(['everpost.delivery.failed']);
    expect(receiver.requests).toHaveLength(1);
    expect(await path.destination(ref)).toMatchObject({ state: 'failed', attempt_count: 1 });
  });

  it('of a disabled endpoint: the repeated attempt announces it', async () => {
    await failingAndAsking({ disable_on_gone: true });
    receiver.answerWith(410);
    const attempt = buildAttempt((await path.promise('order.created')).ref);
    const dying = path.executor({ announce: { deliveryFailed: killed, endpointDisabled: killed } });
    await expect(dying.attemptDelivery(attempt)).rejects.toThrow('killed');

    await path.executor().attemptDelivery(attempt);

    expect((await operationalEvents()).map(({ type }) => type)).toEqual(['everpost.endpoint.disabled']);
  });

  it('after the announcement: it is still announced once', async () => {
    await failingAndAsking();
    const attempt = buildAttempt((await path.promise('order.created')).ref, LAST);
    await path.executor().attemptDelivery(attempt);
    await Promise.all([path.executor().attemptDelivery(attempt), path.executor().attemptDelivery(attempt)]);

    expect(await operationalEvents()).toHaveLength(1);
  });
});

it('a replay that fails is announced too, as its own run', async () => {
  await failingAndAsking();
  const { ref } = await path.promise('order.created');
  await path.executor().attemptDelivery(buildAttempt(ref, LAST));
  const again = (await path.parts.stores.deliveries.replay(ref))!;
  await path.executor().attemptDelivery(buildAttempt(again, LAST));

  expect((await operationalEvents()).map((event) => dataOf(event)['run'])).toEqual([1, 2]);
});

it('operational events never cause others, by a failure or by disabling an endpoint', async () => {
  listener.answerWith(410);
  await path.endpoint(receiver.url, 'order.created');
  const asking = await path.endpoint(listener.url, 'everpost.*', { disable_on_gone: true });
  await failForGood();
  const [told] = await operationalEvents();

  await path.executor().attemptDelivery(buildAttempt({ eventId: told!._id, endpointId: asking, run: 1 }, LAST));

  expect((await path.parts.stores.endpoints.find(asking))!.status).toBe('disabled');
  expect(await operationalEvents()).toHaveLength(1);
});

it("a caller's idempotency key never collides with an internal one", async () => {
  const [failing] = await failingAndAsking();
  const { ref } = await path.promise('order.created');
  const idempotencyKey = `delivery.failed/${ref.eventId}.${failing}/1`;
  const theirs = await path.promise('order.other', { idempotencyKey });

  await path.executor().attemptDelivery(buildAttempt(ref, LAST));

  const [told] = await operationalEvents();
  expect(told!._id).not.toBe(theirs.id);
  expect(await path.promise('order.other', { idempotencyKey })).toMatchObject({ id: theirs.id, duplicate: true });
});
