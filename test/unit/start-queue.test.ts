import type { DeliveryStart } from '../../src/dispatch/start-delivery';
import { createStartQueue } from '../../src/dispatch/start-queue';
import { createLogger } from '../../src/platform/logger';
import { buildStart } from '../support/build-start';

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A queue whose starts end when the test says so.
 *
 * @param hanging endpoints whose deliveries keep out of the way; a test may add some as it goes
 * @param startedElsewhere events that another process started
 */
function build(hanging: ReadonlySet<string> = new Set(), startedElsewhere: ReadonlySet<number> = new Set()) {
  const underWay: { succeed(): void; fail(error: Error): void }[] = [];
  const started: DeliveryStart[] = [];
  const queue = createStartQueue({
    starter: {
      start: (delivery) =>
        new Promise((resolve, reject) => {
          started.push(delivery);
          underWay.push({ succeed: resolve, fail: reject });
        }),
    },
    awaitsStart: ({ eventId }) => Promise.resolve(!startedElsewhere.has(eventId)),
    hangs: (endpointId) => hanging.has(endpointId),
    logger: createLogger('silent'),
  });
  const enqueue = (accountId: string, eventId: number, endpointId = 'ep_test'): boolean =>
    queue.enqueue(buildStart(eventId, { endpointId, accountId }));
  return {
    queue,
    underWay,
    started,
    ids: () => started.map(({ ref }) => ref.eventId),
    enqueue,
    /** @returns how many were taken */
    enqueueAll: (accountId: string, ids: number[], endpointId?: string) =>
      ids.filter((id) => enqueue(accountId, id, endpointId)).length,
    succeedAll: () => underWay.splice(0).forEach(({ succeed }) => succeed()),
    /** Ends every start under way until nothing is left. */
    async drain() {
      for (let next = underWay.shift(); next; next = underWay.shift()) {
        next.succeed();
        await settle();
      }
    },
  };
}

// The queue rests for seconds: the test moves its clock.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));

afterEach(() => jest.useRealTimers());

it('every delivery is started once, only so many at a time; the others wait', async () => {
  const { queue, underWay, ids, enqueueAll, drain } = build();
  enqueueAll('one', range(1, 200));
  expect(underWay.length).toBeGreaterThanOrEqual(10);
  expect(underWay.length).toBeLessThanOrEqual(50);
  expect(queue.size().usual).toBe(200 - underWay.length);
  await drain();
  expect(ids()).toEqual(range(1, 200));
  expect(queue.size().usual).toBe(0);
});

it('a quiet account does not wait behind a noisy one', async () => {
  const { started, enqueueAll, drain } = build();
  enqueueAll('noisy', range(1, 1_000));
  enqueueAll('quiet', range(2_001, 2_003));
  const before = started.length;
  await drain();

  const order = started.slice(before).map(({ accountId }) => accountId);
  // In turn: one of each, for as long as both have some.
  expect(order.slice(0, 6).filter((accountId) => accountId === 'quiet')).toHaveLength(3);
  expect(order).toHaveLength(1_003 - before);
});

it('after a failed start the queue rests, and then goes on with what waits; the failed one is left to the sweeper', async () => {
  const { underWay, started, ids, enqueue, enqueueAll, drain } = build();
  enqueueAll('one', range(1, 100));
  underWay.shift()!.fail(new Error('Temporal is away'));
  await settle();

  const before = started.length;
  enqueue('one', 101);
  underWay.shift()!.succeed();
  await pass(990);
  expect(started).toHaveLength(before);

  await pass(10);
  await drain();
  expect(ids()).toEqual(range(1, 101));
});

it('a noisy account that fills the queue does not push a quiet one out', async () => {
  const { queue, underWay, started, enqueue, enqueueAll } = build();
  enqueueAll('noisy', range(1, 25_000));
  enqueue('quiet', 30_001);
  const before = started.length;
  expect(queue.size().usual).toBe(20_000);
  for (let turn = 0; turn < 2; turn += 1) {
    underWay.shift()!.succeed();
    await settle();
  }
  expect(started.slice(before).map(({ accountId }) => accountId)).toContain('quiet');
});

it('what finds the queue full is refused, and taken when there is room again', async () => {
  const { queue, underWay, enqueue, enqueueAll } = build();
  enqueueAll('noisy', range(1, 25_000));
  expect(queue.size().usual).toBe(20_000);
  expect(enqueue('noisy', 22_000)).toBe(false);
  underWay.shift()!.succeed();
  await settle();
  expect(enqueue('noisy', 22_000)).toBe(true);
});

it('a delivery that waits already, or is being started, is not taken a second time', async () => {
  const { started, enqueue, enqueueAll, drain } = build();
  enqueueAll('one', range(1, 100));
  expect(enqueueAll('one', range(1, 100))).toBe(0);
  await drain();
  expect(started).toHaveLength(100);
  // Should its start have failed, a later sweep brings it again.
  expect(enqueue('one', 1)).toBe(true);
});

it('what waits for a destination that hangs is started two at a time, beside those for quick ones', async () => {
  const { queue, underWay, started, enqueue, enqueueAll, drain } = build(
    new Set(range(1, 100).map((id) => `ep_hanging_${id}`)),
  );
  for (const id of range(1, 100)) enqueue('noisy', id, `ep_hanging_${id}`);
  expect(underWay).toHaveLength(2);
  enqueueAll('quiet', range(1_001, 1_010));
  expect(underWay).toHaveLength(12);

  // Through the rests of the lane for those that hang.
  while (queue.size().usual + queue.size().hanging > 0 || underWay.length > 0) {
    await drain();
    await pass(1);
  }
  expect(started).toHaveLength(110);
});

it('a start for a destination that hangs is followed by a rest as long as it took', async () => {
  const { started, enqueue, succeedAll } = build(new Set(range(1, 10).map((id) => `ep_hanging_${id}`)));
  for (const id of range(1, 10)) enqueue('noisy', id, `ep_hanging_${id}`);
  await pass(100);
  succeedAll();
  await pass(99);
  expect(started).toHaveLength(2);
  await pass(1);
  expect(started).toHaveLength(4);
});

it('a destination that begins to hang while thousands wait for it lets the others pass from then on', async () => {
  const hanging = new Set<string>();
  const { started, enqueueAll, succeedAll } = build(hanging);
  enqueueAll('noisy', range(1, 100), 'ep_begins_to_hang');
  const before = started.length;

  hanging.add('ep_begins_to_hang');
  enqueueAll('noisy', range(1_001, 1_005));
  succeedAll();
  await settle();

  const next = started.slice(before).map(({ ref }) => ref.endpointId);
  expect(next.filter((endpointId) => endpointId === 'ep_test')).toHaveLength(5);
  expect(next.filter((endpointId) => endpointId === 'ep_begins_to_hang')).toHaveLength(1);
});

it('each destination that hangs gets one start in two seconds, however many wait for it', async () => {
  const { ids, enqueue, enqueueAll, drain } = build(new Set(['ep_one', 'ep_other']));
  enqueueAll('noisy', range(1, 100), 'ep_one');
  enqueue('noisy', 101, 'ep_other');
  expect(ids()).toEqual([1, 101]);
  // Also when its only delivery was started meanwhile.
  enqueue('noisy', 102, 'ep_other');
  await drain();
  await pass(1_990);
  expect(ids()).toHaveLength(2);
  await pass(10);
  expect(ids().slice(2)).toEqual([2, 102]);
});

it('a destination that answers again has everything started that waits for it', async () => {
  const hanging = new Set(['ep_one', 'ep_other']);
  const { ids, enqueueAll, drain } = build(hanging);
  enqueueAll('noisy', range(1, 100), 'ep_one');
  enqueueAll('noisy', range(101, 200), 'ep_other');
  hanging.delete('ep_one');
  await pass(250);
  await drain();
  expect(new Set(ids().filter((id) => id <= 100)).size).toBe(100);
  expect(ids().filter((id) => id > 100).length).toBeLessThan(3);
});

it('close takes nothing more and waits for what is under way', async () => {
  const { queue, started, enqueue, enqueueAll, succeedAll } = build();
  enqueueAll('one', range(1, 100));
  const before = started.length;

  let closed = false;
  const closing = queue.close().then(() => (closed = true));
  enqueue('one', 101);
  await settle();
  expect(closed).toBe(false);
  succeedAll();
  await closing;
  expect(started).toHaveLength(before);
  expect(queue.size().usual).toBe(0);
});

it('while many ingests are under way starts step back, and go on when they are through', async () => {
  const { queue, underWay, enqueueAll } = build();
  let finish = (): void => undefined;
  const busy = new Promise<void>((resolve) => (finish = resolve));
  const ingests = range(1, 20).map(() => queue.accepting(() => busy));
  enqueueAll('one', range(1, 100));
  const whileBusy = underWay.length;
  finish();
  await Promise.all(ingests);
  expect(whileBusy).toBeGreaterThan(0);
  expect(underWay.length).toBeGreaterThan(2 * whileBusy);
});

it('an ingest that fails is counted out all the same', async () => {
  const { queue, underWay, enqueueAll } = build();
  await Promise.allSettled(range(1, 20).map(() => queue.accepting(() => Promise.reject(new Error('MongoDB is away')))));
  enqueueAll('one', range(1, 100));
  expect(underWay.length).toBeGreaterThan(2);
});

it('what another process started while it waited for seconds is not started again', async () => {
  const { ids, enqueue, enqueueAll, drain } = build(new Set(), new Set([1, 49]));
  enqueueAll('one', range(1, 50));
  const atOnce = ids().length;
  await pass(2_100);
  await drain();

  // Those under way at once had not waited; nobody asked for them.
  expect(ids().slice(0, atOnce)).toContain(1);
  expect(ids().slice(atOnce)).toEqual(range(atOnce + 1, 50).filter((id) => id !== 49));
  // It is not held to be waiting for ever.
  expect(enqueue('one', 49)).toBe(true);
});

describe('the longest wait', () => {
  it('is that of the oldest delivery that is not started, be it under way or not', async () => {
    const { queue, underWay, enqueue, enqueueAll } = build();
    expect(queue.longestWaitMs()).toBe(0);
    enqueueAll('one', range(1, 100));
    await pass(50);
    enqueue('other', 101);
    await pass(20);
    expect(queue.longestWaitMs()).toBe(70);

    // The last of the first hundred is through, and only the one that came later is left.
    while (queue.size().usual > 0 || underWay.length > 1) {
      underWay.shift()!.succeed();
      await settle();
    }
    expect(queue.longestWaitMs()).toBeLessThanOrEqual(70);
    underWay.shift()!.succeed();
    await settle();
    expect(queue.longestWaitMs()).toBe(0);
  });

  it('goes on with the next oldest when the oldest is through', async () => {
    const { queue, underWay, enqueue } = build();
    enqueue('one', 1);
    await pass(50);
    enqueue('one', 2);
    await pass(20);
    underWay.shift()!.succeed();
    await settle();
    expect(queue.longestWaitMs()).toBe(20);
  });

  it('ends for a delivery whose start failed: that is left to the sweeper', async () => {
    const { queue, underWay, enqueue } = build();
    enqueue('one', 1);
    await pass(50);
    underWay.shift()!.fail(new Error('Temporal is away'));
    await settle();
    expect(queue.longestWaitMs()).toBe(0);
  });

  it('is not that of deliveries to destinations that hang: it is theirs to wait', async () => {
    const hanging = new Set(['ep_hanging']);
    const { queue, enqueue, enqueueAll } = build(hanging);
    enqueueAll('one', range(1, 10), 'ep_hanging');
    await pass(50);
    expect(queue.longestWaitMs()).toBe(0);
    enqueue('one', 11);
    await pass(20);
    expect(queue.longestWaitMs()).toBe(20);
  });

  it('is not that of deliveries whose destination began to hang while they waited', async () => {
    const hanging = new Set<string>();
    const { queue, enqueueAll, drain } = build(hanging);
    enqueueAll('one', range(1, 100), 'ep_begins_to_hang');
    hanging.add('ep_begins_to_hang');
    await drain();
    await pass(50);
    expect(queue.size().hanging).toBeGreaterThan(0);
    expect(queue.longestWaitMs()).toBe(0);
  });
});

describe('taking what waits', () => {
  it('gives up those that are chosen; the others are started in their order', async () => {
    const { queue, underWay, ids, enqueueAll, drain } = build();
    enqueueAll('one', range(1, 100));
    const atOnce = underWay.length;
    const taken = queue.takeWaiting(({ ref }) => ref.eventId % 2 === 0);

    expect(taken.map(({ ref }) => ref.eventId)).toEqual(range(atOnce + 1, 100).filter((id) => id % 2 === 0));
    expect(queue.size().usual).toBe(100 - atOnce - taken.length);
    await drain();
    expect(ids()).toEqual([...range(1, atOnce), ...range(atOnce + 1, 100).filter((id) => id % 2 === 1)]);
    expect(queue.longestWaitMs()).toBe(0);
  });

  it('leaves accounts in turn', async () => {
    const { queue, started, enqueueAll, drain } = build();
    enqueueAll('noisy', range(1, 1_000));
    enqueueAll('quiet', range(2_001, 2_003));
    const before = started.length;
    queue.takeWaiting(({ ref }) => ref.eventId % 2 === 0);
    await drain();
    const order = started.slice(before).map(({ accountId }) => accountId);
    expect(order.slice(0, 4).filter((accountId) => accountId === 'quiet')).toHaveLength(2);
  });

  it('leaves alone what is being started, and what waits for destinations that hang', () => {
    const { queue, underWay, enqueueAll } = build(new Set(['ep_hanging']));
    enqueueAll('one', range(1, 5));
    enqueueAll('one', range(6, 10), 'ep_hanging');
    const { hanging } = queue.size();
    expect(queue.takeWaiting(() => true)).toEqual([]);
    expect(underWay).toHaveLength(6);
    expect(queue.size().hanging).toBe(hanging);
  });

  it('makes room: what was taken may come again', () => {
    const { queue, underWay, enqueue, enqueueAll } = build();
    enqueueAll('one', range(1, 20_000));
    enqueueAll('other', range(20_001, 25_000));
    const waiting = queue.size().usual;
    expect(waiting).toBe(20_000);
    expect(queue.takeWaiting(() => true)).toHaveLength(waiting);
    expect(queue.size().usual).toBe(0);
    expect(enqueue('one', underWay.length + 1)).toBe(true);
  });
});

it('a delivery is in the queue from when it is taken until its start is through', async () => {
  const { queue, underWay, enqueue } = build();
  const ref = { eventId: 1, endpointId: 'ep_test', run: 1 };
  expect(queue.has(ref)).toBe(false);
  enqueue('one', 1);
  expect(queue.has(ref)).toBe(true);
  // A replay is another run.
  expect(queue.has({ ...ref, run: 2 })).toBe(false);
  underWay.shift()!.succeed();
  await settle();
  expect(queue.has(ref)).toBe(false);
});
