import { RETRY_NOW_SIGNAL, type DeliveryRef } from '../../src/domain/delivery-contract';
import { BEGINNING_OF_OVERDUE, newBacklogCursor } from '../../src/stores/dispatch-store';
import { SWEEPER_TIMING } from '../../src/engine/sweeper';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, receivedIds, useDataPath } from '../support/build-data-path';

// Rule 6: the sweeper starts what was promised and not started; the reconciler restarts what lost its workflow.

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,1h,1h,1h,1h' } });
const receiver = useReceiver();

beforeAll(() => path.worker());

beforeEach(() => path.endpoint(receiver.url, 'order.created'));

// A sweep looks at everything there is.
afterEach(() => path.clear());

/** What time does to a delivery whose next attempt is an hour away. */
async function makeOverdue(ref: DeliveryRef): Promise<void> {
  await path.events.updateOne(
    { _id: ref.eventId },
    { $set: { 'destinations.0.next_attempt_at': new Date(Date.now() - 1_000) } },
  );
}

async function failedTwice(): Promise<DeliveryRef> {
  receiver.answerWith(503);
  const { ref } = await path.send();
  await path.untilAttempts(ref, 1);
  await path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 2);
  await path.untilAttempts(ref, 2);
  return ref;
}

it('an event whose process died before starting its delivery is started and delivered', async () => {
  const { ref } = await path.promise();

  await path.sweepUntil(ref, { state: 'delivered' });

  expect(receiver.requests).toHaveLength(1);
  expect((await path.destination(ref)).dispatch).toBe('done');
});

it('an event accepted a moment ago is left to its own process', async () => {
  const { ref } = await path.promise();

  expect(await path.sweep(SWEEPER_TIMING)).toBe(0);

  expect((await path.destination(ref)).dispatch).toBe('due');
});

it('a delivery that was started but not marked so is marked, and not started twice', async () => {
  receiver.answerWith(503);
  const { ref } = await path.send();
  await path.untilAttempts(ref, 1);
  const { runId } = await path.handleOf(ref).describe();
  await path.events.updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.dispatch': 'due' } });

  await path.sweepUntil(ref, { dispatch: 'done' }, { overdueMs: 60_000 });

  expect((await path.handleOf(ref).describe()).runId).toBe(runId);
  expect(receiver.requests).toHaveLength(1);
});

it('a process waiting to start a delivery learns that another process started it, or that it is finished or gone', async () => {
  const { deliveries } = path.parts.stores;
  const [first, second] = [await path.promise(), await path.promise()];
  expect(await deliveries.isDue(first.ref)).toBe(true);

  await path.parts.executions.start(first.starts[0]!);
  await deliveries.cancel(second.ref);

  expect(await deliveries.isDue(first.ref)).toBe(false);
  expect(await deliveries.isDue(second.ref)).toBe(false);
  expect(await deliveries.isDue({ ...first.ref, run: 2 })).toBe(false);
  expect(await deliveries.isDue({ ...first.ref, eventId: 999_999_999 })).toBe(false);
});

it('two sweepers at once start thirty deliveries once each', async () => {
  const promised = await Promise.all(Array.from({ length: 30 }, () => path.promise()));
  // No lease between them: as after a sweep that took longer than its lease.
  const dispatch = { ...path.parts.stores.dispatch, holdLease: () => Promise.resolve(true) };
  const sweep = (owner: string) => path.sweep({ overdueMs: 60_000 }, { dispatch, owner });

  await eventually(
    async () => {
      await Promise.all([sweep('one'), sweep('another')]);
      return receiver.requests.length;
    },
    (count) => count >= 30,
  );
  await Promise.all(promised.map(({ ref }) => path.untilState(ref, 'delivered')));

  expect(receiver.requests).toHaveLength(30);
  expect(new Set(receivedIds(receiver)).size).toBe(30);
  expect(await path.history(promised.at(-1)!.id)).toHaveLength(1);
});

it('only one of two sweepers works at a time; the other takes over when the first is gone', async () => {
  const { dispatch } = path.parts.stores;

  expect(await dispatch.holdLease('sweeper', 'one', 300)).toBe(true);
  expect(await dispatch.holdLease('sweeper', 'another', 300)).toBe(false);
  expect(await dispatch.holdLease('sweeper', 'one', 300)).toBe(true);

  expect(await eventually(() => dispatch.holdLease('sweeper', 'another', 300), Boolean)).toBe(true);
  expect(await dispatch.holdLease('sweeper', 'one', 300)).toBe(false);
});

it('of many concurrent requests for a new lease, one gets it', async () => {
  const { dispatch } = path.parts.stores;
  const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);

  const results = await Promise.allSettled(owners.map((owner) => dispatch.holdLease('contended', owner, 60_000)));

  expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1);
  expect(results.filter((result) => result.status === 'rejected')).toEqual([]);
});

it('after Temporal was replaced by an empty one, an unfinished delivery resumes from its recorded attempt', async () => {
  const ref = await failedTwice();
  await makeOverdue(ref);
  const wiped = await buildDataPath({ of: path, env: { RETRY_SCHEDULE: '0s,1h,1h,1h,1h' } });
  try {
    receiver.answerWith(200);
    await wiped.worker();

    await wiped.sweepUntil(ref, { state: 'delivered' });

    expect((await path.history(ref.eventId)).map(({ number, answer }) => `${number}: ${answer.status_code}`)).toEqual([
      '1: 503',
      '2: 503',
      '3: 200',
    ]);
    expect(receiver.requests).toHaveLength(3);
    expect(await wiped.handleOf(ref).result()).toEqual({ state: 'delivered', attempts: 3 });
  } finally {
    await wiped.close();
  }
});

it('after Temporal was replaced by an empty one, a waiting delivery waits only for the rest of its delay', async () => {
  const ref = await failedTwice();
  await path.events.updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.dispatch': 'due' } });
  const wiped = await buildDataPath({ of: path });
  try {
    await wiped.sweepUntil(ref, { dispatch: 'done' });

    const { events: history } = await wiped.handleOf(ref).fetchHistory();
    const [input] = history![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
    const { firstAttempt, firstDelayMs } = JSON.parse(Buffer.from(input!.data!).toString());
    expect(firstAttempt).toBe(3);
    expect(firstDelayMs).toBeGreaterThan(59 * 60_000);
    expect(firstDelayMs).toBeLessThanOrEqual(60 * 60_000);
  } finally {
    await wiped.close();
  }
});

it('an overdue delivery whose workflow is running is left alone', async () => {
  const ref = await failedTwice();
  await makeOverdue(ref);

  expect(await path.sweep()).toBe(1);

  expect(receiver.requests).toHaveLength(2);
  expect(await path.destination(ref)).toMatchObject({ state: 'retrying', attempt_count: 2 });
});

it('a delivery that ends while the sweeper looks at it is not started again (regression)', async () => {
  const { ref } = await path.send();
  const found = await path.events.findOne({ _id: ref.eventId });
  await path.untilState(ref, 'delivered');
  await path.handleOf(ref).result();
  // What was read a moment ago: overdue, and without an answer.
  const [destination] = found!.destinations;
  const due = {
    event: found!,
    destination: { ...destination!, dispatch: 'done', state: 'pending', attempt_count: 0 } as const,
  };
  const started: DeliveryRef[] = [];
  const { dispatch } = path.parts.stores;

  await path.sweep(undefined, {
    dispatch: { ...dispatch, findDue: async () => [], findOverdue: async () => ({ found: [due], next: null }) },
    executions: { start: async ({ ref: other }) => started.push(other) > 0 },
  });

  expect(started).toEqual([]);
});

it("the sweeper doesn't ask Temporal about deliveries that are not overdue", async () => {
  const ref = await failedTwice();
  await path.handleOf(ref).terminate('by hand');

  expect(await path.sweep()).toBe(0);

  expect((await path.destination(ref)).state).toBe('retrying');
});

it('a schedule that was shortened meanwhile still leaves one attempt, with its own number', async () => {
  const ref = await failedTwice();
  await makeOverdue(ref);
  const wiped = await buildDataPath({ of: path, env: { RETRY_SCHEDULE: '0s' } });
  try {
    await wiped.worker();

    await wiped.sweepUntil(ref, { state: 'failed' });

    expect((await path.history(ref.eventId)).map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(receiver.requests).toHaveLength(3);
    await eventually(
      () => wiped.handleOf(ref).describe(),
      ({ status }) => status.name === 'FAILED',
    );
    // And that is the end of it.
    expect(await wiped.sweep()).toBe(0);
  } finally {
    await wiped.close();
  }
});

it('finished deliveries are neither started nor checked', async () => {
  const { ref } = await path.promise();
  const { ref: cancelled } = await path.promise();
  await path.executor().attemptDelivery(buildAttempt(ref));
  await path.parts.stores.deliveries.cancel(cancelled);

  const { dispatch } = path.parts.stores;
  const later = new Date(Date.now() + 3_600_000);

  expect(await dispatch.findDue(later, later, 10, newBacklogCursor())).toEqual([]);
  expect(await dispatch.findOverdue(BEGINNING_OF_OVERDUE, later, 10)).toEqual({ found: [], next: null });
  // Not even in the index: deliveries that need no start cost a pass nothing.
  expect(await path.events.countDocuments({ 'destinations.dispatch': { $ne: 'done' } })).toBe(0);
});

it("one account's backlog doesn't delay another account's deliveries", async () => {
  const { dispatch } = path.parts.stores;
  const noisy: number[] = [];
  for (let count = 0; count < 5; count += 1) noisy.push((await path.promise()).id);
  const { id } = await path.promise();
  await path.events.updateOne({ _id: id }, { $set: { account_id: 'acc_quiet' } });
  const later = new Date(Date.now() + 3_600_000);

  const found = async () => (await dispatch.findDue(later, later, 4, place)).map(({ event }) => event._id);
  const place = newBacklogCursor();

  const first = await found();
  expect(new Set(first)).toEqual(new Set([...noisy.slice(0, 2), id]));
  // What can't be started yet hides nothing that is behind it.
  expect(await found()).toEqual(expect.arrayContaining(noisy.slice(2, 4)));
  expect(await found()).toEqual(expect.arrayContaining(noisy.slice(4)));
  expect(new Set(await found())).toEqual(new Set(first));
});
