import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sentHeaders } from '../../src/deliveries/sent-headers';
import { startOf } from '../../src/dispatch/start-delivery';
import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import type { Endpoint } from '../../src/endpoints/store';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// An endpoint's options, as deliveries heed them. Their order is in ordered.test.ts, their rate in rate.test.ts.

let path: DataPath;
let receiver: Receiver;
let type: string;

beforeAll(async () => {
  path = await buildDataPath();
  await path.worker();
}, 60_000);

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
  type = `options.t${Math.random().toString(36).slice(2)}`;
});

afterEach(() => receiver.close());

function endpoints() {
  return path.mongo.db.collection<Endpoint>('endpoints');
}

describe('retry_schedule', () => {
  test('an own schedule is as many attempts as it has delays, and is the one of the promise', async () => {
    receiver.answerWith(500);
    const id = await path.endpoint(receiver.url, type, { retry_schedule: [0, 0.1, 0.1] });
    const { starts, ref } = await path.promise(type);
    // What is promised stays so.
    await endpoints().updateOne({ _id: id }, { $set: { options: { retry_schedule: [0] } } });
    await path.parts.starter.start(starts[0]!);

    await eventually(
      () => path.destination(ref),
      ({ state }) => state === 'failed',
    );

    expect(receiver.requests).toHaveLength(3);
    expect(await path.destination(ref)).toMatchObject({ attempt_count: 3, schedule_ms: [0, 100, 100] });
  });

  test('a first delay is waited for, and is known as the next attempt from the beginning', async () => {
    await path.endpoint(receiver.url, type, { retry_schedule: [1.5, 10] });
    const startedAt = Date.now();
    const { ref } = await path.send(type);
    const sentAt = Date.now();
    const { next_attempt_at: nextAt } = await path.destination(ref);
    await receiver.waitFor(1);

    expect(receiver.requests[0]!.at - startedAt).toBeGreaterThanOrEqual(1_400);
    expect(nextAt!.getTime()).toBeGreaterThanOrEqual(startedAt + 1_400);
    expect(nextAt!.getTime()).toBeLessThanOrEqual(sentAt + 1_600);
  });

  test('a start that was missed goes on with the own schedule, after what is left of its wait', async () => {
    await path.endpoint(receiver.url, type, { retry_schedule: [30, 60, 90] });
    const { id, starts } = await path.promise(type);
    const event = await path.event(id);
    const [destination] = event.destinations;
    const later = (ms: number) => new Date(destination!.next_attempt_at!.getTime() + ms);

    const onTime = startOf({ event, destination: destination! }, later(-30_000), false);
    expect(onTime).toEqual(starts[0]);
    // The workflow adds the schedule's 30 s: 10 s are left in all.
    expect(startOf({ event, destination: destination! }, later(-10_000), false)).toMatchObject({
      firstAttempt: 1,
      firstDelayMs: -20_000,
      schedule: [30_000, 60_000, 90_000],
    });
    const failedOnce = { ...destination!, attempt_count: 1, next_attempt_at: later(5_000) };
    expect(startOf({ event, destination: failedOnce }, later(0), true)).toMatchObject({
      firstAttempt: 2,
      firstDelayMs: 5_000,
    });
  });

  test('without the option nothing of it is stored', async () => {
    await path.endpoint(receiver.url, type);
    const { ref } = await path.promise(type);
    expect(await path.destination(ref)).not.toHaveProperty('schedule_ms');
  });
});

describe('honor_retry_after', () => {
  let busy: Server;
  let url: string;
  let retryAfter: string;

  beforeEach(async () => {
    busy = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(503, { 'Retry-After': retryAfter }).end());
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}/hook`;
  });

  afterEach(() => void busy.close());

  async function delayAfterAnswer(header: string, options: { honor: boolean; scheduledMs: number | null }) {
    retryAfter = header;
    await path.endpoint(url, type, { honor_retry_after: options.honor });
    const { ref } = await path.promise(type);
    const attempt = buildAttempt(ref, { nextDelayMs: options.scheduledMs });
    const outcome = await path.executor().attemptDelivery(attempt);
    const destination = await path.destination(ref);
    const now = await path.parts.stores.dispatch.now();
    if (outcome.kind !== 'answered') throw new Error(`not answered: ${outcome.kind}`);
    return { attempt, outcome, destination, nextInMs: (destination.next_attempt_at?.getTime() ?? 0) - now.getTime() };
  }

  test('a longer wait than the schedule says is kept, in the workflow and in the record', async () => {
    const { outcome, nextInMs } = await delayAfterAnswer('120', { honor: true, scheduledMs: 1_000 });
    expect(outcome).toMatchObject({ nextDelayMs: 120_000 });
    expect(nextInMs).toBeGreaterThan(110_000);
    expect(nextInMs).toBeLessThanOrEqual(120_000);
  });

  test('a date is as good as seconds', async () => {
    const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
    const { outcome } = await delayAfterAnswer(inTenMinutes, { honor: true, scheduledMs: 1_000 });
    expect(outcome.nextDelayMs).toBeGreaterThan(590_000);
    expect(outcome.nextDelayMs).toBeLessThanOrEqual(600_000);
  });

  test('it is never earlier than the schedule', async () => {
    const { outcome, nextInMs } = await delayAfterAnswer('5', { honor: true, scheduledMs: 60_000 });
    expect(outcome).not.toHaveProperty('nextDelayMs');
    expect(nextInMs).toBeGreaterThan(50_000);
  });

  test('it is 24 hours at most', async () => {
    const { outcome } = await delayAfterAnswer('999999', { honor: true, scheduledMs: 1_000 });
    expect(outcome.nextDelayMs).toBe(86_400_000);
  });

  test('it adds no attempt to a schedule that is used up', async () => {
    const { outcome, destination } = await delayAfterAnswer('120', { honor: true, scheduledMs: null });
    expect(outcome).not.toHaveProperty('nextDelayMs');
    expect(destination).toMatchObject({ state: 'failed', next_attempt_at: null });
  });

  test('without the option it is not heeded', async () => {
    const { outcome, nextInMs } = await delayAfterAnswer('120', { honor: false, scheduledMs: 1_000 });
    expect(outcome).not.toHaveProperty('nextDelayMs');
    expect(nextInMs).toBeLessThanOrEqual(1_000);
  });

  test('an attempt that Temporal forgot keeps the wait that the receiver asked for', async () => {
    const { attempt, outcome } = await delayAfterAnswer('120', { honor: true, scheduledMs: 1_000 });
    expect(await path.executor().attemptDelivery(attempt)).toEqual(outcome);
  });

  test('through the workflow: the next attempt waits as long as the receiver asked', async () => {
    retryAfter = '7200';
    await path.endpoint(url, type, { honor_retry_after: true, retry_schedule: [0, 1] });
    const { ref } = await path.send(type);
    const handle = path.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));
    const { events } = await eventually(
      () => handle.fetchHistory(),
      (history) => (history.events ?? []).some((event) => event.timerStartedEventAttributes),
    );
    const timer = events!.find((event) => event.timerStartedEventAttributes)!.timerStartedEventAttributes!;
    expect(Number(timer.startToFireTimeout!.seconds)).toBe(7_200);
    await handle.terminate();
  });
});

describe('disable_on_gone', () => {
  test('410 disables the endpoint; its deliveries are held, and go on by their schedule when it is resumed', async () => {
    const id = await path.endpoint(receiver.url, type, { disable_on_gone: true, retry_schedule: [0, 0.1, 0.1] });
    receiver.answerWith(410);
    const { ref } = await path.send(type);
    await eventually(
      () => path.destination(ref),
      ({ attempt_count: count }) => count === 1,
    );
    const other = await path.send(type);
    await eventually(
      async () => path.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref)).fetchHistory(),
      ({ events }) =>
        (events ?? []).some((event) => Number(event.timerStartedEventAttributes?.startToFireTimeout?.seconds) === 60),
    );

    expect(await path.parts.stores.endpoints.find(id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
      disabled_at: expect.any(Date),
    });
    expect(await path.destination(ref)).toMatchObject({ state: 'retrying', attempt_count: 1 });
    expect(await path.destination(other.ref)).toMatchObject({ state: 'pending', attempt_count: 0 });
    expect(receiver.requests).toHaveLength(1);

    receiver.answerWith(200);
    await endpoints().updateOne({ _id: id }, { $set: { status: 'active' } });
    const { signals } = path.parts.attempt();
    for (const held of [ref, other.ref]) await signals.wake(held);
    for (const held of [ref, other.ref]) {
      await eventually(
        () => path.destination(held),
        ({ state }) => state === 'delivered',
      );
    }
    expect((await path.destination(ref)).attempt_count).toBe(2);
  }, 60_000);

  test('without the option 410 is a failure like any other', async () => {
    const id = await path.endpoint(receiver.url, type);
    receiver.answerWith(410);
    await path.executor().attemptDelivery(buildAttempt((await path.promise(type)).ref));
    expect((await path.parts.stores.endpoints.find(id))!.status).toBe('active');
  });

  test('an attempt that is run again does not disable what somebody resumed meanwhile', async () => {
    const id = await path.endpoint(receiver.url, type, { disable_on_gone: true });
    receiver.answerWith(410);
    const attempt = buildAttempt((await path.promise(type)).ref);
    await path.executor().attemptDelivery(attempt);
    await endpoints().updateOne({ _id: id }, { $set: { status: 'active' } });

    await path.executor().attemptDelivery(attempt);

    expect((await path.parts.stores.endpoints.find(id))!.status).toBe('active');
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('headers and authentication', () => {
  const options = {
    headers: { 'X-Tenant': 'blue', 'x-trace': 'on' },
    authentication: { type: 'basic', username: 'everpost', password: 'geheim-päss' },
  } as const;

  test('they travel with each delivery', async () => {
    await path.endpoint(receiver.url, type, options);
    await path.executor().attemptDelivery(buildAttempt((await path.promise(type)).ref));

    const { headers } = receiver.requests[0]!;
    expect(headers).toMatchObject({ 'x-tenant': 'blue', 'x-trace': 'on', 'content-type': 'application/json' });
    const credentials = Buffer.from(headers.authorization!.replace('Basic ', ''), 'base64').toString();
    expect(credentials).toBe('everpost:geheim-päss');
  });

  test('a bearer token is sent as it is', async () => {
    await path.endpoint(receiver.url, type, { authentication: { type: 'bearer', token: 'tok_123' } });
    await path.executor().attemptDelivery(buildAttempt((await path.promise(type)).ref));
    expect(receiver.requests[0]!.headers.authorization).toBe('Bearer tok_123');
  });

  test('they never replace a header of the delivery, however they are spelled', async () => {
    await path.endpoint(receiver.url, type, { headers: { 'x-webhook-id': '666', 'CONTENT-TYPE': 'text/plain' } });
    const { id, ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref));
    expect(receiver.requests[0]!.headers).toMatchObject({
      'x-webhook-id': String(id),
      'content-type': 'application/json',
    });
  });

  test('their values are nowhere in the record of the delivery, nor in Temporal', async () => {
    await path.endpoint(receiver.url, type, options);
    const { ref } = await path.send(type);
    const handle = path.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));
    await handle.result();

    const stored = JSON.stringify([await path.history(ref.eventId), await path.event(ref.eventId)]);
    const history = JSON.stringify(await handle.fetchHistory());
    for (const secret of ['blue', 'geheim', receiver.requests[0]!.headers.authorization!.slice(6)]) {
      expect(stored).not.toContain(secret);
      expect(history).not.toContain(secret);
      expect(history).not.toContain(Buffer.from(secret).toString('base64').slice(0, 6));
    }
  });
});

describe('request headers as sent', () => {
  test("are what the receiver got, but for the values of the endpoint's own and the connection's", async () => {
    await path.endpoint(receiver.url, type, {
      headers: { 'X-Tenant': 'blue' },
      authentication: { type: 'bearer', token: 'tok_123' },
    });
    const { id, ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref));

    const [{ answer }] = (await path.history(id)) as [Awaited<ReturnType<DataPath['history']>>[number]];
    const shown = sentHeaders(await path.event(id), answer)!;

    const { headers } = receiver.requests[0]!;
    for (const [name, value] of Object.entries(shown)) {
      if (value !== '[hidden]') expect([name, headers[name.toLowerCase()]]).toEqual([name, value]);
    }
    expect(shown).toMatchObject({ 'X-Tenant': '[hidden]', Authorization: '[hidden]' });
    const connection = ['user-agent', 'host', 'accept-encoding', 'content-length', 'connection'];
    const names = Object.keys(shown).map((name) => name.toLowerCase());
    expect(names.sort()).toEqual(
      Object.keys(headers)
        .filter((name) => !connection.includes(name))
        .sort(),
    );
  });

  test('stay what they were when the secret changes', async () => {
    const endpointId = await path.endpoint(receiver.url, type);
    const { id, ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref));
    const secret = path.parts.secretBox.seal('whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3', endpointId);
    await endpoints().updateOne({ _id: endpointId }, { $set: { secret } });

    const [{ answer }] = (await path.history(id)) as [Awaited<ReturnType<DataPath['history']>>[number]];

    expect(sentHeaders(await path.event(id), answer)!['X-Webhook-Signature']).toBe(
      receiver.requests[0]!.headers['x-webhook-signature'],
    );
  });
});

test('an endpoint without options asks nobody for its turn, and a success has no consequences', async () => {
  await path.endpoint(receiver.url, type);
  const forbidden = (): never => {
    throw new Error('not asked for');
  };
  const outcome = await path
    .executor({
      rates: { ensureIndexes: forbidden, takeTurn: forbidden },
      order: { ensureIndexes: forbidden, firstInLine: forbidden, take: forbidden, giveBack: forbidden },
      health: { disable: forbidden, noteFailure: forbidden, noteSuccess: forbidden },
      announce: { deliveryFailed: forbidden, endpointDisabled: forbidden },
      optionHeaders: forbidden,
      wakeNext: forbidden,
    })
    .attemptDelivery(buildAttempt((await path.promise(type)).ref));
  expect(outcome).toMatchObject({ kind: 'answered', succeeded: true });
});
