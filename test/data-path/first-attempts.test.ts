import type { WorkflowHandle } from '@temporalio/client';
import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import type { Destination, StoredEvent } from '../../src/stores/event-store';
import type { Role } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import { createTemporalLink, isWorkflowNotFound, type TemporalLink } from '../../src/platform/temporal';
import { buildCaller, type Caller } from '../support/build-caller';
import { holdAnswers, ownType, receivedIds } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { buildStack, FAST_SWEEPERS, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// FIRST_ATTEMPT=express: the process that accepted an event, or released it, makes its attempt; Temporal does the rest.
// FIRST_ATTEMPT=auto: the same, and at ordinary load an execution shows each delivery that the process finishes.
// FIRST_ATTEMPT=workflow: an execution makes it, or beside it the process that accepted the event, if it runs a worker.

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
  const stack = await buildStack({ ...FAST_SWEEPERS, role, env: { FIRST_ATTEMPT: 'express', ...env } });
  const { temporal: settings } = stack.config;
  const temporal = createTemporalLink({ ...settings, address: settings.address! }, createLogger('silent'));
  return { stack, temporal, caller: await buildCaller(stack) };
}

async function stop({ stack, temporal }: Running): Promise<void> {
  await temporal.close();
  await stack.close();
}

/** Registers a new endpoint and ingests an event for it. */
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

function executionOf({ temporal }: Running, { eventId, endpointId }: Sent, run = 1): WorkflowHandle {
  return temporal.client()!.workflow.getHandle(deliveryWorkflowId({ eventId, endpointId, run }));
}

/** Whether Temporal has an execution of a run of a delivery. The API says the same of the current run. */
async function hasExecution(running: Running, sent: Sent, run = 1): Promise<boolean> {
  await running.temporal.connected();
  const found = await executionOf(running, sent, run)
    .describe()
    .then(
      () => true,
      (error: unknown) => {
        if (isWorkflowNotFound(error)) return false;
        throw error;
      },
    );
  const { body } = await running.caller.get(`/api/v1/webhooks/deliveries/${sent.eventId}.${sent.endpointId}`);
  if (body.run === run) expect(body.has_execution).toBe(found);
  return found;
}

async function destinationOf({ stack }: Running, { eventId }: Sent): Promise<Destination> {
  const event = await eventsOf(stack).findOne({ _id: eventId });
  return event!.destinations[0]!;
}

async function inOrderOfAcceptance({ stack }: Running, type: string): Promise<number[]> {
  const stored = await eventsOf(stack).find({ type }).sort({ accepted_at: 1, _id: 1 }).toArray();
  return stored.map(({ _id }) => _id);
}

function eventsOf({ mongo }: Stack) {
  return mongo.db.collection<StoredEvent>('events');
}

async function act({ caller }: Running, endpointId: string, verb: 'pause' | 'resume'): Promise<void> {
  expect((await caller.post(`/api/v1/webhooks/endpoints/${endpointId}/${verb}`, {})).status).toBe(200);
}

describe('express, API and worker in one process', () => {
  const running = useFixture('file', () => start('all'), stop);

  it('a first attempt that succeeds completes the delivery without a workflow execution', async () => {
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(receivedIds(receiver)).toEqual([sent.eventId]);
    expect(await hasExecution(running, sent)).toBe(false);
  });

  it('a delivery paused between attempts is held, its execution ends, and it resumes with the next attempt', async () => {
    let endpointId = '';
    receiver.answerWith(async (_request, count) => {
      if (count === 3) await act(running, endpointId, 'pause');
      return count <= 3 ? 503 : 200;
    });
    const type = ownType();
    ({ id: endpointId } = await running.caller.register({ url: receiver.url, events: [type] }));
    const sent = { endpointId, eventId: (await running.caller.ingest({ type })).id };
    const held = await eventually(
      () => destinationOf(running, sent),
      ({ dispatch }) => dispatch === 'held',
    );
    expect(held).toMatchObject({ state: 'retrying', attempt_count: 3, held_for: 'paused', next_attempt_at: null });
    expect(await executionOf(running, sent).result()).toEqual({ state: 'held', reason: 'paused', attempts: 3 });

    await act(running, endpointId, 'resume');

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([
      [1, 503],
      [2, 503],
      [3, 503],
      [4, 200],
    ]);
  });

  it.each([{ ordered: true }, { ordered: true, max_per_second: 100 }])(
    'an endpoint with %j gets a burst of events in their order',
    async (options) => {
      const type = ownType();
      await running.caller.register({ url: receiver.url, events: [type], options });
      await Promise.all(Array.from({ length: 12 }, () => running.caller.ingest({ type })));

      await receiver.waitFor(12);

      expect(receivedIds(receiver)).toEqual(await inOrderOfAcceptance(running, type));
    },
  );

  it('an endpoint with a rate gets each event of a burst once, at the rate', async () => {
    const perSecond = 50;
    const type = ownType();
    await running.caller.register({ url: receiver.url, events: [type], options: { max_per_second: perSecond } });
    const begunAt = Date.now();
    await Promise.all(Array.from({ length: 30 }, () => running.caller.ingest({ type })));

    await receiver.waitFor(30);

    expect(new Set(receivedIds(receiver))).toEqual(new Set(await inOrderOfAcceptance(running, type)));
    // Turns are one interval apart, and no request is earlier than its turn; clocks count whole milliseconds.
    const turnOf = (index: number) => begunAt + (index * 1_000) / perSecond - 2;
    expect(receiver.requests.filter(({ at }, index) => at < turnOf(index))).toEqual([]);
  });

  it('a replay is sent express too', async () => {
    const sent = await send(running);
    await attemptsOf(running, sent, 'delivered');

    await running.caller.post(`/api/v1/webhooks/deliveries/${sent.eventId}.${sent.endpointId}/replay`, {});
    await running.caller.untilDelivery(`${sent.eventId}.${sent.endpointId}`, 'delivered', 2);

    expect(receivedIds(receiver)).toEqual([sent.eventId, sent.eventId]);
    expect(await hasExecution(running, sent, 2)).toBe(false);
  });
});

describe('express, an API alone', () => {
  const running = useFixture('file', () => start('api'), stop);

  it('records a failure, whose next attempt waits for a worker', async () => {
    receiver.answerWith(500);
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'retrying')).toEqual([[1, 500]]);
  });
});

describe.each(['express', 'auto'])('without Temporal, FIRST_ATTEMPT=%s', (mode) => {
  const env = { FIRST_ATTEMPT: mode, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const running = useFixture('file', () => start('all', env), stop);

  it('first attempts are still made', async () => {
    expect(await attemptsOf(running, await send(running), 'delivered')).toEqual([[1, 200]]);
  });

  it('deliveries of a dead process are still sent', async () => {
    const sent = await send(running);
    await attemptsOf(running, sent, 'delivered');
    const unsent = { state: 'pending', dispatch: 'due', attempt_count: 0, claimed_until: new Date(0) };
    const fields = Object.entries(unsent).map(([name, value]) => [`destinations.0.${name}`, value]);
    await running.stack.mongo.db.collection('attempts').deleteMany({ event_id: sent.eventId });
    await eventsOf(running.stack).updateOne(
      { _id: sent.eventId },
      { $set: { ...Object.fromEntries(fields), finished_at: null } },
    );

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(receiver.requests).toHaveLength(2);
  });
});

/** The status and the number of activities of an execution that has ended. */
async function endOf(running: Running, sent: Sent) {
  await running.temporal.connected();
  const execution = executionOf(running, sent);
  const describe = () => execution.describe().catch(() => undefined);
  const ended = await eventually(describe, (found) => found !== undefined && found.status.name !== 'RUNNING');
  const { events } = await execution.fetchHistory();
  const local = events!.filter((event) => event.markerRecordedEventAttributes).length;
  const scheduled = events!.filter((event) => event.activityTaskScheduledEventAttributes).length;
  return { status: ended!.status.name, local, scheduled };
}

describe('auto, API and worker in one process', () => {
  const running = useFixture('file', () => start('all', { FIRST_ATTEMPT: 'auto' }), stop);

  it('an execution shows a delivery that its first attempt finished', async () => {
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(await endOf(running, sent)).toEqual({ status: 'COMPLETED', local: 0, scheduled: 0 });
    expect(await executionOf(running, sent).result()).toEqual({ state: 'delivered', attempts: 1 });
    expect(await hasExecution(running, sent)).toBe(true);
    expect(receivedIds(receiver)).toEqual([sent.eventId]);
  });

  it('an execution shows a delivery whose only attempt failed', async () => {
    receiver.answerWith(503);
    const sent = await send(running, { options: { retry_schedule: [0] } });

    expect(await attemptsOf(running, sent, 'failed')).toEqual([[1, 503]]);
    expect(await endOf(running, sent)).toEqual({ status: 'FAILED', local: 0, scheduled: 0 });
    await expect(executionOf(running, sent).result()).rejects.toMatchObject({
      cause: { message: 'attempt 1 of 1 failed: 503' },
    });
  });

  it('the execution continues after a first attempt that failed, and knows its answer', async () => {
    receiver.answerWith((_request, count) => (count === 1 ? 503 : 200));
    const sent = await send(running);

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([
      [1, 503],
      [2, 200],
    ]);
    expect(await endOf(running, sent)).toEqual({ status: 'COMPLETED', local: 1, scheduled: 0 });
    const { events } = await executionOf(running, sent).fetchHistory();
    const [input] = events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
    expect(JSON.parse(Buffer.from(input!.data!).toString())).toMatchObject({
      firstAttempt: 2,
      last: { number: 1, succeeded: false, statusCode: 503 },
    });
  });
});

describe('auto above EXECUTIONS_PER_SECOND', () => {
  const env = { FIRST_ATTEMPT: 'auto', EXECUTIONS_PER_SECOND: '1' };
  const running = useFixture('file', () => start('all', env), stop);

  it('first attempts finish deliveries without executions', async () => {
    const burst = await Promise.all(Array.from({ length: 20 }, () => send(running)));
    const last = await send(running);

    for (const sent of [...burst, last]) expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(await hasExecution(running, last)).toBe(false);
  });
});

describe('workflow, API and worker in one process', () => {
  const running = useFixture('file', () => start('all', { FIRST_ATTEMPT: 'workflow' }), stop);

  it('the first attempt is claimed by the insert, and made when the execution exists', async () => {
    const answer = holdAnswers(receiver);
    const sent = await send(running);
    await receiver.waitFor(1);

    expect((await executionOf(running, sent).describe()).status.name).toBe('RUNNING');
    expect(await destinationOf(running, sent)).toMatchObject({ claimed_by: expect.any(String) });
    answer();

    expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
    expect(await hasExecution(running, sent)).toBe(true);
    expect(await endOf(running, sent)).toEqual({ status: 'COMPLETED', local: 1, scheduled: 0 });
    expect(receivedIds(receiver)).toEqual([sent.eventId]);
  });

  it('each delivery of a burst is sent once and has its execution', async () => {
    const burst = await Promise.all(Array.from({ length: 30 }, () => send(running)));

    for (const sent of burst) {
      expect(await attemptsOf(running, sent, 'delivered')).toEqual([[1, 200]]);
      expect(await executionOf(running, sent).result()).toEqual({ state: 'delivered', attempts: 1 });
    }
    expect(receivedIds(receiver)).toHaveLength(burst.length);
    expect(new Set(receivedIds(receiver))).toEqual(new Set(burst.map(({ eventId }) => eventId)));
  });
});

describe('workflow, an API alone', () => {
  const running = useFixture('file', () => start('api', { FIRST_ATTEMPT: 'workflow' }), stop);

  it('claims nothing and sends nothing: a worker does', async () => {
    const sent = await send(running);

    const started = await eventually(
      () => destinationOf(running, sent),
      ({ dispatch }) => dispatch === 'done',
    );
    expect(started).not.toHaveProperty('claimed_by');
    expect(receiver.requests).toEqual([]);
  });
});

describe('workflow, without Temporal', () => {
  const env = { FIRST_ATTEMPT: 'workflow', TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const running = useFixture('file', () => start('all', env), stop);

  it('nothing is sent, and the claim is released, so that the delivery starts as soon as Temporal is back', async () => {
    const sent = await send(running);

    const released = await eventually(
      () => destinationOf(running, sent),
      ({ claimed_until: until }) => until === null,
    );
    expect(released).toMatchObject({ state: 'pending', dispatch: 'due', claimed_by: expect.any(String) });
    expect(receiver.requests).toEqual([]);
  });
});

describe('a process that stops', () => {
  it('waits until the request under way is answered and its answer is recorded', async () => {
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
