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

function buildStart(accountId: string, eventId: number): DeliveryStart {
  return {
    ref: { eventId, endpointId: 'ep_test', run: 1 },
    accountId,
    eventType: 'order.created',
    url: 'https://example.com/hook',
    firstAttempt: 1,
    firstDelayMs: 0,
    restart: false,
  };
}

const logger = createLogger('silent');

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

test('every delivery is started once', async () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });

  for (let id = 1; id <= 200; id += 1) queue.enqueue(buildStart('one', id));
  await drain(starts);

  expect(starts.started.map(({ ref }) => ref.eventId)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(queue.size()).toBe(0);
});

test('only so many starts are under way at a time; the others wait', () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });

  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  expect(starts.underWay.length).toBeGreaterThanOrEqual(10);
  expect(starts.underWay.length).toBeLessThanOrEqual(50);
  expect(queue.size()).toBe(100 - starts.underWay.length);
});

test('a quiet account does not wait behind a noisy one', async () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });
  for (let id = 1; id <= 1_000; id += 1) queue.enqueue(buildStart('noisy', id));

  for (let id = 2_001; id <= 2_003; id += 1) queue.enqueue(buildStart('quiet', id));
  const before = starts.started.length;
  await drain(starts);

  const order = starts.started.slice(before).map(({ accountId }) => accountId);
  // In turn: one of each, for as long as both have some.
  expect(order.slice(0, 6).filter((accountId) => accountId === 'quiet')).toHaveLength(3);
  expect(order).toHaveLength(1_003 - before);
});

test('after a failed start the queue rests, and then goes on with what waits; the failed one is left to the sweeper', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });
  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  starts.underWay.shift()!.fail(new Error('Temporal is away'));
  await settle();

  const before = starts.started.length;
  queue.enqueue(buildStart('one', 101));
  starts.underWay.shift()!.succeed();
  await settle();
  expect(starts.started).toHaveLength(before);

  jest.advanceTimersByTime(1_000);
  jest.useRealTimers();
  await drain(starts);
  const ids = starts.started.map(({ ref }) => ref.eventId);
  expect(ids).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
});

test('it is bounded: what does not fit is left to the sweeper', () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });

  for (let id = 1; id <= 25_000; id += 1) queue.enqueue(buildStart('one', id));

  expect(queue.size()).toBe(20_000);
});

test('a noisy account that fills it does not push a quiet one out', async () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });
  for (let id = 1; id <= 25_000; id += 1) queue.enqueue(buildStart('noisy', id));

  queue.enqueue(buildStart('quiet', 30_001));
  const before = starts.started.length;
  expect(queue.size()).toBe(20_000);
  for (let turn = 0; turn < 2; turn += 1) {
    starts.underWay.shift()!.succeed();
    await settle();
  }

  expect(starts.started.slice(before).map(({ accountId }) => accountId)).toContain('quiet');
});

test('close takes nothing more and waits for what is under way', async () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });
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
  expect(queue.size()).toBe(0);
});

test('while many ingests are under way starts step back, and go on when they are through', async () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });
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

test('an ingest that fails is counted out all the same', async () => {
  const starts = buildStarter();
  const queue = createStartQueue({ starter: starts.starter, logger });
  const failing = Array.from({ length: 20 }, () => queue.accepting(() => Promise.reject(new Error('MongoDB is away'))));
  await Promise.allSettled(failing);

  for (let id = 1; id <= 100; id += 1) queue.enqueue(buildStart('one', id));

  expect(starts.underWay.length).toBeGreaterThan(2);
});
