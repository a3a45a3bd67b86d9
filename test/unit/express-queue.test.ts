import type { KnownDelivery } from '../../src/record/delivery-store';
import { createExpressQueue } from '../../src/dispatch/express-queue';
import type { DeliveryStart } from '../../src/dispatch/executions';
import type { AttemptAnswer, AttemptInput, AttemptOutcome } from '../../src/domain/delivery-contract';
import { createLogger } from '../../src/platform/logger';
import { buildStart } from '../support/build-start';

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const KNOWN = { delivery: {}, endpoint: {} } as KnownDelivery;
const DELIVERED = answered({ succeeded: true });

function answered(fields: Partial<AttemptAnswer>): AttemptAnswer {
  return {
    kind: 'answered',
    number: 1,
    succeeded: false,
    startedAtMs: 0,
    latencyMs: 20,
    statusCode: fields.succeeded ? 200 : 500,
    errorCode: null,
    ...fields,
  };
}

interface UnderWay {
  readonly input: AttemptInput;
  readonly known: DeliveryStart['known'];
  /** Reports that the receiver is slow. */
  slow(): void;
  end(outcome: AttemptOutcome): void;
  fail(error: Error): void;
}

/** The clock of the process: it moves when the test says so. */
let nowMs: number;

beforeEach(() => {
  nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A queue whose attempts end when the test says so. Endpoints that are `slow` take long. */
function build(release: () => Promise<void> = () => Promise.resolve()) {
  const attempts: UnderWay[] = [];
  const log: string[] = [];
  const started: DeliveryStart[] = [];
  const slow = new Set<string>();
  const queue = createExpressQueue({
    attempt: (input, known, onSlow) =>
      new Promise((resolve, reject) => attempts.push({ input, known, slow: onSlow!, end: resolve, fail: reject })),
    deliveries: {
      releasePromises: async (refs) => {
        await release();
        if (refs.length > 0) log.push(`released ${refs.map(({ eventId }) => eventId).join(' ')}`);
      },
      markStarted: ({ eventId }) => Promise.resolve(void log.push(`recorded the start of ${eventId}`)),
    },
    load: { isSlow: (endpointId) => slow.has(endpointId) },
    start: (delivery) => {
      log.push(`started ${delivery.ref.eventId}`);
      return started.push(delivery) > 0;
    },
    schedule: [0, 1_000, 5_000],
    logger: createLogger('silent'),
  });
  const enqueue = (
    eventId: number,
    endpointId = 'ep_test',
    accountId = 'one',
    fields?: Partial<DeliveryStart>,
  ): boolean => queue.enqueue(buildStart(eventId, { endpointId, accountId, known: KNOWN, knownAt: nowMs, ...fields }));
  return {
    queue,
    /** All that were begun, in their order. */
    attempts,
    log,
    started,
    slow,
    enqueue,
    ids: () => attempts.map(({ input }) => input.eventId),
    /** Ends the attempts from one to another, one after the other. */
    async deliver(from: number, to: number) {
      for (let at = from; at < to; at += 1) {
        attempts[at]!.end(DELIVERED);
        await settle();
      }
    },
    /** Occupies every slot of the process. */
    fill() {
      for (const id of range(1, 256)) enqueue(id, `ep_filler_${id % 4}`, 'filler');
    },
    /** Has a delivery attempted, and the attempt end. */
    async attemptOnce(outcome: AttemptOutcome | Error, fields?: Partial<DeliveryStart>) {
      enqueue(1, 'ep_test', 'one', fields);
      if (outcome instanceof Error) attempts[0]!.fail(outcome);
      else attempts[0]!.end(outcome);
      await settle();
    },
  };
}

describe('slots', () => {
  it('a delivery that gets a slot is attempted at once, with the known data', () => {
    const { queue, attempts, enqueue } = build();
    expect(enqueue(1)).toBe(true);
    expect(attempts).toMatchObject([
      {
        input: { eventId: 1, endpointId: 'ep_test', run: 1, number: 1, nextDelayMs: 1_000 },
        known: KNOWN,
      },
    ]);
    expect(queue.size()).toBe(0);
  });

  it('a delivery that had to wait up to 250 ms is attempted with the known data', async () => {
    const { queue, attempts, enqueue, deliver } = build();
    for (const id of range(1, 65)) enqueue(id);
    expect(queue.size()).toBe(1);
    nowMs += 249;
    await deliver(0, 1);
    expect(attempts[64]).toMatchObject({ input: { eventId: 65 }, known: KNOWN });
    expect(queue.size()).toBe(0);
  });

  it('a delivery that had to wait longer reads the record again, because it may be cancelled by then', async () => {
    const { attempts, enqueue, deliver } = build();
    for (const id of range(1, 65)) enqueue(id);
    nowMs += 250;
    await deliver(0, 1);
    expect(attempts[64]).toMatchObject({ input: { eventId: 65 }, known: 'waited' });
  });

  it('256 waiting deliveries keep their data, which may be large; later ones are read again', async () => {
    const { attempts, enqueue, deliver } = build();
    for (const id of range(1, 64 + 257)) enqueue(id);
    await deliver(0, 257);
    expect(attempts.slice(64, 64 + 256).every(({ known }) => known === KNOWN)).toBe(true);
    expect(attempts[64 + 256]).toMatchObject({ input: { eventId: 64 + 257 }, known: 'waited' });
  });

  it('an endpoint has at most 64 attempts under way; others follow in order as these end', async () => {
    const { ids, enqueue, deliver } = build();
    for (const id of range(1, 200)) enqueue(id);
    expect(ids()).toEqual(range(1, 64));
    await deliver(0, 10);
    expect(ids()).toEqual(range(1, 74));
    await deliver(10, 200);
    expect(ids()).toEqual(range(1, 200));
  });

  it('a process has at most 256 attempts under way; others follow as these end', async () => {
    const { queue, attempts, enqueue, deliver } = build();
    for (const id of range(1, 1_000)) enqueue(id, `ep_${id % 100}`);
    expect(attempts).toHaveLength(256);
    expect(queue.size()).toBe(744);
    await deliver(0, 10);
    expect(attempts).toHaveLength(266);
    await deliver(10, 1_000);
    expect(attempts).toHaveLength(1_000);
    expect(queue.size()).toBe(0);
  });

  it('a hanging endpoint leaves slots to others, which are sent at once from memory', () => {
    const { attempts, enqueue } = build();
    for (const id of range(1, 1_000)) enqueue(id, 'ep_hanging');
    for (const id of range(1_001, 1_100)) enqueue(id, `ep_${id % 10}`);
    const others = attempts.filter(({ input }) => input.endpointId !== 'ep_hanging');
    expect(others).toHaveLength(100);
    expect(others.every(({ known }) => known === KNOWN)).toBe(true);
  });

  it('a freed slot goes to an endpoint that may use it, even if another endpoint has waited longer', async () => {
    const { attempts, enqueue } = build();
    for (const id of range(1, 100)) enqueue(id, 'ep_hanging');
    for (const id of range(101, 292)) enqueue(id, `ep_${id % 4}`);
    enqueue(293, 'ep_0');
    attempts[255]!.end(DELIVERED);
    await settle();
    expect(attempts.slice(256).map(({ input }) => input.eventId)).toEqual([293]);
  });

  it("a slow receiver's slot is freed, once", async () => {
    const { ids, attempts, log, enqueue, deliver } = build();
    for (const id of range(1, 70)) enqueue(id);
    attempts[0]!.slow();
    expect(ids()).toEqual(range(1, 65));
    // It is under way all the same, and no execution is started for it.
    expect(enqueue(1)).toBe(false);
    await deliver(0, 1);
    expect(ids()).toEqual(range(1, 65));
    expect(log).toEqual([]);
    await deliver(1, 2);
    expect(ids()).toEqual(range(1, 66));
  });

  it('attempts to a slow endpoint use no slots: no delivery waits for them', () => {
    const { queue, ids, enqueue, slow } = build();
    slow.add('ep_slow');
    for (const id of range(1, 1_000)) enqueue(id, 'ep_slow');
    for (const id of range(1_001, 1_300)) enqueue(id, `ep_${id % 10}`);
    expect(ids().slice(0, 1_000)).toEqual(range(1, 1_000));
    expect(ids()).toHaveLength(1_256);
    expect(queue.size()).toBe(44);
  });

  it('when an endpoint with 20,000 waiting deliveries becomes slow, all of them are attempted', async () => {
    const { queue, attempts, enqueue, deliver, slow } = build();
    for (const id of range(1, 20_064)) enqueue(id);
    slow.add('ep_test');
    await deliver(0, 1);
    expect(queue.size()).toBe(0);
    expect(attempts).toHaveLength(20_064);
  });

  it('waiting deliveries are counted by endpoint', async () => {
    const { queue, enqueue, deliver } = build();
    const waiting = (endpointId: string): number => queue.waitingFor({ accountId: 'one', endpointId });
    for (const id of range(1, 70)) enqueue(id, 'ep_one');
    enqueue(71, 'ep_other');
    expect([waiting('ep_one'), waiting('ep_other')]).toEqual([6, 0]);
    await deliver(0, 6);
    expect(waiting('ep_one')).toBe(0);
  });

  it('a delivery that waits or is being attempted is not accepted twice', async () => {
    const { queue, attempts, enqueue, deliver } = build();
    for (const id of range(1, 100)) enqueue(id);
    expect(range(1, 100).filter((id) => enqueue(id))).toEqual([]);
    expect(queue.size()).toBe(36);
    await deliver(0, 100);
    expect(attempts).toHaveLength(100);
    // If it was not made, a later sweep finds it again.
    expect(enqueue(1)).toBe(true);
  });

  it('with 20,000 waiting, the next delivery is refused, and accepted when there is room again', async () => {
    const { queue, enqueue, deliver } = build();
    for (const id of range(1, 20_064)) enqueue(id);
    expect(queue.size()).toBe(20_000);
    expect(enqueue(30_000)).toBe(false);
    expect(queue.size()).toBe(20_000);
    await deliver(0, 1);
    expect(enqueue(30_000)).toBe(true);
  });

  it('with 20,000 waiting for one account, a delivery of another account replaces the newest', async () => {
    const { queue, ids, enqueue, fill, deliver } = build();
    fill();
    for (const id of range(1_001, 21_000)) enqueue(id, 'ep_noisy', 'noisy');
    expect(enqueue(30_000, 'ep_quiet', 'quiet')).toBe(true);
    expect(queue.size()).toBe(20_000);
    await deliver(0, 2);
    expect(ids().slice(256)).toEqual([1_001, 30_000]);
    // The one that had to go may come again.
    expect([enqueue(20_999, 'ep_noisy', 'noisy'), enqueue(21_000, 'ep_noisy', 'noisy')]).toEqual([false, true]);
  });

  it('with 20,000 waiting for a hanging endpoint, deliveries to others are sent', () => {
    const { ids, enqueue } = build();
    for (const id of range(1, 20_064)) enqueue(id, 'ep_hanging');
    expect(enqueue(30_000, 'ep_other')).toBe(true);
    expect(ids()).toContain(30_000);
  });
});

describe('turns', () => {
  it("a quiet account doesn't wait behind thousands of a noisy one", async () => {
    const { attempts, enqueue, deliver } = build();
    for (const id of range(1, 5_000)) enqueue(id, `ep_noisy_${id % 100}`, 'noisy');
    for (const id of range(5_001, 5_003)) enqueue(id, 'ep_quiet', 'quiet');
    await deliver(0, 6);
    // In turn: one of each, for as long as both have some.
    const next = attempts.slice(256).map(({ input }) => input.endpointId);
    expect(next.filter((endpointId) => endpointId === 'ep_quiet')).toHaveLength(3);
    expect(next).toHaveLength(6);
  });

  it("a quiet endpoint of an account doesn't wait behind thousands of another one", async () => {
    const { attempts, enqueue, fill, deliver } = build();
    fill();
    for (const id of range(1_001, 5_000)) enqueue(id, 'ep_noisy');
    for (const id of range(5_001, 5_003)) enqueue(id, 'ep_quiet');
    await deliver(0, 6);
    const next = attempts.slice(256).map(({ input }) => input.endpointId);
    expect(next.filter((endpointId) => endpointId === 'ep_quiet')).toHaveLength(3);
    expect(next).toHaveLength(6);
  });

  it('an account with many endpoints gets no more turns than an account with one', async () => {
    const { attempts, enqueue, fill, deliver } = build();
    fill();
    for (const id of range(1_001, 2_000)) enqueue(id, `ep_many_${id % 100}`, 'many');
    for (const id of range(2_001, 2_050)) enqueue(id, 'ep_single', 'single');
    await deliver(0, 20);
    const next = attempts.slice(256).map(({ input }) => input.endpointId);
    expect(next.filter((endpointId) => endpointId === 'ep_single')).toHaveLength(10);
  });

  it('an account that fills every slot shares each freed one', async () => {
    const { attempts, enqueue, deliver } = build();
    for (const id of range(1, 1_000)) enqueue(id, `ep_noisy_${id % 4}`, 'noisy');
    enqueue(5_001, 'ep_quiet', 'quiet');
    await deliver(0, 2);
    expect(attempts.slice(256).map(({ input }) => input.endpointId)).toContain('ep_quiet');
  });
});

describe('after its attempt', () => {
  it('a successful delivery needs no execution', async () => {
    const { log, attemptOnce } = build();
    await attemptOnce(DELIVERED);
    expect(log).toEqual([]);
  });

  it.each([
    ['after the second delay of the schedule', undefined, {}, 1_000],
    ["after the second delay of the endpoint's own schedule", [0, 30_000], {}, 30_000],
    ['when the receiver asked for it', undefined, { nextDelayMs: 7_000 }, 7_000],
  ])('a failed delivery continues with attempt 2, %s', async (_when, schedule, fields, firstDelayMs) => {
    const { log, started, attemptOnce } = build();
    await attemptOnce(answered(fields), { schedule });
    expect(log).toEqual(['started 1']);
    expect(started).toMatchObject([{ firstAttempt: 2, firstDelayMs, schedule }]);
  });

  it("the answer of a failed attempt is recorded with the schedule's next delay", async () => {
    const { attempts, attemptOnce } = build();
    await attemptOnce(answered({}), { schedule: [0, 30_000] });
    expect(attempts[0]!.input.nextDelayMs).toBe(30_000);
  });

  it('a delivery that failed its only attempt needs no execution', async () => {
    const { log, attempts, attemptOnce } = build();
    await attemptOnce(answered({}), { schedule: [0] });
    expect(log).toEqual([]);
    expect(attempts[0]!.input.nextDelayMs).toBeNull();
  });

  it('a released later attempt has its own number, and the delay after it', async () => {
    const { attempts, started, attemptOnce } = build();
    await attemptOnce(answered({ number: 2 }), { firstAttempt: 2 });
    expect(attempts).toMatchObject([{ input: { number: 2, nextDelayMs: 5_000 }, known: KNOWN }]);
    expect(started).toMatchObject([{ firstAttempt: 3, firstDelayMs: 5_000 }]);
  });

  it.each<[string, AttemptOutcome]>([
    ['that needs nothing more', { kind: 'ended', state: 'cancelled' }],
    ['that waits for the gate of its endpoint', { kind: 'held', reason: 'paused' }],
  ])('a delivery %s is left alone', async (_which, outcome) => {
    const { log, attemptOnce } = build();
    await attemptOnce(outcome);
    expect(log).toEqual([]);
  });

  it("a delivery whose attempt couldn't be made is released, and then started from that attempt", async () => {
    const { log, started, attemptOnce } = build();
    await attemptOnce(new Error('MongoDB is away'), { firstAttempt: 2 });
    expect(log).toEqual(['released 1', 'started 1']);
    expect(started).toMatchObject([{ firstAttempt: 2, firstDelayMs: 0 }]);
    // It does not keep the event's data in memory while it waits.
    expect(started[0]).not.toHaveProperty('known');
  });

  it("a delivery that couldn't be released is still started", async () => {
    const { log, attemptOnce } = build(() => Promise.reject(new Error('MongoDB is away')));
    await attemptOnce(new Error('MongoDB is away'));
    expect(log).toEqual(['started 1']);
  });

  it("the slot of an attempt that couldn't be made is freed", async () => {
    const { ids, attempts, enqueue } = build();
    for (const id of range(1, 65)) enqueue(id);
    attempts[0]!.fail(new Error('no sockets left'));
    await settle();
    expect(ids()).toContain(65);
  });
});

describe('a first attempt whose execution exists already', () => {
  it.each<[string, AttemptOutcome | Error, string[]]>([
    ['finishes its delivery: the answer says enough', DELIVERED, []],
    ['fails', answered({}), ['recorded the start of 1']],
    ["couldn't be made", new Error('MongoDB is away'), ['released 1', 'recorded the start of 1']],
    ['waits for the gate of its endpoint', { kind: 'held', reason: 'paused' }, []],
  ])('%s', async (_which, outcome, expected) => {
    const { log, attempts, attemptOnce } = build();
    await attemptOnce(outcome, { stage: 'started' });
    expect(attempts).toHaveLength(1);
    expect(log).toEqual(expected);
  });

  it('has its start recorded while a slow receiver takes its time', () => {
    const { log, attempts, enqueue } = build();
    enqueue(1, 'ep_test', 'one', { stage: 'started' });
    attempts[0]!.slow();
    expect(log).toEqual(['recorded the start of 1']);
  });
});

describe('close', () => {
  /** Closes the queue, and tells whether it is closed. */
  function closeOf({ queue }: ReturnType<typeof build>) {
    const state = { closed: false, closing: Promise.resolve() };
    state.closing = queue.close().then(() => void (state.closed = true));
    return state;
  }

  it('releases waiting deliveries of every endpoint, and attempts none of them', async () => {
    const built = build();
    const { queue, attempts, log, enqueue, fill, deliver } = built;
    fill();
    enqueue(301, 'ep_one', 'one');
    enqueue(302, 'ep_other', 'one');
    enqueue(303, 'ep_filler_0', 'filler');
    const { closing } = closeOf(built);
    await deliver(0, 256);
    await closing;
    expect(log).toHaveLength(1);
    expect(log[0]!.split(' ').slice(1).sort()).toEqual(['301', '302', '303']);
    expect(attempts).toHaveLength(256);
    expect(queue.size()).toBe(0);
  });

  it('resolves when the attempts under way have ended and their rest is started', async () => {
    const built = build();
    const { attempts, started, enqueue } = built;
    enqueue(1);
    enqueue(2);
    const state = closeOf(built);
    attempts[0]!.end(DELIVERED);
    await settle();
    expect(state.closed).toBe(false);
    attempts[1]!.end(answered({}));
    await state.closing;
    expect(started).toMatchObject([{ ref: { eventId: 2 }, firstAttempt: 2 }]);
  });

  it('accepts nothing more', async () => {
    const { queue, attempts, enqueue } = build();
    await queue.close();
    expect(enqueue(1)).toBe(false);
    expect(attempts).toEqual([]);
  });

  it("resolves even if waiting deliveries couldn't be released", async () => {
    const built = build(() => Promise.reject(new Error('MongoDB is away')));
    const { enqueue, deliver } = built;
    for (const id of range(1, 65)) enqueue(id);
    const { closing } = closeOf(built);
    await deliver(0, 64);
    await expect(closing).resolves.toBeUndefined();
  });
});
