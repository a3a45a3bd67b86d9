import { Binary, Timestamp } from 'mongodb';
import { createDispatcher, type Dispatcher } from '../../src/dispatch/dispatcher';
import type { DeliveryStart } from '../../src/dispatch/executions';
import type { AttemptOutcome, FirstAttemptMode, FirstAttemptWay } from '../../src/domain/delivery-contract';
import type { Endpoint } from '../../src/record/endpoint-store';
import type { Destination } from '../../src/record/event-store';
import { createLogger } from '../../src/platform/logger';
import { buildStart } from '../support/build-start';

const NOW = new Date('2026-11-21T12:00:00Z');
const OWNER = 'this process';
/** How many starts are under way at a time. */
const STARTS = 10;

const FAILED = { kind: 'answered', number: 1, succeeded: false } as AttemptOutcome;

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function buildEndpoint(fields: Partial<Endpoint> = {}): Endpoint {
  const sealed = { key: 'one', iv: '', text: '' } as unknown as Endpoint['secret'];
  return {
    _id: 'ep_test',
    account_id: 'one',
    slot: 0,
    url: 'https://example.com/hook',
    events: ['order.*'],
    description: '',
    status: 'active',
    secret: sealed,
    created_at: NOW,
    updated_at: NOW,
    ...fields,
  };
}

/**
 * A dispatcher whose starts and attempts end when the test says so.
 *
 * @param startedElsewhere events that another process started
 */
function build(
  mode: FirstAttemptMode,
  { schedule = [0, 1_000], eager = false, startedElsewhere = new Set<number>() } = {},
) {
  const attempts: {
    eventId: number;
    number: number;
    isKnown: boolean;
    end(outcome: AttemptOutcome): void;
    fail(): void;
  }[] = [];
  const starts: { delivery: DeliveryStart; succeed(): void; fail(): void }[] = [];
  /** Endpoints whose gates were asked to look. */
  const looks: string[] = [];
  const told: FirstAttemptWay[] = [];
  /** Deliveries whose claims were released. */
  const released: number[] = [];
  const dispatcher: Dispatcher = createDispatcher({
    mode,
    executions: {
      start: (delivery) =>
        new Promise((resolve, reject) => {
          const succeed = (): void => resolve(true);
          starts.push({ delivery, succeed, fail: () => reject(new Error('Temporal is away')) });
        }),
    },
    attempt: ({ eventId, number }, known) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error('MongoDB is away'));
        attempts.push({ eventId, number, isKnown: known !== undefined && known !== 'waited', end: resolve, fail });
      }),
    deliveries: {
      isDue: ({ eventId }) => Promise.resolve(!startedElsewhere.has(eventId)),
      releasePromises: (refs) => Promise.resolve(void released.push(...refs.map(({ eventId }) => eventId))),
      markStarted: () => Promise.resolve(),
    },
    schedule,
    load: { hangs: (endpointId) => endpointId === HANGING._id, isSlow: () => false },
    lookAt: (endpointId) => looks.push(endpointId),
    owner: OWNER,
    leaseMs: 40_000,
    eager,
    onFirstAttempt: (way) => told.push(way),
    logger: createLogger('silent'),
  });
  let done = 0;
  const startOf = (eventId: number, endpoint: Endpoint): DeliveryStart =>
    buildStart(eventId, {
      endpointId: endpoint._id,
      accountId: endpoint.account_id,
      url: endpoint.url,
      schedule: endpoint.options?.retry_schedule?.map((seconds) => seconds * 1_000),
    });
  /** Dispatches an event as it was inserted, with a destination from `placeFor`, now or earlier. */
  const accept = (eventId: number, endpoint = buildEndpoint(), fields: Partial<Destination> = {}): void => {
    const destination: Destination = {
      endpoint_id: endpoint._id,
      url: endpoint.url,
      state: 'pending',
      attempt_count: 0,
      completed_at: null,
      run: 1,
      ...dispatcher.placeFor(endpoint, NOW),
      ...fields,
    };
    const event = {
      _id: eventId,
      account_id: endpoint.account_id,
      type: 'order.created',
      data: new Binary(Buffer.from('{}')),
      timestamp: NOW.getTime() / 1_000,
      idempotency_key: null,
      destinations: [destination],
      accepted_at: new Timestamp({ t: 0, i: 0 }),
      finished_at: null,
    };
    dispatcher.accept({ event, destination }, endpoint, NOW);
  };
  return {
    dispatcher,
    attempts,
    looks,
    told,
    released,
    attempted: () => attempts.map(({ eventId }) => eventId),
    started: () => starts.map(({ delivery }) => delivery.ref.eventId),
    starts,
    place: (endpoint = buildEndpoint()) => dispatcher.placeFor(endpoint, NOW),
    isClaimed: () => dispatcher.placeFor(buildEndpoint(), NOW).claimed_by === OWNER,
    /** As an ingest does. */
    accept,
    /** As a gate does, after a first attempt that failed. */
    releaseHeld: (eventId: number, endpoint = buildEndpoint()): boolean =>
      dispatcher.dispatch({
        ...startOf(eventId, endpoint),
        firstAttempt: 2,
        ...(dispatcher.isExpress() && { stage: 'claimed' }),
      }),
    /** As the sweeper does, which knows nothing but the record. */
    sweep: (eventId: number, fields: Partial<DeliveryStart> = {}, endpoint = buildEndpoint()): boolean =>
      dispatcher.dispatch({ ...startOf(eventId, endpoint), ...fields }),
    /** Has every start succeed, also those that follow. */
    async keepUp() {
      for (; done < starts.length; done += 1) {
        starts[done]!.succeed();
        await settle();
      }
    },
  };
}

// A dispatcher waits for tenths of seconds and for a minute: the test moves its clock.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));

afterEach(() => jest.useRealTimers());

const ORDERED = buildEndpoint({ _id: 'ep_ordered', options: { ordered: true } });
const RATED = buildEndpoint({ _id: 'ep_rated', options: { max_per_second: 5 } });
const PAUSED = buildEndpoint({ _id: 'ep_paused', status: 'paused' });
const DISABLED = buildEndpoint({ _id: 'ep_disabled', status: 'disabled' });
const DELAYED = buildEndpoint({ _id: 'ep_delayed', options: { retry_schedule: [5, 10] } });
const HANGING = buildEndpoint({ _id: 'ep_hanging' });
const HELD: [string, Endpoint][] = [
  ['paused', PAUSED],
  ['disabled', DISABLED],
  ['hanging', HANGING],
  ['in_line', ORDERED],
  ['at_rate', RATED],
];

describe.each<FirstAttemptMode>(['express', 'workflow', 'auto'])('a closed gate, with %s', (mode) => {
  it.each(HELD)(
    'a delivery to such an endpoint (%s) is held, and neither attempted nor started',
    async (reason, endpoint) => {
      const { place, attempted, started, looks, told, accept } = build(mode);
      expect(place(endpoint)).toEqual({ dispatch: 'held', held_for: reason, held_at: NOW, next_attempt_at: null });
      accept(1, endpoint);
      await pass(60_000);
      expect([attempted(), started(), told]).toEqual([[], [], []]);
      // The gate may be open again: it decides that itself.
      expect(looks).toEqual([endpoint._id]);
    },
  );

  it('a delivery with a delayed first attempt waits in its execution, whatever the state of the gate', () => {
    const { place, started, looks, accept } = build(mode);
    const later = { ...PAUSED, options: { retry_schedule: [5, 10] } };
    expect(place(later)).toEqual({ dispatch: 'due', next_attempt_at: new Date(NOW.getTime() + 5_000) });
    accept(1, later);
    expect(started()).toEqual([1]);
    expect(looks).toEqual([]);
  });
});

describe('express', () => {
  it('a delivery is claimed for this process from its acceptance on', () => {
    expect(build('express').place()).toEqual({
      dispatch: 'due',
      next_attempt_at: NOW,
      claimed_by: OWNER,
      claimed_until: new Date(NOW.getTime() + 40_000),
    });
  });

  it('a delivery is claimed if its own schedule starts at once', () => {
    const { place, isClaimed } = build('express', { schedule: [5_000, 10_000] });
    expect(place(buildEndpoint({ options: { retry_schedule: [0, 30] } }))).toMatchObject({ claimed_by: OWNER });
    expect(isClaimed()).toBe(false);
  });

  it('a claimed delivery is attempted at once with the known data, and not started', async () => {
    const { attempts, started, accept } = build('express');
    accept(1);
    await pass(1_000);
    expect(attempts).toMatchObject([{ eventId: 1, number: 1, isKnown: true }]);
    expect(started()).toEqual([]);
  });

  it('a released delivery is attempted at once, with the number of its next attempt', () => {
    const { attempts, started, releaseHeld } = build('express');
    expect(releaseHeld(1, PAUSED)).toBe(true);
    // Its data is read again: the delivery may be cancelled meanwhile.
    expect(attempts).toMatchObject([{ eventId: 1, number: 2, isKnown: false }]);
    expect(started()).toEqual([]);
  });

  it('a delivery whose own schedule delays the first attempt is started, and neither claimed nor attempted', () => {
    const { place, attempted, started, accept } = build('express');
    expect(place(DELAYED)).toEqual({ dispatch: 'due', next_attempt_at: new Date(NOW.getTime() + 5_000) });
    accept(1, DELAYED);
    expect(attempted()).toEqual([]);
    expect(started()).toEqual([1]);
  });

  it.each<[string, Partial<DeliveryStart>]>([
    ['', {}],
    [', whose delay is over,', { schedule: [5_000, 10_000] }],
    [', whose first attempt failed,', { firstAttempt: 2 }],
  ])('a delivery%s that a sweep finds due is attempted with data from the record', (_which, fields) => {
    const { attempts, started, sweep } = build('express');
    expect(sweep(1, fields)).toBe(true);
    expect(attempts).toMatchObject([{ eventId: 1, number: fields.firstAttempt ?? 1, isKnown: false }]);
    expect(started()).toEqual([]);
  });

  it('a delivery that a sweep finds before it is due is started', () => {
    const { attempted, started, sweep } = build('express');
    expect(sweep(1, { firstAttempt: 2, firstDelayMs: 1_000 })).toBe(true);
    expect(attempted()).toEqual([]);
    expect(started()).toEqual([1]);
  });

  it("a delivery whose attempt couldn't be made is not attempted again while it waits for its start", async () => {
    const { attempts, started, accept, sweep } = build('express');
    accept(1);
    attempts[0]!.fail();
    await settle();
    expect(started()).toEqual([1]);
    expect(sweep(1)).toBe(false);
    expect(attempts).toHaveLength(1);
  });

  it('a delivery under way is not attempted again when a sweep finds it', () => {
    const { attempted, started, accept, sweep } = build('express');
    accept(1);
    expect(sweep(1)).toBe(false);
    expect(attempted()).toEqual([1]);
    expect(started()).toEqual([]);
  });
});

describe('workflow', () => {
  it('each delivery is started, however long it waits; none is claimed or attempted', async () => {
    const { attempted, started, isClaimed, accept, sweep, releaseHeld, keepUp } = build('workflow');
    expect(isClaimed()).toBe(false);
    for (const id of range(1, 30)) accept(id);
    sweep(31);
    releaseHeld(32);
    await pass(60_000);
    expect(isClaimed()).toBe(false);
    await keepUp();
    expect(attempted()).toEqual([]);
    expect(started()).toEqual(range(1, 32));
  });

  it('a released delivery is started from its next attempt', () => {
    const { starts, releaseHeld } = build('workflow');
    releaseHeld(1, ORDERED);
    expect(starts).toMatchObject([{ delivery: { ref: { eventId: 1 }, firstAttempt: 2, firstDelayMs: 0 } }]);
  });

  it('after a failed start others wait for a second; the failed delivery is left to the sweeper', async () => {
    const { started, starts, accept, keepUp } = build('workflow');
    for (const id of range(1, 100)) accept(id);
    starts[0]!.fail();
    await settle();

    const before = started().length;
    accept(101);
    starts[1]!.succeed();
    await pass(990);
    expect(started()).toHaveLength(before);

    await pass(10);
    await keepUp();
    expect(started()).toEqual(range(1, 101));
  });

  it('a delivery that another process started during a long wait is not started again', async () => {
    const { started, accept, sweep, keepUp } = build('workflow', { startedElsewhere: new Set([1, 49]) });
    for (const id of range(1, 50)) accept(id);
    await pass(2_100);
    await keepUp();

    // Those that started at once had not waited, so they were not looked up.
    expect(started()).toEqual(range(1, 50).filter((id) => id !== 49));
    // It does not count as waiting forever.
    expect(sweep(49)).toBe(true);
  });

  it('a failed start is left to the sweeper', async () => {
    const { attempted, starts, isClaimed, accept } = build('workflow');
    accept(1);
    starts[0]!.fail();
    await settle();
    expect(attempted()).toEqual([]);
    expect(isClaimed()).toBe(false);
  });
});

describe.each<FirstAttemptMode>(['workflow', 'auto'])('%s, in a process that runs a worker', (mode) => {
  const buildEager = () => build(mode, { eager: true });

  it('a delivery whose start need not wait is claimed, and attempted with the known data once its execution exists', async () => {
    const { isClaimed, attempts, attempted, accept, keepUp } = buildEager();
    expect(isClaimed()).toBe(true);
    accept(1);
    await settle();
    expect(attempted()).toEqual([]);
    await keepUp();
    expect(attempts).toMatchObject([{ eventId: 1, number: 1, isKnown: true }]);
  });

  it('a delivery whose start has to wait is not claimed, and its execution alone makes the attempt', async () => {
    const { isClaimed, attempted, started, accept, keepUp } = buildEager();
    for (const id of range(1, STARTS)) accept(id);
    expect(isClaimed()).toBe(false);
    accept(STARTS + 1);
    await keepUp();
    expect(started()).toEqual(range(1, STARTS + 1));
    expect(attempted()).toEqual(range(1, STARTS));
  });

  it.each<[string, (attempt: { end(outcome: AttemptOutcome): void; fail(): void }) => void]>([
    ['failed', (attempt) => attempt.end(FAILED)],
    ["couldn't be made", (attempt) => attempt.fail()],
  ])('a delivery whose attempt %s is not started again', async (_which, end) => {
    const { attempts, started, accept, keepUp } = buildEager();
    accept(1);
    await keepUp();
    end(attempts[0]!);
    await settle();
    expect(started()).toEqual([1]);
  });

  it('after a slow start the attempt reads the state again, which may have changed', async () => {
    const { attempts, accept, keepUp } = buildEager();
    accept(1);
    await pass(250);
    await keepUp();
    expect(attempts).toMatchObject([{ eventId: 1, number: 1, isKnown: false }]);
  });

  it('a process that stops releases the claims of deliveries that wait for their start', async () => {
    const { dispatcher, released, place, accept, keepUp } = buildEager();
    // As an event with many destinations does: they are claimed before the first of them is started.
    const claimed = place();
    for (const id of range(1, STARTS + 5)) accept(id, buildEndpoint(), claimed);
    const closing = dispatcher.close();
    await settle();
    await keepUp();
    await closing;
    expect(released.toSorted((one, other) => one - other)).toEqual(range(1, STARTS + 5));
  });

  it('a process that stops makes no attempt for a start that succeeds then, and releases its claim', async () => {
    const { dispatcher, attempted, released, accept, keepUp } = buildEager();
    accept(1);
    const closing = dispatcher.close();
    await settle();
    await keepUp();
    await closing;
    expect(attempted()).toEqual([]);
    expect(released).toEqual([1]);
  });
});

describe('auto, in a process that runs a worker', () => {
  it('the execution makes the attempts after one that went express because its start failed (regression)', async () => {
    const { attempts, starts, accept } = build('auto', { eager: true });
    accept(1);
    starts[0]!.fail();
    await settle();
    attempts[0]!.end(FAILED);
    await pass(1_000);
    starts[1]!.succeed();
    await settle();
    expect(starts[1]!.delivery).toMatchObject({ firstAttempt: 2, firstDelayMs: 1_000 });
    expect(attempts).toHaveLength(1);
  });
});

describe('workflow, in a process that runs a worker', () => {
  it('a failed start releases the claim, so that the sweeper need not wait for its end', async () => {
    const { attempted, released, starts, accept } = build('workflow', { eager: true });
    accept(1);
    starts[0]!.fail();
    await settle();
    expect(attempted()).toEqual([]);
    expect(released).toEqual([1]);
  });
});

describe('auto', () => {
  /** Accepts more than can be started at a time, and lets the rest wait. */
  async function fallBehind({ accept }: ReturnType<typeof build>): Promise<void> {
    for (const id of range(1, 30)) accept(id);
    await pass(250);
  }

  it('deliveries are started while starts keep up', async () => {
    const { attempted, started, isClaimed, accept, keepUp } = build('auto');
    for (const id of range(1, 100)) {
      accept(id);
      await pass(50);
      await keepUp();
    }
    await pass(1_000);
    expect(isClaimed()).toBe(false);
    expect(attempted()).toEqual([]);
    expect(started()).toEqual(range(1, 100));
  });

  it('when the oldest has waited 250 ms for its start, waiting deliveries are attempted with data from the record', async () => {
    const { attempts, attempted, started, accept } = build('auto');
    for (const id of range(1, 30)) accept(id);
    await pass(249);
    expect(attempted()).toEqual([]);
    await pass(1);
    // They have no claim yet, and may be cancelled.
    expect(attempts.every(({ isKnown }) => !isKnown)).toBe(true);
    expect(attempted()).toEqual(range(STARTS + 1, 30));
    expect(started()).toEqual(range(1, STARTS));
  });

  it('a delivery that arrives while others wait is timed from its own acceptance', async () => {
    const { attempted, accept, keepUp } = build('auto');
    accept(1);
    await pass(60);
    for (const id of range(2, 30)) accept(id);
    await keepUp();
    for (const id of range(31, 60)) accept(id);
    await pass(249);
    expect(attempted()).toEqual([]);
    await pass(1);
    expect(attempted()).toEqual(range(31 + STARTS, 60));
  });

  it('a delivery that was taken over is not started any more', async () => {
    const built = build('auto');
    await fallBehind(built);
    await built.keepUp();
    expect(built.started()).toEqual(range(1, STARTS));
  });

  it('later deliveries are claimed and attempted at once', async () => {
    const built = build('auto');
    await fallBehind(built);
    expect(built.isClaimed()).toBe(true);
    built.accept(31);
    expect(built.attempts.at(-1)).toMatchObject({ eventId: 31, isKnown: true });
  });

  it("a delivery that isn't due keeps waiting for its start", async () => {
    const built = build('auto');
    for (const id of range(1, 20)) built.accept(id);
    built.accept(98, DELAYED);
    built.sweep(99, { firstAttempt: 2, firstDelayMs: 1_000 });
    await pass(250);
    expect(built.attempted()).toEqual(range(STARTS + 1, 20));
    await built.keepUp();
    expect(new Set(built.started())).toEqual(new Set([...range(1, STARTS), 98, 99]));
  });

  it('a released delivery is taken over too, with the number of its next attempt', async () => {
    const built = build('auto');
    for (const id of range(1, STARTS)) built.accept(id);
    built.releaseHeld(99, RATED);
    await pass(250);
    expect(built.attempts).toMatchObject([{ eventId: 99, number: 2, isKnown: false }]);
  });

  it("a delivery whose attempt couldn't be made waits for its start, and is not taken over again", async () => {
    const built = build('auto');
    await fallBehind(built);
    for (const { fail } of built.attempts) fail();
    await settle();
    built.accept(99, DELAYED);
    await pass(1_000);
    expect(built.attempted()).toEqual(range(STARTS + 1, 30));
    await built.keepUp();
    expect(new Set(built.started())).toEqual(new Set([...range(1, 30), 99]));
  });

  it('after a failed start, its delivery, the waiting ones and later ones go express', async () => {
    const { attempts, attempted, starts, isClaimed, accept } = build('auto');
    for (const id of range(1, STARTS + 1)) accept(id);
    starts[0]!.fail();
    await settle();
    expect(attempted()).toEqual([STARTS + 1, 1]);
    expect(attempts.every(({ isKnown }) => !isKnown)).toBe(true);
    expect(isClaimed()).toBe(true);
  });

  it("a failed start of a delivery that isn't due is left to the sweeper", async () => {
    const { attempted, starts, accept } = build('auto');
    accept(1, DELAYED);
    starts[0]!.fail();
    await settle();
    expect(attempted()).toEqual([]);
  });

  it('a minute later it tries a start again', async () => {
    const built = build('auto');
    await fallBehind(built);
    await built.keepUp();
    await pass(59_999);
    expect(built.isClaimed()).toBe(true);
    await pass(1);
    expect(built.isClaimed()).toBe(false);
    built.accept(31);
    expect(built.started()).toContain(31);
    await built.keepUp();
    await pass(1_000);
    expect(built.isClaimed()).toBe(false);
  });

  it('if starts are still behind, a delivery waits 250 ms, and the next minute goes express', async () => {
    const built = build('auto');
    await fallBehind(built);
    await pass(60_000);
    built.accept(31);
    expect(built.attempted()).not.toContain(31);
    await pass(250);
    expect(built.attempted()).toContain(31);
    await pass(59_999);
    expect(built.isClaimed()).toBe(true);
  });

  it("a delivery waiting for its start doesn't keep the event's data in memory", async () => {
    const { starts, accept, keepUp } = build('auto');
    for (const id of range(1, STARTS + 1)) accept(id);
    await keepUp();
    expect(starts[STARTS]!.delivery).not.toHaveProperty('known');
  });
});

describe('the metric', () => {
  it('says who makes each first attempt', () => {
    const { told, accept, sweep } = build('express');
    accept(1);
    accept(2, DELAYED);
    sweep(3);
    expect(told).toEqual(['express', 'workflow', 'express']);
  });

  it.each<FirstAttemptMode>(['workflow', 'express'])('does not tell of later attempts, with %s', (mode) => {
    const { told, sweep, releaseHeld } = build(mode);
    sweep(1, { firstAttempt: 2 });
    releaseHeld(2);
    expect(told).toEqual([]);
  });

  it("doesn't count refused deliveries", () => {
    const { told, accept, sweep } = build('express');
    accept(1);
    sweep(1);
    accept(2, DELAYED);
    sweep(2, { firstDelayMs: 5_000 }, DELAYED);
    expect(told).toEqual(['express', 'workflow']);
  });

  it('counts a delivery that was taken over again', async () => {
    const { told, accept } = build('auto');
    for (const id of range(1, STARTS + 1)) accept(id);
    await pass(250);
    expect(told).toEqual([...Array<string>(STARTS + 1).fill('workflow'), 'express']);
  });
});

describe('close', () => {
  it('waits for attempts under way first, so that their rest is still started', async () => {
    const { dispatcher, attempts, starts, accept } = build('express');
    accept(1);
    let closed = false;
    const closing = dispatcher.close().then(() => (closed = true));
    attempts[0]!.end(FAILED);
    await settle();
    expect(starts).toMatchObject([{ delivery: { ref: { eventId: 1 }, firstAttempt: 2, firstDelayMs: 1_000 } }]);
    expect(closed).toBe(false);
    starts[0]!.succeed();
    await closing;
    expect(closed).toBe(true);
  });

  it('starts deliveries instead of taking them over while attempts under way end', async () => {
    const { dispatcher, attempts, attempted, started, accept, keepUp } = build('auto');
    for (const id of range(1, STARTS + 1)) accept(id);
    await pass(250 + 60_000);
    accept(99);
    const closing = dispatcher.close();
    await pass(1_000);
    await keepUp();
    attempts[0]!.end({ kind: 'ended', state: 'cancelled' });
    await closing;
    expect(attempted()).toEqual([STARTS + 1]);
    expect(started()).toEqual([...range(1, STARTS), 99]);
  });

  it('accepts nothing more', async () => {
    const { dispatcher, attempted, started, told, accept, sweep } = build('express');
    await dispatcher.close();
    accept(1);
    accept(2, DELAYED);
    expect(sweep(3)).toBe(false);
    expect([attempted(), started(), told]).toEqual([[], [], []]);
  });

  it('leaves deliveries waiting for their start to the sweeper, and sends none express', async () => {
    const { dispatcher, attempted, started, accept, keepUp } = build('auto');
    for (const id of range(1, 30)) accept(id);
    const closing = dispatcher.close();
    await pass(1_000);
    await keepUp();
    await closing;
    expect(attempted()).toEqual([]);
    expect(started()).toEqual(range(1, STARTS));
  });
});

it('counts deliveries as waiting until their start succeeds or fails', async () => {
  const { dispatcher, starts, accept, keepUp } = build('workflow');
  const waiting = (endpointId: string): number => dispatcher.waitingFor({ accountId: 'one', endpointId });
  for (const id of range(1, 30)) accept(id);
  expect([waiting('ep_test'), waiting('ep_other')]).toEqual([30, 0]);

  starts[0]!.fail();
  await settle();
  expect(waiting('ep_test')).toBe(29);
  await pass(1_000);
  await keepUp();
  expect(waiting('ep_test')).toBe(0);
});

it('counts deliveries that wait for a slot, wait for their start or are being started', () => {
  const { dispatcher, accept } = build('express');
  const waiting = (endpointId: string): number => dispatcher.waitingFor({ accountId: 'one', endpointId });
  for (const id of range(1, 70)) accept(id);
  for (const id of range(71, 100)) accept(id, DELAYED);
  // 64 of those that go express have a slot.
  expect([waiting('ep_test'), waiting(DELAYED._id), waiting('ep_other')]).toEqual([6, 30, 0]);
});
