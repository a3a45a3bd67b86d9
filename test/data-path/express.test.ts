import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import type { Role } from '../../src/main';
import { createLogger } from '../../src/platform/logger';
import { createTemporalLink, isWorkflowNotFound, type TemporalLink } from '../../src/platform/temporal';
import { buildCaller, type Caller } from '../support/build-caller';
import { holdAnswers, ownType, receivedIds } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { buildStack, HURRIED_SWEEPERS, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// FIRST_ATTEMPT=express: the process that accepted an event makes the first attempt; Temporal has what is left to do.

interface Running {
  readonly stack: Stack;
  readonly caller: Caller;
  readonly temporal: TemporalLink;
}

/** An event with one delivery. */
interface Sent {
  readonly eventId: number;
  readonly endpointId: string;
}

const receiver = useReceiver();

async function start(role: Role, env: Record<string, string> = {}): Promise<Running> {
  const stack = await buildStack({ ...HURRIED_SWEEPERS, role, env: { FIRST_ATTEMPT: 'express', ...env } });
  const { temporal: settings } = stack.config;
  const temporal = createTemporalLink({ ...settings, address: settings.address! }, createLogger('silent'));
  return { stack, temporal, caller: await buildCaller(stack) };
}

async function stop({ stack, temporal }: Running): Promise<void> {
  await temporal.close();
  await stack.close();
}

/** Registers an endpoint of its own and ingests an event for it. */
async function send({ caller }: Running, options?: object): Promise<Sent> {
  const type = ownType();
  const { id: endpointId } = await caller.register({ url: receiver.url, events: [type], ...options });
  return { eventId: (await caller.ingest({ type, idempotency_key: type })).id, endpointId };
}

/** The numbers and statuses of the attempts of an event's delivery, once it is in a state. */
async function attemptsOf({ caller }: Running, { eventId }: Sent, state: string): Promise<number[][]> {
  const { body } = await caller.untilEvent(eventId, state);
  const attempts = body.deliveries[0].attempts as { number: number; status_code: number }[];
  return attempts.map(({ number, status_code: status }) => [number, status]);
}

/** Whether Temporal has an execution of a run of a delivery. */
async function hasExecution({ temporal }: Running, { eventId, endpointId }: Sent, run = 1): Promise<boolean> {
  await temporal.connected();
  const handle = temporal.client()!.workflow.getHandle(deliveryWorkflowId({ eventId, endpointId, run }));
  return handle.describe().then(
    () => true,
    (error: unknown) => {
      if (isWorkflowNotFound(error)) return false;
      throw error;
    },
  );
}

function destinationOf({ stack }: Running, { eventId }: Sent) {
  const events = stack.mongo.db.collection<{ _id: number; destinations: object[] }>('events');
  return events.findOne({ _id: eventId }).then((event) => event!.destinations[0]);
}

describe('API and worker in one process', () => {
  const running = useFixture('file', () => start('all'), stop);

  it('a first attempt that succeeds is the whole delivery: Temporal has no execution of it', async () => {
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(receivedIds(receiver)).toEqual([sent.eventId]);
    expect(await hasExecution(running, sent)).toBe(false);
  });

  it('after a first attempt that fails an execution makes the others', async () => {
    receiver.answerWith((_request, count) => (count <= 2 ? 503 : 200));
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ]);
    expect(await hasExecution(running, sent)).toBe(true);
  });

  it('a receiver that takes seconds gets one request', async () => {
    const answer = holdAnswers(receiver);
    const sent = await send(running);
    // It has left its slot: an execution waits for its answer.
    await eventually(() => hasExecution(running, sent), Boolean);
    answer();

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('to a paused endpoint nothing is sent until it is resumed', async () => {
    const type = ownType();
    const { id: endpointId } = await running.caller.register({ url: receiver.url, events: [type] });
    await running.caller.post(`/api/v1/webhooks/endpoints/${endpointId}/pause`, {});
    const sent = { endpointId, eventId: (await running.caller.ingest({ type })).id };
    await eventually(() => hasExecution(running, sent), Boolean);
    expect(receiver.requests).toHaveLength(0);

    await running.caller.post(`/api/v1/webhooks/endpoints/${endpointId}/resume`, {});

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
  });

  it('while its endpoint is ordered an event waits for the one before it', async () => {
    receiver.answerWith((_request, count) => (count === 1 ? 503 : 200));
    const type = ownType();
    await running.caller.register({ url: receiver.url, events: [type], options: { ordered: true } });
    const first = (await running.caller.ingest({ type })).id;
    const second = (await running.caller.ingest({ type })).id;

    await running.caller.untilEvent(second, 'delivered');

    expect(receivedIds(receiver)).toEqual([first, first, second]);
  });

  it('a replay goes the same way', async () => {
    const sent = await send(running);
    await attemptsOf(running, sent, 'delivered');

    await running.caller.post(`/api/v1/webhooks/deliveries/${sent.eventId}.${sent.endpointId}/replay`, {});
    await running.caller.untilDelivery(`${sent.eventId}.${sent.endpointId}`, 'delivered', 2);

    expect(receivedIds(receiver)).toEqual([sent.eventId, sent.eventId]);
    expect(await hasExecution(running, sent, 2)).toBe(false);
  });

  it('a replay to an endpoint with a rate has an execution, which keeps its place', async () => {
    const sent = await send(running, { options: { max_per_second: 100 } });
    await attemptsOf(running, sent, 'delivered');

    await running.caller.post(`/api/v1/webhooks/deliveries/${sent.eventId}.${sent.endpointId}/replay`, {});
    await running.caller.untilDelivery(`${sent.eventId}.${sent.endpointId}`, 'delivered', 2);

    expect(await hasExecution(running, sent, 1)).toBe(true);
    expect(await hasExecution(running, sent, 2)).toBe(true);
  });
});

describe('an API alone', () => {
  const running = useFixture('file', () => start('api'), stop);

  it('makes first attempts itself: no worker runs', async () => {
    expect(await attemptsOf(running, await send(running), 'delivered')).toEqual([[1, 200]]);
  });

  it('notes a failure, whose next attempt waits for a worker', async () => {
    receiver.answerWith(500);
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'retrying')).toEqual([[1, 500]]);
  });
});

describe.each(['express', 'auto'])('without Temporal, FIRST_ATTEMPT=%s', (mode) => {
  const env = { FIRST_ATTEMPT: mode, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const running = useFixture('file', () => start('all', env), stop);

  it('first attempts are made all the same', async () => {
    expect(await attemptsOf(running, await send(running), 'delivered')).toEqual([[1, 200]]);
  });

  it('what a process left that died is sent all the same', async () => {
    const sent = await send(running);
    await attemptsOf(running, sent, 'delivered');
    const unsent = { state: 'pending', started: false, attempt_count: 0, claimed_until: new Date(0) };
    const fields = Object.entries(unsent).map(([name, value]) => [`destinations.0.${name}`, value]);
    const events = running.stack.mongo.db.collection<{ _id: number }>('events');
    await running.stack.mongo.db.collection('attempts').deleteMany({ event_id: sent.eventId });
    await events.updateOne({ _id: sent.eventId }, { $set: { ...Object.fromEntries(fields), finished_at: null } });

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('a process that ends', () => {
  it('stops only when the request under way is answered and its answer is written down', async () => {
    const running = await start('api');
    const answer = holdAnswers(receiver);
    const sent = await send(running);
    await receiver.waitFor(1);

    const stopping = running.stack.role.close();
    answer();
    await stopping;

    expect(await destinationOf(running, sent)).toMatchObject({ state: 'delivered', attempt_count: 1 });
    expect(receiver.requests).toHaveLength(1);
    await running.temporal.close();
    await running.stack.mongo.db.dropDatabase();
    await running.stack.mongo.close();
  });
});
