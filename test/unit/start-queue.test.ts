import type { DeliveryStart } from '../../src/dispatch/start-delivery';
import { createStartQueue } from '../../src/dispatch/start-queue';
import { createLogger } from '../../src/platform/logger';

/** A starter whose starts end when the test says so. */
function buildStarter() {
  const underWay: { delivery: DeliveryStart; succeed(): void; fail(error: Error): void }[] = [];
  const started: DeliveryStart[] = [];
  const start = (delivery: DeliveryStart): Promise<void> =>
    new Promise((resolve, reject) => {
      started.push(delivery);
      underWay.push({ delivery, succeed: resolve, fail: reject });
    });
  return { underWay, started, starter: { start } };
}

function buildStart(accountId: string, eventId: number, endpointId = 'ep_test'): DeliveryStart {
  return {
    ref: { eventId, endpointId, run: 1 },
    accountId,
    eventType: 'order.created',
    url: 'https://example.com/hook',
    firstAttempt: 1,
    firstDelayMs: 0,
    restart: false,
  };
}

const logger = createLogger('silent');

// The queue rests for seconds: the test moves its clock.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));

afterEach(() => jest.useRealTimers());

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/**
 * @param hanging endpoints whose deliveries keep out of the way; a test may add some as it goes
 * @param startedElsewhere events that another process started; a test may add some as it goes
 */
function buildQueue(
  { starter }: ReturnType<typeof buildStarter>,
  hanging: ReadonlySet<string> = new Set(),
  startedElsewhere: ReadonlySet<number> = new Set(),
) {
  return createStartQueue({
    starter,
    awaitsStart: ({ eventId }) => Promise.resolve(!startedElsewhere.has(eventId)),
    hangs: (endpointId) => hanging.has(endpointId),
    logger,
  });
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Ends every start under way until nothing is left. */
async function drain(starts: ReturnType<typeof buildStarter>): Promise<void> {
  for (let next = starts.underWay.shift(); next; next = starts.underWay.shift()) {
    next.succeed();
    await settle();
  }
}

/** As `drain`, through the rests of the lane for those that hang. */
async function drainAll(
  starts: ReturnType<typeof buildStarter>,
  queue: ReturnType<typeof createStartQueue>,
): Promise<void> {
  while (queue.size().usual + queue.size().hanging > 0 || starts.underWay.length > 0) {
    await drain(starts);
    await pass(1);
  }
}

it('every delivery is started once', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);

  for (let id = 1; id <= 200; id += 1) queue.enqueue(buildStart('one', id));
  await drain(starts);

  expect(starts.started.map(({ ref }) => ref.eventId)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(queue.size().usual).toBe(0);
});

it('only so many starts are under way at a time; the others wait', () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);

  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  expect(starts.underWay.length).toBeGreaterThanOrEqual(10);
  expect(starts.underWay.length).toBeLessThanOrEqual(50);
  expect(queue.size().usual).toBe(100 - starts.underWay.length);
});

it('a quiet account does not wait behind a noisy one', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  for (let id = 1; id <= 1_000; id += 1) queue.enqueue(buildStart('noisy', id));

  for (let id = 2_001; id <= 2_003; id += 1) queue.enqueue(buildStart('quiet', id));
  const before = starts.started.length;
  await drain(starts);

  const order = starts.started.slice(before).map(({ accountId }) => accountId);
  // In turn: one of each, for as long as both have some.
  expect(order.slice(0, 6).filter((accountId) => accountId === 'quiet')).toHaveLength(3);
  expect(order).toHaveLength(1_003 - before);
});

it('after a failed start the queue rests, and then goes on with what waits; the failed one is left to the sweeper', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  starts.underWay.shift()!.fail(new Error('Temporal is away'));
  await settle();

  const before = starts.started.length;
  queue.enqueue(buildStart('one', 101));
  starts.underWay.shift()!.succeed();
  await pass(990);
  expect(starts.started).toHaveLength(before);

  await pass(10);
  await drain(starts);
  const ids = starts.started.map(({ ref }) => ref.eventId);
  expect(ids).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
});

it('the queue is bounded: what does not fit is left to the sweeper', () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);

  for (let id = 1; id <= 25_000; id += 1) queue.enqueue(buildStart('one', id));

  expect(queue.size().usual).toBe(20_000);
});

it('a noisy account that fills it does not push a quiet one out', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  for (let id = 1; id <= 25_000; id += 1) queue.enqueue(buildStart('noisy', id));

  queue.enqueue(buildStart('quiet', 30_001));
  const before = starts.started.length;
  expect(queue.size().usual).toBe(20_000);
  for (let turn = 0; turn < 2; turn += 1) {
    starts.underWay.shift()!.succeed();
    await settle();
  }

  expect(starts.started.slice(before).map(({ accountId }) => accountId)).toContain('quiet');
});

it('a delivery that waits already, or is being started, is not taken a second time', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  for (let id = 1; id <= 100; id += 1) expect(queue.enqueue(buildStart('one', id))).toBe(false);
  await drain(starts);

  expect(starts.started).toHaveLength(100);
  // Should its start have failed, a later sweep brings it again.
  expect(queue.enqueue(buildStart('one', 1))).toBe(true);
});

it('what finds the queue full is refused, and taken when there is room again', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  for (let id = 1; id <= 25_000; id += 1) queue.enqueue(buildStart('noisy', id));

  expect(queue.enqueue(buildStart('noisy', 22_000))).toBe(false);
  starts.underWay.shift()!.succeed();
  await settle();
  expect(queue.enqueue(buildStart('noisy', 22_000))).toBe(true);
});

it('what waits for a destination that hangs is started two at a time, beside those for quick ones', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts, new Set(Array.from({ length: 100 }, (_, index) => `ep_hanging_${index + 1}`)));

  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('noisy', id, `ep_hanging_${id}`));
  expect(starts.underWay).toHaveLength(2);
  for (let id = 1_001; id <= 1_010; id += 1) queue.enqueue(buildStart('quiet', id));
  expect(starts.underWay).toHaveLength(12);

  await drainAll(starts, queue);
  expect(starts.started).toHaveLength(110);
});

it('a start for a destination that hangs is followed by a rest as long as it took', async () => {
  const starts = buildStarter();
  const endpointIds = Array.from({ length: 10 }, (_, index) => `ep_hanging_${index}`);
  const queue = buildQueue(starts, new Set(endpointIds));
  endpointIds.forEach((endpointId, index) => queue.enqueue(buildStart('noisy', index, endpointId)));

  await pass(100);
  starts.underWay.splice(0).forEach(({ succeed }) => succeed());
  await pass(99);
  expect(starts.started).toHaveLength(2);
  await pass(1);
  expect(starts.started).toHaveLength(4);
});

it('a destination that begins to hang while thousands wait for it lets the others pass from then on', async () => {
  const starts = buildStarter();
  const hanging = new Set<string>();
  const queue = buildQueue(starts, hanging);
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('noisy', id, 'ep_begins_to_hang'));
  const before = starts.started.length;

  hanging.add('ep_begins_to_hang');
  for (let id = 1_001; id <= 1_005; id += 1) queue.enqueue(buildStart('noisy', id));
  starts.underWay.splice(0).forEach(({ succeed }) => succeed());
  await settle();

  const next = starts.started.slice(before).map(({ ref }) => ref.endpointId);
  expect(next.filter((endpointId) => endpointId === 'ep_test')).toHaveLength(5);
  expect(next.filter((endpointId) => endpointId === 'ep_begins_to_hang')).toHaveLength(1);
});

it('each destination that hangs gets one start in two seconds, however many wait for it', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts, new Set(['ep_one', 'ep_other']));
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('noisy', id, 'ep_one'));
  queue.enqueue(buildStart('noisy', 101, 'ep_other'));

  expect(starts.started.map(({ ref }) => ref.eventId)).toEqual([1, 101]);
  // Also when its only delivery was started meanwhile.
  queue.enqueue(buildStart('noisy', 102, 'ep_other'));
  await drain(starts);
  await pass(1_990);
  expect(starts.started).toHaveLength(2);
  await pass(10);

  expect(starts.started.slice(2).map(({ ref }) => ref.eventId)).toEqual([2, 102]);
});

it('a destination that answers again has everything started that waits for it', async () => {
  const starts = buildStarter();
  const hanging = new Set(['ep_one', 'ep_other']);
  const queue = buildQueue(starts, hanging);
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('noisy', id, 'ep_one'));
  for (let id = 101; id <= 200; id += 1) queue.enqueue(buildStart('noisy', id, 'ep_other'));

  hanging.delete('ep_one');
  await pass(250);
  await drain(starts);

  const started = starts.started.map(({ ref }) => ref.eventId);
  expect(new Set(started.filter((id) => id <= 100)).size).toBe(100);
  expect(started.filter((id) => id > 100).length).toBeLessThan(3);
});

it('close takes nothing more and waits for what is under way', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));
  const before = starts.started.length;

  let closed = false;
  const closing = queue.close().then(() => (closed = true));
  queue.enqueue(buildStart('one', 101));
  await settle();
  expect(closed).toBe(false);
  for (const { succeed } of starts.underWay) succeed();
  await closing;

  expect(starts.started).toHaveLength(before);
  expect(queue.size().usual).toBe(0);
});

it('while many ingests are under way starts step back, and go on when they are through', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  let finish = (): void => undefined;
  const busy = new Promise<void>((resolve) => (finish = resolve));
  const ingests = Array.from({ length: 20 }, () => queue.accepting(() => busy));

  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));
  const whileBusy = starts.underWay.length;
  finish();
  await Promise.all(ingests);

  expect(whileBusy).toBeGreaterThan(0);
  expect(starts.underWay.length).toBeGreaterThan(2 * whileBusy);
});

it('an ingest that fails is counted out all the same', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts);
  const failing = Array.from({ length: 20 }, () => queue.accepting(() => Promise.reject(new Error('MongoDB is away'))));
  await Promise.allSettled(failing);

  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  expect(starts.underWay.length).toBeGreaterThan(2);
});

it('what another process started while it waited for seconds is not started again', async () => {
  const starts = buildStarter();
  const queue = buildQueue(starts, new Set(), new Set([1, 49]));
  for (let id = 1; id <= 50; id += 1) queue.enqueue(buildStart('one', id));
  const atOnce = starts.started.length;

  await pass(2_100);
  await drain(starts);

  const ids = starts.started.map(({ ref }) => ref.eventId);
  // Those under way at once had not waited; nobody asked for them.
  expect(ids.slice(0, atOnce)).toContain(1);
  expect(ids.slice(atOnce)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1).filter((id) => id > atOnce && id !== 49),
  );
  // It is not held to be waiting for ever.
  expect(queue.enqueue(buildStart('one', 49))).toBe(true);
});
