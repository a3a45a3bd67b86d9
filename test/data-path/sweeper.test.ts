import { deliveryWorkflowId, type DeliveryRef } from '../../src/domain/delivery-contract';
import { beginningOfBacklog } from '../../src/dispatch/store';
import { createSweeper, SWEEPER_TIMING, sweepOnce, type SweeperTiming } from '../../src/dispatch/sweeper';
import type { DeliveryStart } from '../../src/dispatch/start-delivery';
import type { StoredEvent } from '../../src/events/store';
import { createLogger } from '../../src/platform/logger';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 6: the sweeper starts what was promised and not started; the reconciler restarts what lost its workflow.

/** As in production, but nothing is too young. */
const IMPATIENT: SweeperTiming = { ...SWEEPER_TIMING, startGraceMs: 0, overdueMs: 0, recheckMs: 0 };

let path: DataPath;
let receiver: Receiver;

beforeAll(async () => {
  path = await buildDataPath({ env: { RETRY_SCHEDULE: '0s,100ms,1h,1h,1h' } });
  await path.worker();
});

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
  await path.endpoint(receiver.url, 'order.created');
});

afterEach(async () => {
  await receiver.close();
  // A sweep looks at everything there is.
  const collections = ['events', 'attempts', 'endpoints', 'leases'].map((name) => path.mongo.db.collection(name));
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
});

function sweeperOf(of: DataPath, owner = 'sweeper') {
  const { stores, starter, wakeNext } = of.parts;
  const startSoon = (delivery: DeliveryStart): boolean => {
    starter.start(delivery).catch(() => undefined);
    return true;
  };
  return { ...stores, startSoon, starter, wakeNext, temporal: of.temporal, logger: createLogger('silent'), owner };
}

/** Sweeps until it is right; MongoDB's clock of acceptance counts whole seconds. */
function sweepUntil(of: DataPath, ref: DeliveryRef, isRight: (state: string, attempts: number) => boolean) {
  return eventually(
    async () => {
      await sweepOnce(sweeperOf(of), IMPATIENT);
      return of.destination(ref);
    },
    ({ state, attempt_count: attempts }) => isRight(state, attempts),
  );
}

function handleOf(of: DataPath, ref: DeliveryRef) {
  return of.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));
}

/** What time does to a delivery whose next attempt is an hour away. */
async function makeOverdue(ref: DeliveryRef): Promise<void> {
  await path.mongo.db
    .collection<StoredEvent>('events')
    .updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.next_attempt_at': new Date(Date.now() - 1_000) } });
}

async function failedTwice(): Promise<DeliveryRef> {
  receiver.answerWith(503);
  const { ref } = await path.send();
  await eventually(
    () => path.destination(ref),
    ({ attempt_count: count }) => count === 2,
  );
  return ref;
}

test('what an API process promised and did not start, because it died, is started and delivered', async () => {
  const { ref } = await path.promise();

  await sweepUntil(path, ref, (state) => state === 'delivered');

  expect(receiver.requests).toHaveLength(1);
  expect((await path.destination(ref)).started).toBe(true);
});

test('a promise that is a moment old is left to the process that made it', async () => {
  const { ref } = await path.promise();

  expect(await sweepOnce(sweeperOf(path), SWEEPER_TIMING)).toBe(0);

  expect((await path.destination(ref)).started).toBe(false);
});

test('a delivery whose start was made but not noted is noted, and not sent twice', async () => {
  const { ref, starts } = await path.promise();
  await path.parts.starter.start(starts[0]!);
  await eventually(
    () => path.destination(ref),
    ({ state }) => state === 'delivered',
  );
  const events = path.mongo.db.collection<StoredEvent>('events');
  // Unfinished and not started: as far as the record goes, nothing has happened.
  await events.updateOne(
    { _id: ref.eventId },
    { $set: { 'destinations.0.started': false, 'destinations.0.state': 'pending' } },
  );

  await eventually(
    async () => {
      await sweepOnce(sweeperOf(path), { ...IMPATIENT, overdueMs: 60_000 });
      return path.destination(ref);
    },
    ({ started }) => started,
  );

  expect(receiver.requests).toHaveLength(1);
});

test('who has waited to start a delivery learns whether another process did, or whether it is finished or gone', async () => {
  const { deliveries } = path.parts.stores;
  const [first, second] = [await path.promise(), await path.promise()];
  expect(await deliveries.awaitsStart(first.ref)).toBe(true);

  await path.parts.starter.start(first.starts[0]!);
  await deliveries.cancel(second.ref);

  expect(await deliveries.awaitsStart(first.ref)).toBe(false);
  expect(await deliveries.awaitsStart(second.ref)).toBe(false);
  expect(await deliveries.awaitsStart({ ...first.ref, run: 2 })).toBe(false);
  expect(await deliveries.awaitsStart({ ...first.ref, eventId: 999_999_999 })).toBe(false);
});

test('two sweepers at once start thirty deliveries once each', async () => {
  const promised = await Promise.all(Array.from({ length: 30 }, () => path.promise()));
  const last = promised.at(-1)!.ref;
  // No lease between them: as after a sweep that took longer than its lease.
  const sweepers = ['one', 'another'].map((owner) => {
    const deps = sweeperOf(path, owner);
    return { ...deps, dispatch: { ...deps.dispatch, holdLease: () => Promise.resolve(true) } };
  });

  await eventually(
    async () => {
      await Promise.all(sweepers.map((deps) => sweepOnce(deps, { ...IMPATIENT, overdueMs: 60_000 })));
      return receiver.requests.length;
    },
    (count) => count >= 30,
  );
  await eventually(
    () => Promise.all(promised.map(({ ref }) => path.destination(ref))),
    (destinations) => destinations.every(({ state }) => state === 'delivered'),
  );

  expect(receiver.requests).toHaveLength(30);
  expect(new Set(receiver.requests.map(({ body }) => JSON.parse(body.toString()).id)).size).toBe(30);
  expect(await path.history(last.eventId)).toHaveLength(1);
});

test('only one of two sweepers sweeps at a time; the other takes over when the first is gone', async () => {
  const { dispatch } = path.parts.stores;

  expect(await dispatch.holdLease('sweeper', 'one', 300)).toBe(true);
  expect(await dispatch.holdLease('sweeper', 'another', 300)).toBe(false);
  expect(await dispatch.holdLease('sweeper', 'one', 300)).toBe(true);

  expect(await eventually(() => dispatch.holdLease('sweeper', 'another', 300), Boolean)).toBe(true);
  expect(await dispatch.holdLease('sweeper', 'one', 300)).toBe(false);
});

test('of many that ask for a new lease at once, one gets it', async () => {
  const { dispatch } = path.parts.stores;
  const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);

  const results = await Promise.allSettled(owners.map((owner) => dispatch.holdLease('contended', owner, 60_000)));

  expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1);
  expect(results.filter((result) => result.status === 'rejected')).toEqual([]);
});

test('a new, empty Temporal: an unfinished delivery goes on from its recorded attempt', async () => {
  const ref = await failedTwice();
  await makeOverdue(ref);
  const wiped = await buildDataPath({ of: path, env: { RETRY_SCHEDULE: '0s,100ms,1h,1h,1h' } });
  try {
    receiver.answerWith(200);
    await wiped.worker();

    await sweepUntil(wiped, ref, (state) => state === 'delivered');

    expect((await path.history(ref.eventId)).map(({ number, answer }) => `${number}: ${answer.status_code}`)).toEqual([
      '1: 503',
      '2: 503',
      '3: 200',
    ]);
    expect(receiver.requests).toHaveLength(3);
    expect(await handleOf(wiped, ref).result()).toEqual({ state: 'delivered', attempts: 3 });
  } finally {
    await wiped.close();
  }
});

test('a new, empty Temporal: a delivery that waits is left to wait for what is left of its time', async () => {
  const ref = await failedTwice();
  const events = path.mongo.db.collection<StoredEvent>('events');
  await events.updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.started': false } });
  const wiped = await buildDataPath({ of: path });
  try {
    await eventually(
      async () => {
        await sweepOnce(sweeperOf(wiped), IMPATIENT);
        return path.destination(ref);
      },
      ({ started }) => started,
    );

    const { events: history } = await handleOf(wiped, ref).fetchHistory();
    const [input] = history![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
    const { firstAttempt, firstDelayMs } = JSON.parse(Buffer.from(input!.data!).toString());
    expect(firstAttempt).toBe(3);
    expect(firstDelayMs).toBeGreaterThan(59 * 60_000);
    expect(firstDelayMs).toBeLessThanOrEqual(60 * 60_000);
  } finally {
    await wiped.close();
  }
});

test("Temporal's store lost an execution: the delivery goes on under the same id, from its recorded attempt", async () => {
  const ref = await failedTwice();
  await path.temporal.client()!.workflowService.deleteWorkflowExecution({
    namespace: path.temporal.namespace,
    workflowExecution: { workflowId: deliveryWorkflowId(ref) },
  });
  await eventually(
    () =>
      handleOf(path, ref)
        .describe()
        .then(
          () => 'there',
          () => 'gone',
        ),
    (it) => it === 'gone',
  );
  await makeOverdue(ref);
  receiver.answerWith(200);

  await sweepUntil(path, ref, (state) => state === 'delivered');

  expect((await path.history(ref.eventId)).map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(receiver.requests).toHaveLength(3);
});

test('an execution that somebody terminated in the Web UI is recorded as cancelled, and not started again', async () => {
  const ref = await failedTwice();
  await handleOf(path, ref).terminate('by hand');
  await makeOverdue(ref);

  await sweepUntil(path, ref, (state) => state === 'cancelled');
  await sweepOnce(sweeperOf(path), IMPATIENT);

  expect(receiver.requests).toHaveLength(2);
  expect((await handleOf(path, ref).describe()).status.name).toBe('TERMINATED');
});

test('an overdue delivery whose workflow runs is left alone, and not asked about again for a while', async () => {
  const ref = await failedTwice();
  await makeOverdue(ref);
  const timing = { ...IMPATIENT, recheckMs: 60_000 };

  expect(await sweepOnce(sweeperOf(path), timing)).toBe(1);
  // The majority's view follows the write by a moment.
  await eventually(
    () => sweepOnce(sweeperOf(path), timing),
    (found) => found === 0,
  );

  expect(receiver.requests).toHaveLength(2);
  expect(await path.destination(ref)).toMatchObject({ state: 'retrying', attempt_count: 2 });
});

test('a delivery that comes to its end while the sweeper looks at it is not started again (regression)', async () => {
  const { ref } = await path.send();
  const found = await path.mongo.db.collection<StoredEvent>('events').findOne({ _id: ref.eventId });
  await eventually(
    () => path.destination(ref),
    ({ state }) => state === 'delivered',
  );
  await handleOf(path, ref).result();
  // What was read a moment ago: overdue, and without an answer.
  const [destination] = found!.destinations;
  const due = {
    event: found!,
    destination: { ...destination!, started: true, state: 'pending', attempt_count: 0 } as const,
  };
  const started: DeliveryRef[] = [];
  const sweeper = sweeperOf(path);

  await sweepOnce(
    {
      ...sweeper,
      dispatch: { ...sweeper.dispatch, findUnstarted: async () => [], takeOverdue: async () => [due] },
      starter: { start: async ({ ref: other }) => void started.push(other) },
    },
    IMPATIENT,
  );

  expect(started).toEqual([]);
});

test('a delivery that is not overdue yet is not asked about', async () => {
  const ref = await failedTwice();
  await handleOf(path, ref).terminate('by hand');

  expect(await sweepOnce(sweeperOf(path), { ...IMPATIENT, overdueMs: 0 })).toBe(0);

  expect((await path.destination(ref)).state).toBe('retrying');
});

test('a schedule that was shortened meanwhile still leaves one attempt, with a number of its own', async () => {
  const ref = await failedTwice();
  await makeOverdue(ref);
  const wiped = await buildDataPath({ of: path, env: { RETRY_SCHEDULE: '0s' } });
  try {
    await wiped.worker();

    await sweepUntil(wiped, ref, (state) => state === 'failed');

    expect((await path.history(ref.eventId)).map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(receiver.requests).toHaveLength(3);
    await eventually(
      () => handleOf(wiped, ref).describe(),
      ({ status }) => status.name === 'FAILED',
    );
    // And that is the end of it.
    expect(await sweepOnce(sweeperOf(wiped), IMPATIENT)).toBe(0);
  } finally {
    await wiped.close();
  }
});

test("finished deliveries are nobody's business any more", async () => {
  const { ref } = await path.promise();
  await path.executor().attemptDelivery(buildAttempt(ref));
  const events = path.mongo.db.collection<StoredEvent>('events');
  await events.updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.started': false } });

  const { dispatch } = path.parts.stores;
  const later = new Date(Date.now() + 3_600_000);

  expect(await dispatch.findUnstarted(later, 10, beginningOfBacklog())).toEqual([]);
  expect(await dispatch.takeOverdue(later, 3_600_000, later, 10)).toEqual([]);
});

test("what one account left behind does not hold up another account's", async () => {
  const { dispatch } = path.parts.stores;
  const events = path.mongo.db.collection<StoredEvent>('events');
  await events.deleteMany({});
  const noisy: number[] = [];
  for (let count = 0; count < 5; count += 1) noisy.push((await path.promise()).id);
  const { id } = await path.promise();
  await events.updateOne({ _id: id }, { $set: { account_id: 'acc_quiet' } });
  const later = new Date(Date.now() + 3_600_000);

  const found = async () => (await dispatch.findUnstarted(later, 4, place)).map(({ event }) => event._id);
  const place = beginningOfBacklog();

  const first = await found();
  expect(first.toSorted((one, other) => one - other)).toEqual([...noisy.slice(0, 2), id]);
  // What can't be started yet hides nothing that is behind it.
  expect(await found()).toEqual(expect.arrayContaining(noisy.slice(2, 4)));
  expect(await found()).toEqual(expect.arrayContaining(noisy.slice(4)));
  expect((await found()).toSorted((one, other) => one - other)).toEqual(first.toSorted((one, other) => one - other));
});

test('of very many accounts each has its turn', async () => {
  const { dispatch } = path.parts.stores;
  const events = path.mongo.db.collection<StoredEvent>('events');
  await events.deleteMany({});
  const ids = await Promise.all(Array.from({ length: 50 }, async () => (await path.promise()).id));
  await Promise.all(ids.map((id) => events.updateOne({ _id: id }, { $set: { account_id: `acc_${id}` } })));
  const later = new Date(Date.now() + 3_600_000);
  const place = beginningOfBacklog();

  const seen = new Set<number>();
  for (let pass = 0; pass < 3; pass += 1) {
    for (const { event } of await dispatch.findUnstarted(later, 500, place)) seen.add(event._id);
  }

  expect(seen).toEqual(new Set(ids));
});

test('the running sweeper goes on after a pass that failed', async () => {
  const { ref } = await path.promise();
  const deps = sweeperOf(path);
  let calls = 0;
  const findUnstarted: typeof deps.dispatch.findUnstarted = (...args) => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('MongoDB is away')) : deps.dispatch.findUnstarted(...args);
  };
  const timing = { ...IMPATIENT, intervalMs: 50, overdueMs: 60_000 };
  const sweeper = createSweeper({ ...deps, dispatch: { ...deps.dispatch, findUnstarted }, timing });
  try {
    await eventually(
      () => path.destination(ref),
      ({ state }) => state === 'delivered',
    );
    expect(calls).toBeGreaterThan(1);
  } finally {
    await sweeper.close();
  }
});
