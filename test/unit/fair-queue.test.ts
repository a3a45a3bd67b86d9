import type { DeliveryStart } from '../../src/dispatch/executions';
import { createFairQueue } from '../../src/dispatch/fair-queue';
import { buildStart } from '../support/build-start';

const SLOTS = 10;
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue whose starts end when the test says so. */
function build() {
  const underWay: { succeed(): void }[] = [];
  const started: DeliveryStart[] = [];
  const queue = createFairQueue({
    slots: SLOTS,
    work: (delivery) =>
      new Promise((resolve) => {
        started.push(delivery);
        underWay.push({ succeed: resolve });
      }),
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

it('starts every delivery once, a limited number at a time; the others wait', async () => {
  const { queue, underWay, ids, enqueueAll, drain } = build();
  enqueueAll('one', range(1, 200));
  expect(underWay).toHaveLength(SLOTS);
  expect(queue.size()).toBe(200 - SLOTS);
  await drain();
  expect(ids()).toEqual(range(1, 200));
  expect(queue.size()).toBe(0);
});

it("a quiet account doesn't wait behind a noisy one", async () => {
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

it("a quiet endpoint doesn't wait behind thousands of another one, and many endpoints get an account no more turns", async () => {
  const { started, enqueue, enqueueAll, drain } = build();
  for (const id of range(1, 1_000)) enqueue('many', id, `ep_many_${id % 2}`);
  enqueueAll('many', range(1_001, 1_003), 'ep_quiet');
  enqueueAll('single', range(2_001, 2_100), 'ep_single');
  const before = started.length;
  await drain();

  const order = started.slice(before, before + 18).map(({ ref }) => ref.endpointId);
  expect(order.filter((endpointId) => endpointId === 'ep_quiet')).toHaveLength(3);
  expect(order.filter((endpointId) => endpointId === 'ep_single')).toHaveLength(9);
});

it("a noisy account that fills the queue doesn't push out a quiet one", async () => {
  const { queue, underWay, started, enqueue, enqueueAll } = build();
  enqueueAll('noisy', range(1, 25_000));
  enqueue('quiet', 30_001);
  const before = started.length;
  expect(queue.size()).toBe(20_000);
  for (let turn = 0; turn < 2; turn += 1) {
    underWay.shift()!.succeed();
    await settle();
  }
  expect(started.slice(before).map(({ accountId }) => accountId)).toContain('quiet');
});

it('a full queue refuses a delivery, and accepts it when there is room again', async () => {
  const { queue, underWay, enqueue, enqueueAll } = build();
  enqueueAll('noisy', range(1, 25_000));
  expect(queue.size()).toBe(20_000);
  expect(enqueue('noisy', 22_000)).toBe(false);
  underWay.shift()!.succeed();
  await settle();
  expect(enqueue('noisy', 22_000)).toBe(true);
});

it('a delivery that waits or is being started is not accepted twice', async () => {
  const { started, enqueue, enqueueAll, drain } = build();
  enqueueAll('one', range(1, 100));
  expect(enqueueAll('one', range(1, 100))).toBe(0);
  await drain();
  expect(started).toHaveLength(100);
  // If its start failed, a later sweep finds it again.
  expect(enqueue('one', 1)).toBe(true);
});

it('close accepts nothing more and waits for starts under way', async () => {
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
  expect(queue.size()).toBe(0);
});

describe('the longest wait', () => {
  it('is that of the oldest delivery not yet started, including those under way', async () => {
    const { queue, underWay, enqueue, enqueueAll } = build();
    expect(queue.longestWaitMs()).toBe(0);
    enqueueAll('one', range(1, 100));
    await pass(50);
    enqueue('other', 101);
    await pass(20);
    expect(queue.longestWaitMs()).toBe(70);

    // The last of the first hundred is through, and only the one that came later is left.
    while (queue.size() > 0 || underWay.length > 1) {
      underWay.shift()!.succeed();
      await settle();
    }
    expect(queue.longestWaitMs()).toBeLessThanOrEqual(70);
    underWay.shift()!.succeed();
    await settle();
    expect(queue.longestWaitMs()).toBe(0);
  });

  it('moves to the next oldest when the oldest is started', async () => {
    const { queue, underWay, enqueue } = build();
    enqueue('one', 1);
    await pass(50);
    enqueue('one', 2);
    await pass(20);
    underWay.shift()!.succeed();
    await settle();
    expect(queue.longestWaitMs()).toBe(20);
  });
});

describe('removing waiting deliveries', () => {
  it('gives up the chosen ones and starts the others in order', async () => {
    const { queue, underWay, ids, enqueueAll, drain } = build();
    enqueueAll('one', range(1, 100));
    const atOnce = underWay.length;
    const taken = queue.takeWaiting(({ ref }) => ref.eventId % 2 === 0);

    expect(taken.map(({ ref }) => ref.eventId)).toEqual(range(atOnce + 1, 100).filter((id) => id % 2 === 0));
    expect(queue.size()).toBe(100 - atOnce - taken.length);
    await drain();
    expect(ids()).toEqual([...range(1, atOnce), ...range(atOnce + 1, 100).filter((id) => id % 2 === 1)]);
    expect(queue.longestWaitMs()).toBe(0);
  });

  it('keeps the turns of the accounts', async () => {
    const { queue, started, enqueueAll, drain } = build();
    enqueueAll('noisy', range(1, 1_000));
    enqueueAll('quiet', range(2_001, 2_003));
    const before = started.length;
    queue.takeWaiting(({ ref }) => ref.eventId % 2 === 0);
    await drain();
    const order = started.slice(before).map(({ accountId }) => accountId);
    expect(order.slice(0, 4).filter((accountId) => accountId === 'quiet')).toHaveLength(2);
  });

  it('leaves deliveries alone that are being started', () => {
    const { queue, underWay, enqueueAll } = build();
    enqueueAll('one', range(1, 5));
    expect(queue.takeWaiting(() => true)).toEqual([]);
    expect(underWay).toHaveLength(5);
  });

  it('makes room, and a removed delivery can be added again', () => {
    const { queue, underWay, enqueue, enqueueAll } = build();
    enqueueAll('one', range(1, 20_000));
    enqueueAll('other', range(20_001, 25_000));
    const waiting = queue.size();
    expect(waiting).toBe(20_000);
    expect(queue.takeWaiting(() => true)).toHaveLength(waiting);
    expect(queue.size()).toBe(0);
    expect(enqueue('one', underWay.length + 1)).toBe(true);
  });
});

it('a delivery is in the queue from its acceptance until its start has ended', async () => {
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

describe('the number of deliveries of an endpoint', () => {
  const ONE = { accountId: 'one', endpointId: 'ep_one' };
  const TWO = { accountId: 'two', endpointId: 'ep_two' };

  it('excludes refused, replaced and removed ones', () => {
    const { queue, enqueueAll } = build();
    enqueueAll('one', range(1, 25_000), 'ep_one');
    expect([queue.waitingFor(ONE), queue.slotsOf('ep_one')]).toEqual([20_000, SLOTS]);
    enqueueAll('two', range(25_001, 25_100), 'ep_two');
    expect(queue.waitingFor(ONE)).toBe(19_900);
    queue.takeWaiting(({ ref }) => ref.endpointId === 'ep_one');
    expect([queue.waitingFor(ONE), queue.slotsOf('ep_one')]).toEqual([0, SLOTS]);
    expect(queue.waitingFor(TWO)).toBe(100);
  });
});
