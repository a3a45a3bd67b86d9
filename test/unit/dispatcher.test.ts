import { Binary, Timestamp } from 'mongodb';
import type { AttemptOutcome, FirstAttemptMode, FirstAttemptWay } from '../../src/domain/delivery-contract';
import { ownSchedule } from '../../src/domain/retry-schedule';
import { createDispatcher } from '../../src/engine/dispatcher';
import type { ShowTask, StartTask } from '../../src/engine/task';
import { createLogger } from '../../src/platform/logger';
import type { Endpoint } from '../../src/stores/endpoint-store';
import type { Destination } from '../../src/stores/event-store';
import { buildStart } from '../support/build-start';
import { range, settle } from '../support/steps';

const NOW = new Date('2026-11-21T12:00:00Z');
const OWNER = 'this process';
/** How many starts, or shows, are under way at a time. */
const AT_A_TIME = 10;

const FAILED = { kind: 'answered', number: 1, succeeded: false } as AttemptOutcome;
const DELIVERED = { kind: 'answered', number: 1, succeeded: true } as AttemptOutcome;

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

function buildEndpoint(fields: Partial<Endpoint> = {}): Endpoint {
  const sealed = { key: 'one', iv: '', text: '' } as unknown as Endpoint['secret'];
  return {
    ...{ _id: 'ep_test', account_id: 'one', slot: 0, url: 'https://example.com/hook', events: ['order.*'] },
    ...{ description: '', status: 'active', secret: sealed, created_at: NOW, updated_at: NOW },
    ...fields,
  };
}
const ACTIVE = buildEndpoint();
const DELAYED = buildEndpoint({ _id: 'ep_delayed', options: { retry_schedule: [5, 10] } });
const HANGING = buildEndpoint({ _id: 'ep_hanging' });
const PAUSED = buildEndpoint({ _id: 'ep_paused', status: 'paused' });

/** Something that the dispatcher began. It ends when the test says so. */
interface Begun<Task> {
  readonly task: Task;
  readonly eventId: number;
  end(isStarted?: boolean): void;
  fail(): void;
}

function buildBegun<Task extends StartTask | ShowTask>() {
  const all: Begun<Task>[] = [];
  const begin = (task: Task): Promise<boolean> =>
    new Promise((resolve, reject) =>
      all.push({
        ...{ task, eventId: task.ref.eventId },
        end: (isStarted = true) => resolve(isStarted),
        fail: () => reject(new Error('Temporal is away')),
      }),
    );
  return { all, begin };
}

/** @param startedElsewhere events that another process started */
function build(
  mode: FirstAttemptMode,
  { schedule = [0, 1_000], executionsPerSecond = 3, eager = false, startedElsewhere = [] as readonly number[] } = {},
) {
  const attempts: { eventId: number; number: number; kind: string; end(it: AttemptOutcome): void; fail(): void }[] = [];
  const starts = buildBegun<StartTask>();
  const shows = buildBegun<ShowTask>();
  /** Endpoints whose gates were asked to look. */
  const looks: string[] = [];
  /** Deliveries whose claims were released. */
  const released: number[] = [];
  const told: FirstAttemptWay[] = [];
  const dispatcher = createDispatcher({
    ...{ mode, schedule, executionsPerSecond, eager, owner: OWNER, leaseMs: 40_000, logger: createLogger('silent') },
    executions: { start: starts.begin, show: async (task) => void (await shows.begin(task)) },
    attempts: {
      make: ({ eventId, number }, caller) =>
        new Promise((resolve, reject) => {
          const fail = (): void => reject(new Error('MongoDB is away'));
          attempts.push({ eventId, number, kind: caller!.source!.kind, end: resolve, fail });
        }),
    },
    deliveries: {
      isDue: ({ eventId }) => Promise.resolve(!startedElsewhere.includes(eventId)),
      releasePromises: (refs) => Promise.resolve(void released.push(...refs.map(({ eventId }) => eventId))),
    },
    capacity: { hangs: (endpointId) => endpointId === HANGING._id, isSlow: () => false },
    gate: { look: (endpointId) => looks.push(endpointId) },
    onFirstAttempt: (way) => told.push(way),
  });
  const placeFor = (endpoint = ACTIVE) => {
    const own = endpoint.options?.retry_schedule;
    return dispatcher.placeFor({ endpoint, own: own && ownSchedule(own), now: NOW });
  };
  /** Dispatches an event as its insert stored it, which took this long. */
  const accept = (eventId: number, endpoint = ACTIVE, insertMs = 0, place = placeFor(endpoint)) => {
    const destination: Destination = {
      ...{
        endpoint_id: endpoint._id,
        url: endpoint.url,
        state: 'pending',
        attempt_count: 0,
        completed_at: null,
        run: 1,
      },
      ...place,
    };
    const event = {
      ...{ _id: eventId, account_id: endpoint.account_id, type: 'order.created', data: new Binary(Buffer.from('{}')) },
      ...{ timestamp: 0, idempotency_key: null, accepted_at: new Timestamp({ t: 0, i: 0 }), finished_at: null },
      destinations: [destination],
    };
    dispatcher.accept({ event, destination }, endpoint, { now: NOW, madeAt: performance.now() - insertMs });
  };
  return {
    ...{ dispatcher, attempts, looks, told, released, accept },
    starts: starts.all,
    shows: shows.all,
    attempted: () => attempts.map(({ eventId }) => eventId),
    started: () => starts.all.map(({ eventId }) => eventId),
    shown: () => shows.all.map(({ eventId }) => eventId),
    place: placeFor,
    waiting: ({ _id: endpointId } = ACTIVE) => dispatcher.waitingFor({ accountId: 'one', endpointId }),
    /** As the sweeper does, which knows nothing but the record. */
    sweep: (eventId: number, fields: Partial<StartTask> = {}) => dispatcher.dispatch(buildStart(eventId, fields)),
    /** As a gate does, after a first attempt that failed. */
    releaseHeld: (eventId: number) =>
      dispatcher.dispatch(buildStart(eventId, { firstAttempt: 2 }), { kind: 'claimed' }),
    /** Has a delivery accepted, attempted at once and finished. */
    async deliver(eventId: number, outcome = DELIVERED) {
      accept(eventId);
      attempts.at(-1)!.end(outcome);
      await settle();
    },
  };
}

/** Ends all that was begun, also what follows. */
async function endAll(begun: readonly Begun<unknown>[]): Promise<void> {
  for (let at = 0; at < begun.length; at += 1) {
    begun[at]!.end();
    await settle();
  }
}

// A dispatcher rests and counts for seconds: the test moves its clock.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));

afterEach(() => jest.useRealTimers());

describe.each<FirstAttemptMode>(['express', 'workflow', 'auto'])('%s', (mode) => {
  it.each<[string, Endpoint]>([
    ['paused', PAUSED],
    ['disabled', buildEndpoint({ status: 'disabled' })],
    ['hanging', HANGING],
    ['in_line', buildEndpoint({ options: { ordered: true } })],
    ['at_rate', buildEndpoint({ options: { max_per_second: 5 } })],
  ])('leaves a delivery to the closed gate of its endpoint (%s)', async (reason, endpoint) => {
    const { place, attempted, started, looks, told, accept } = build(mode);
    expect(place(endpoint)).toEqual({ dispatch: 'held', held_for: reason, held_at: NOW, next_attempt_at: null });
    accept(1, endpoint);
    await pass(60_000);
    expect([attempted(), started(), told]).toEqual([[], [], []]);
    // The gate may be open again: it decides that itself.
    expect(looks).toEqual([endpoint._id]);
  });

  it('starts a delivery that is due later, whatever the state of the gate', () => {
    const { place, attempted, starts, looks, told, accept, sweep } = build(mode);
    const endpoint = { ...PAUSED, options: DELAYED.options! };
    expect(place(endpoint)).toEqual({ dispatch: 'due', next_attempt_at: new Date(NOW.getTime() + 5_000) });
    accept(1, endpoint);
    expect(sweep(2, { firstAttempt: 2, firstDelayMs: 1_000 })).toBe(true);
    expect(starts).toMatchObject([
      { eventId: 1, task: { firstAttempt: 1, firstDelayMs: 5_000 } },
      { eventId: 2, task: { firstAttempt: 2, firstDelayMs: 1_000 } },
    ]);
    // Only first attempts are told.
    expect([attempted(), looks, told]).toEqual([[], [], ['workflow']]);
  });

  it('accepts nothing after close', async () => {
    const { dispatcher, attempted, started, told, accept, sweep } = build(mode);
    await dispatcher.close();
    accept(1);
    accept(2, DELAYED);
    expect([sweep(3), attempted(), started(), told]).toEqual([false, [], [], []]);
  });
});

describe.each<FirstAttemptMode>(['express', 'auto'])('a process that makes attempts that are due (%s)', (mode) => {
  it('claims a delivery from its acceptance on, and attempts it at once from memory', async () => {
    const { dispatcher, place, attempts, started, told, accept } = build(mode);
    const claim = { claimed_by: OWNER, claimed_until: new Date(NOW.getTime() + 40_000) };
    expect([dispatcher.makesAttempts, place()]).toEqual([true, { dispatch: 'due', next_attempt_at: NOW, ...claim }]);
    accept(1);
    await pass(60_000);
    expect(attempts).toMatchObject([{ eventId: 1, number: 1, kind: 'memory' }]);
    expect([started(), told]).toEqual([[], ['express']]);
  });

  it("claims a delivery whose endpoint's own schedule starts at once", () => {
    const { place } = build(mode, { schedule: [5_000, 10_000] });
    expect(place(buildEndpoint({ options: { retry_schedule: [0, 30] } })).claimed_by).toBe(OWNER);
    expect(place().claimed_by).toBeUndefined();
  });

  it('reads the record after an insert that took long, because the claim may end too early', () => {
    const { attempts, accept } = build(mode);
    accept(1, ACTIVE, 4_900);
    accept(2, ACTIVE, 5_100);
    expect(attempts.map(({ kind }) => kind)).toEqual(['memory', 'claimed']);
  });

  it('attempts what a gate released and what a sweep found, with data from the record', () => {
    const { attempts, started, told, releaseHeld, sweep } = build(mode);
    expect([releaseHeld(1), sweep(2), sweep(3, { firstAttempt: 2 })]).toEqual([true, true, true]);
    expect(attempts).toMatchObject([
      { eventId: 1, number: 2, kind: 'claimed' },
      { eventId: 2, number: 1, kind: 'unclaimed' },
      { eventId: 3, number: 2, kind: 'unclaimed' },
    ]);
    expect([started(), told]).toEqual([[], ['express']]);
  });

  it('attempts no delivery again that is under way or waits for its start', async () => {
    const { attempts, started, told, accept, sweep } = build(mode);
    accept(1);
    expect(sweep(1)).toBe(false);
    attempts[0]!.fail();
    await settle();
    expect([started(), sweep(1)]).toEqual([[1], false]);
    expect(attempts).toHaveLength(1);
    expect(told).toEqual(['express']);
  });

  it('close waits for attempts under way first, so that their rest is still started', async () => {
    const { dispatcher, attempts, starts, accept } = build(mode);
    accept(1);
    let isClosed = false;
    const closing = dispatcher.close().then(() => (isClosed = true));
    attempts[0]!.end(FAILED);
    await settle();
    expect(starts).toMatchObject([{ eventId: 1, task: { firstAttempt: 2, firstDelayMs: 1_000, last: FAILED } }]);
    expect(isClosed).toBe(false);
    await endAll(starts);
    await closing;
  });

  it('counts deliveries of an endpoint that wait for a slot, wait for their start or are being started', () => {
    const { dispatcher, waiting, accept } = build(mode);
    for (const id of range(1, 70)) accept(id);
    for (const id of range(71, 100)) accept(id, DELAYED);
    // 64 of the attempts have a slot.
    expect([waiting(), waiting(DELAYED), waiting(HANGING)]).toEqual([6, 30, 0]);
    expect(dispatcher.waiting()).toEqual({ express: 6, workflow: 30 - AT_A_TIME });
  });
});

describe('a process whose executions make all attempts (workflow)', () => {
  it('claims and attempts nothing, and starts each delivery from its next attempt', async () => {
    const { dispatcher, place, attempted, starts, started, accept, sweep, releaseHeld } = build('workflow');
    expect([dispatcher.makesAttempts, place()]).toEqual([false, { dispatch: 'due', next_attempt_at: NOW }]);
    for (const id of range(1, 30)) accept(id);
    sweep(31);
    releaseHeld(32);
    await endAll(starts);
    expect([attempted(), started()]).toEqual([[], range(1, 32)]);
    expect(starts.at(-1)!.task).toMatchObject({ firstAttempt: 2, firstDelayMs: 0 });
  });

  it('rests for a second after a failed start, and leaves that delivery to the sweeper', async () => {
    const { started, starts, waiting, accept } = build('workflow');
    for (const id of range(1, 29)) accept(id);
    expect(waiting()).toBe(29);
    starts[0]!.fail();
    await settle();
    accept(30);
    await pass(990);
    // Those under way fail alike, and do not make it rest longer.
    starts[1]!.fail();
    await settle();
    expect([started(), waiting()]).toEqual([range(1, AT_A_TIME), 28]);
    await pass(10);
    await endAll(starts);
    expect([started(), waiting()]).toEqual([range(1, 30), 0]);
  });

  it('does not start a delivery that another process started while it waited long', async () => {
    const { started, starts, accept, sweep } = build('workflow', { startedElsewhere: [1, 25, 29] });
    for (const id of range(1, 28)) accept(id);
    await pass(1_000);
    accept(29);
    await pass(1_100);
    await endAll(starts);
    // Those that had not waited long were not looked up.
    expect(started()).toEqual(range(1, 29).filter((id) => id !== 25));
    expect(sweep(25)).toBe(true);
  });
});

describe('a process that runs a worker, whose executions make attempts (workflow)', () => {
  const buildEager = () => build('workflow', { eager: true });

  it('claims a delivery whose start need not wait, and attempts it from memory beside its execution', async () => {
    const { place, attempts, starts, told, accept } = buildEager();
    expect(place().claimed_by).toBe(OWNER);
    accept(1);
    await settle();
    expect(attempts).toEqual([]);
    await endAll(starts);
    expect(attempts).toMatchObject([{ eventId: 1, number: 1, kind: 'memory' }]);
    attempts[0]!.end(FAILED);
    await settle();
    expect([starts.length, told]).toEqual([1, ['workflow']]);
  });

  it('leaves a delivery whose start has to wait, a released one and a swept one to their executions', async () => {
    const { place, attempted, starts, started, accept, releaseHeld, sweep } = buildEager();
    for (const id of range(1, AT_A_TIME)) accept(id);
    expect(place()).toEqual({ dispatch: 'due', next_attempt_at: NOW });
    accept(AT_A_TIME + 1);
    releaseHeld(21);
    sweep(22);
    await endAll(starts);
    expect([attempted(), started()]).toEqual([range(1, AT_A_TIME), [...range(1, AT_A_TIME + 1), 21, 22]]);
  });

  it('reads the record after a slow start', async () => {
    const { attempts, starts, accept } = buildEager();
    accept(1);
    await pass(250);
    await endAll(starts);
    expect(attempts).toMatchObject([{ eventId: 1, kind: 'claimed' }]);
  });

  it('reads the record where many were claimed before the first of them started', async () => {
    const { place, attempts, starts, accept } = buildEager();
    const claimed = place();
    for (const id of range(1, 3 * AT_A_TIME)) accept(id, ACTIVE, 0, claimed);
    await endAll(starts);
    // Ten starts wait with their data, which may be large.
    expect(attempts.map(({ kind }) => kind).indexOf('claimed')).toBe(2 * AT_A_TIME);
  });

  it('releases the claim of a delivery that could not be started, or whose execution was ended', async () => {
    const { attempted, released, starts, accept } = buildEager();
    accept(1);
    accept(2);
    starts[0]!.end(false);
    starts[1]!.fail();
    await pass(1_000);
    expect([attempted(), released]).toEqual([[], [1, 2]]);
  });

  it('close releases the claims of deliveries that wait for their start or are being started', async () => {
    const { dispatcher, place, attempted, released, starts, accept } = buildEager();
    const claimed = place();
    for (const id of range(1, AT_A_TIME + 5)) accept(id, ACTIVE, 0, claimed);
    const closing = dispatcher.close();
    await settle();
    await endAll(starts);
    await closing;
    expect(attempted()).toEqual([]);
    expect(released.toSorted((one, other) => one - other)).toEqual(range(1, AT_A_TIME + 5));
  });
});

describe("a finished delivery in Temporal's Web UI", () => {
  it('is shown by auto with its answer, and not started', async () => {
    const { shows, started, deliver } = build('auto');
    await deliver(1);
    expect(shows).toMatchObject([{ eventId: 1, task: { last: DELIVERED } }]);
    expect(started()).toEqual([]);
  });

  it.each<[FirstAttemptMode, number]>([
    ['express', 3],
    ['auto', 0],
  ])('is not shown by %s with EXECUTIONS_PER_SECOND %i', async (mode, executionsPerSecond) => {
    const { shown, deliver } = build(mode, { executionsPerSecond });
    await deliver(1);
    expect(shown()).toEqual([]);
  });

  it('is not shown for ten seconds after a second with more than EXECUTIONS_PER_SECOND', async () => {
    const { shown, started, deliver } = build('auto');
    for (const id of range(1, 5)) await deliver(id);
    await pass(9_999);
    await deliver(6);
    expect(shown()).toEqual([1, 2, 3]);
    await pass(1);
    await deliver(7);
    expect([shown(), started()]).toEqual([[1, 2, 3, 7], []]);
  });

  it('is not shown for ten seconds after the last such second', async () => {
    const { shown, deliver } = build('auto');
    for (const id of range(1, 4)) await deliver(id);
    await pass(9_000);
    for (const id of range(5, 8)) await deliver(id);
    await pass(9_999);
    await deliver(9);
    expect(shown()).toEqual([1, 2, 3]);
    await pass(1);
    await deliver(10);
    expect(shown()).toEqual([1, 2, 3, 10]);
  });

  it('is shown as long as each second has no more than EXECUTIONS_PER_SECOND', async () => {
    const { shows, shown, deliver } = build('auto');
    for (const second of range(1, 30)) {
      for (const id of range(3 * second - 2, 3 * second)) await deliver(id);
      await endAll(shows);
      await pass(1_000);
    }
    expect(shown()).toEqual(range(1, 90));
  });

  it('waits for a late Temporal only with as many others as come in a second', async () => {
    const { shows, shown, deliver } = build('auto');
    for (const id of range(1, 20)) {
      await deliver(id);
      await pass(1_000);
    }
    expect(shown()).toEqual(range(1, AT_A_TIME));
    await endAll(shows);
    expect(shown()).toEqual(range(1, AT_A_TIME + 3));
  });

  it('is lost from there alone if it cannot be shown; others are started and shown', async () => {
    const { shows, shown, started, sweep, deliver } = build('auto');
    await deliver(1);
    shows[0]!.fail();
    await settle();
    await deliver(2);
    await deliver(3, FAILED);
    expect([shown(), started()]).toEqual([[1, 2], [3]]);
    expect(sweep(1)).toBe(true);
  });
});
