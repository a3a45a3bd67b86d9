import { Binary, Timestamp } from 'mongodb';
import { createDispatcher } from '../../src/dispatch/dispatcher';
import { createExpressQueue } from '../../src/dispatch/express-queue';
import type { DeliveryStart } from '../../src/dispatch/start-delivery';
import { createStartQueue } from '../../src/dispatch/start-queue';
import type { AttemptOutcome, FirstAttemptMode, FirstAttemptWay } from '../../src/domain/delivery-contract';
import type { Endpoint } from '../../src/endpoints/store';
import type { Destination } from '../../src/events/store';
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
 * A dispatcher between its two queues, whose starts and attempts end when the test says so.
 *
 * @param slow endpoints that answered slowly a moment ago; a test may add some as it goes
 */
function build(mode: FirstAttemptMode, { slow = new Set<string>(), schedule = [0, 1_000] } = {}) {
  const attempts: { eventId: number; isKnown: boolean; end(outcome: AttemptOutcome): void }[] = [];
  const starts: { delivery: DeliveryStart; succeed(): void }[] = [];
  const told: FirstAttemptWay[] = [];
  const logger = createLogger('silent');
  const startQueue = createStartQueue({
    starter: { start: (delivery) => new Promise((resolve) => starts.push({ delivery, succeed: resolve })) },
    awaitsStart: () => Promise.resolve(true),
    hangs: () => false,
    logger,
  });
  const express = createExpressQueue({
    attempt: ({ eventId }, known) =>
      new Promise((resolve) => attempts.push({ eventId, isKnown: known !== undefined, end: resolve })),
    deliveries: { releasePromises: () => Promise.resolve() },
    start: startQueue.enqueue,
    schedule,
    logger,
  });
  const dispatcher = createDispatcher({
    mode,
    express,
    startQueue,
    schedule,
    isSlow: (endpointId) => slow.has(endpointId),
    owner: OWNER,
    leaseMs: 40_000,
    onFirstAttempt: (way) => told.push(way),
    perf: Date,
  });
  let done = 0;
  const startOf = (eventId: number, endpoint: Endpoint): DeliveryStart =>
    buildStart(eventId, {
      endpointId: endpoint._id,
      accountId: endpoint.account_id,
      url: endpoint.url,
      schedule: endpoint.options?.retry_schedule?.map((seconds) => seconds * 1_000),
    });
  return {
    dispatcher,
    attempts,
    told,
    attempted: () => attempts.map(({ eventId }) => eventId),
    started: () => starts.map(({ delivery }) => delivery.ref.eventId),
    starts,
    claim: (endpoint = buildEndpoint()) => dispatcher.claimFor(endpoint, NOW),
    /** As an ingest does. */
    accept(eventId: number, endpoint = buildEndpoint()): boolean {
      const destination: Destination = {
        endpoint_id: endpoint._id,
        url: endpoint.url,
        state: 'pending',
        attempt_count: 0,
        next_attempt_at: NOW,
        completed_at: null,
        run: 1,
        started: false,
        ...dispatcher.claimFor(endpoint, NOW),
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
      return dispatcher.dispatch({
        ...startOf(eventId, endpoint),
        known: { delivery: { event, destination }, endpoint },
      });
    },
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
const SLOW = buildEndpoint({ _id: 'ep_slow' });
const NOT_EXPRESS: [string, Endpoint][] = [
  ['a paused endpoint', PAUSED],
  ['a disabled endpoint', DISABLED],
  ['an ordered endpoint', ORDERED],
  ['an endpoint with max_per_second', RATED],
  ['an endpoint that answers slowly', SLOW],
  ['an endpoint whose own schedule delays the first attempt', DELAYED],
];

describe('express', () => {
  it('a delivery is claimed for this process, from the time of its acceptance on', () => {
    expect(build('express').claim()).toEqual({
      claimed_by: OWNER,
      claimed_until: new Date(NOW.getTime() + 40_000),
    });
  });

  it('a delivery is claimed where an own schedule has its first attempt made at once', () => {
    const { claim } = build('express', { schedule: [5_000, 10_000] });
    expect(claim(buildEndpoint({ options: { retry_schedule: [0, 30] } }))).toBeDefined();
    expect(claim()).toBeUndefined();
  });

  it('a claimed delivery is attempted at once, with what is known of it, and not started', async () => {
    const { attempts, started, accept } = build('express');
    expect(accept(1)).toBe(true);
    await pass(1_000);
    expect(attempts).toMatchObject([{ eventId: 1, isKnown: true }]);
    expect(started()).toEqual([]);
  });

  it('a claimed delivery is attempted though its endpoint became slow meanwhile: nobody else may', () => {
    const slow = new Set<string>();
    const { dispatcher, attempted, accept } = build('express', { slow });
    const { claimFor } = dispatcher;
    jest.spyOn(dispatcher, 'claimFor').mockImplementation((...args) => {
      const claim = claimFor(...args);
      slow.add('ep_test');
      return claim;
    });
    accept(1);
    expect(attempted()).toEqual([1]);
  });

  it.each(NOT_EXPRESS)('a delivery to %s is neither claimed nor attempted: it is started', (_which, endpoint) => {
    const { attempted, started, claim, accept } = build('express', { slow: new Set([SLOW._id]) });
    expect(claim(endpoint)).toBeUndefined();
    expect(accept(1, endpoint)).toBe(true);
    expect(attempted()).toEqual([]);
    expect(started()).toEqual([1]);
  });

  it('a delivery that a sweep brings is attempted too, from the record', () => {
    const { attempts, started, sweep } = build('express');
    expect(sweep(1)).toBe(true);
    expect(attempts).toMatchObject([{ eventId: 1, isKnown: false }]);
    expect(started()).toEqual([]);
  });

  it('a delivery that a sweep brings when the delay of its own schedule is over is attempted', () => {
    const { attempted, sweep } = build('express');
    sweep(1, { schedule: [5_000, 10_000], firstDelayMs: -5_000 });
    expect(attempted()).toEqual([1]);
  });

  it.each<[string, Partial<DeliveryStart>, Endpoint | undefined]>([
    ['whose first attempt failed', { firstAttempt: 2, firstDelayMs: 1_000 }, undefined],
    ['whose first attempt is not due', { schedule: [5_000, 10_000], firstDelayMs: -4_000 }, undefined],
    ['whose endpoint answers slowly', {}, SLOW],
  ])('a delivery that a sweep brings, %s, is started', (_which, fields, endpoint) => {
    const { attempted, started, sweep } = build('express', { slow: new Set([SLOW._id]) });
    expect(sweep(1, fields, endpoint)).toBe(true);
    expect(attempted()).toEqual([]);
    expect(started()).toEqual([1]);
  });

  it("a delivery that waits for its start is not attempted when a sweep brings it: it would lose its place in the endpoint's rate", () => {
    const { attempted, accept, sweep } = build('express');
    for (const id of range(1, 30)) accept(id, RATED);
    expect(range(1, 30).filter((id) => sweep(id, {}, RATED))).toEqual([]);
    expect(attempted()).toEqual([]);
  });

  it('a delivery that could not be attempted is not attempted again while it waits for its start', async () => {
    const { attempts, started, accept, sweep } = build('express');
    accept(1);
    attempts[0]!.end({ kind: 'held' });
    await settle();
    expect(started()).toEqual([1]);
    expect(sweep(1)).toBe(false);
    expect(attempts).toHaveLength(1);
  });

  it('a delivery that is being attempted is not taken a second time when a sweep brings it', () => {
    const { attempted, started, accept, sweep } = build('express');
    accept(1);
    expect(sweep(1)).toBe(false);
    expect(attempted()).toEqual([1]);
    expect(started()).toEqual([]);
  });
});

describe('workflow', () => {
  it('each delivery is started, however long it waits; none is claimed or attempted', async () => {
    const { attempted, started, claim, accept, sweep, keepUp } = build('workflow');
    expect(claim()).toBeUndefined();
    for (const id of range(1, 30)) accept(id);
    sweep(31);
    await pass(60_000);
    expect(claim()).toBeUndefined();
    await keepUp();
    expect(attempted()).toEqual([]);
    expect(started()).toEqual(range(1, 31));
  });
});

describe('auto', () => {
  /** Accepts more than can be started at a time, and lets those wait that are left. */
  async function fallBehind({ accept }: ReturnType<typeof build>): Promise<void> {
    for (const id of range(1, 30)) accept(id);
    await pass(250);
  }

  it('deliveries are started while starts keep up', async () => {
    const { attempted, started, claim, accept, keepUp } = build('auto');
    for (const id of range(1, 100)) {
      accept(id);
      await pass(50);
      await keepUp();
    }
    await pass(1_000);
    expect(claim()).toBeUndefined();
    expect(attempted()).toEqual([]);
    expect(started()).toEqual(range(1, 100));
  });

  it('when the oldest has waited 250 ms for its start, those that wait are attempted, from the record', async () => {
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

  it('a delivery that comes while others wait is counted from its own acceptance on', async () => {
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

  it('what was taken over is started no more', async () => {
    const built = build('auto');
    await fallBehind(built);
    await built.keepUp();
    expect(built.started()).toEqual(range(1, STARTS));
  });

  it('later deliveries are claimed and attempted at once', async () => {
    const built = build('auto');
    await fallBehind(built);
    expect(built.claim()).toMatchObject({ claimed_by: OWNER });
    built.accept(31);
    expect(built.attempts.at(-1)).toMatchObject({ eventId: 31, isKnown: true });
  });

  it.each(NOT_EXPRESS)('a delivery to %s goes on waiting for its start', async (_which, endpoint) => {
    const slow = new Set<string>();
    const built = build('auto', { slow });
    for (const id of range(1, 20)) built.accept(id);
    built.accept(99, endpoint);
    slow.add(SLOW._id);
    await pass(250);
    expect(built.attempted()).toEqual(range(STARTS + 1, 20));
    await built.keepUp();
    expect(built.started()).toEqual([...range(1, STARTS), 99]);
  });

  it('a retry goes on waiting for its start', async () => {
    const built = build('auto');
    for (const id of range(1, 20)) built.accept(id);
    built.sweep(99, { firstAttempt: 2, firstDelayMs: 0 });
    await pass(250);
    await built.keepUp();
    expect(built.attempted()).not.toContain(99);
    expect(built.started()).toContain(99);
  });

  it('a delivery that could not be attempted waits for its start, and is not taken over again', async () => {
    const built = build('auto');
    await fallBehind(built);
    for (const { end } of built.attempts) end({ kind: 'held' });
    await settle();
    built.accept(99, ORDERED);
    await pass(1_000);
    expect(built.attempted()).toEqual(range(STARTS + 1, 30));
    await built.keepUp();
    expect(built.started()).toEqual([...range(1, 30), 99]);
  });

  it('a minute later a start is tried again', async () => {
    const built = build('auto');
    await fallBehind(built);
    await built.keepUp();
    await pass(59_999);
    expect(built.claim()).toBeDefined();
    await pass(1);
    expect(built.claim()).toBeUndefined();
    built.accept(31);
    expect(built.started()).toContain(31);
    await built.keepUp();
    await pass(1_000);
    expect(built.claim()).toBeUndefined();
  });

  it('starts that are still behind then cost a delivery 250 ms, and the next minute goes express', async () => {
    const built = build('auto');
    await fallBehind(built);
    await pass(60_000);
    built.accept(31);
    expect(built.attempted()).not.toContain(31);
    await pass(250);
    expect(built.attempted()).toContain(31);
    await pass(59_999);
    expect(built.claim()).toBeDefined();
  });

  it("what waits for its start does not keep the event's data in memory", () => {
    const { starts, accept } = build('auto');
    accept(1);
    expect(starts[0]!.delivery).not.toHaveProperty('known');
  });
});

describe('the metric', () => {
  it('tells of each first attempt who makes it', () => {
    const { told, accept, sweep } = build('express');
    accept(1);
    accept(2, ORDERED);
    sweep(3);
    expect(told).toEqual(['express', 'workflow', 'express']);
  });

  it('does not tell of later attempts', () => {
    const { told, sweep } = build('workflow');
    sweep(1, { firstAttempt: 2 });
    expect(told).toEqual([]);
  });

  it('does not tell of what was not taken', () => {
    const { told, accept, sweep } = build('express');
    accept(1);
    sweep(1);
    accept(2, ORDERED);
    sweep(2, {}, ORDERED);
    expect(told).toEqual(['express', 'workflow']);
  });

  it('tells of a delivery that is taken over a second time', async () => {
    const { told, accept } = build('auto');
    for (const id of range(1, STARTS + 1)) accept(id);
    await pass(250);
    expect(told).toEqual([...Array<string>(STARTS + 1).fill('workflow'), 'express']);
  });
});

describe('close', () => {
  it('waits for attempts under way first, so that what is left of them is still started', async () => {
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

  it('takes nothing over to express while attempts under way end: it is started meanwhile', async () => {
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

  it('takes nothing more', async () => {
    const { dispatcher, attempted, started, told, accept, sweep } = build('express');
    await dispatcher.close();
    expect(accept(1)).toBe(false);
    expect(accept(2, ORDERED)).toBe(false);
    expect(sweep(3)).toBe(false);
    expect([attempted(), started(), told]).toEqual([[], [], []]);
  });

  it('leaves what waits for its start to the sweeper: nothing of it goes express', async () => {
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
