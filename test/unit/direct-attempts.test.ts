import type { AttemptAnswer, AttemptInput, AttemptOutcome } from '../../src/domain/delivery-contract';
import { createDirectAttempts } from '../../src/engine/direct-attempts';
import type { AttemptSource, AttemptTask, ShowTask, StartTask } from '../../src/engine/task';
import { createLogger } from '../../src/platform/logger';
import type { KnownDelivery } from '../../src/stores/delivery-store';
import { buildStart } from '../support/build-start';
import { range, settle } from '../support/steps';

const KNOWN = { delivery: {}, endpoint: {} } as KnownDelivery;
const AWAY = new Error('MongoDB is away');

function answered(fields: Partial<AttemptAnswer> = {}): AttemptAnswer {
  const statusCode = fields.succeeded ? 200 : 500;
  const whole = { kind: 'answered', number: 1, startedAtMs: 0, latencyMs: 20, statusCode, errorCode: null } as const;
  return { ...whole, succeeded: false, ...fields };
}
const DELIVERED = answered({ succeeded: true });
const FAILED = answered();

interface UnderWay {
  readonly input: AttemptInput;
  readonly source: AttemptSource;
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

/** Attempts that end when the test says so. Endpoints that are `slow` take long. */
function build({ release = () => Promise.resolve(), isShown = (): boolean => false } = {}) {
  const attempts: UnderWay[] = [];
  /** What happened to deliveries, in order. */
  const log: string[] = [];
  const started: StartTask[] = [];
  const shown: ShowTask[] = [];
  const slow = new Set<string>();
  const direct = createDirectAttempts({
    attempts: {
      make: (input, caller) =>
        new Promise((resolve, reject) =>
          attempts.push({ input, source: caller!.source!, slow: caller!.onSlow!, end: resolve, fail: reject }),
        ),
    },
    deliveries: {
      async releasePromises(refs) {
        await release();
        log.push(`released ${refs.map(({ eventId }) => eventId).join(' ')}`);
      },
    },
    capacity: { isSlow: (endpointId) => slow.has(endpointId) },
    schedule: [0, 1_000, 5_000],
    logger: createLogger('silent'),
    isShown,
    start(task) {
      log.push(`started ${task.ref.eventId}`);
      started.push(task);
    },
    show(task) {
      log.push(`shown ${task.ref.eventId}`);
      shown.push(task);
    },
  });
  const enqueue = (eventId: number, { endpointId = 'ep_test', ...fields }: Fields = {}): boolean => {
    const { firstAttempt: _, firstDelayMs: _now, ...delivery } = buildStart(eventId, { endpointId });
    const source = { kind: 'memory', known: KNOWN, readAtMs: nowMs } as const;
    return direct.enqueue({ ...delivery, number: 1, source, execution: 'none', ...fields });
  };
  return {
    direct,
    /** All that were begun, in their order. */
    attempts,
    log,
    started,
    shown,
    slow,
    enqueue,
    ids: () => attempts.map(({ input }) => input.eventId),
    sources: () => attempts.map(({ source }) => source.kind),
    /** Ends the attempts from one to another, one after the other. */
    async deliver(from: number, to: number) {
      for (let at = from; at < to; at += 1) {
        attempts[at]!.end(DELIVERED);
        await settle();
      }
    },
    /** Has a delivery attempted, and the attempt end. */
    async attemptOnce(outcome: AttemptOutcome | Error, fields?: Fields) {
      enqueue(1, fields);
      if (outcome instanceof Error) attempts[0]!.fail(outcome);
      else attempts[0]!.end(outcome);
      await settle();
    },
  };
}
type Fields = Partial<AttemptTask> & { endpointId?: string };

describe('slots', () => {
  it.each([
    [0, 'memory'],
    [249, 'memory'],
    [250, 'claimed'],
  ])('a delivery that waited %i ms is attempted with data from: %s', async (ms, kind) => {
    const { attempts, enqueue, deliver } = build();
    for (const id of range(1, 65)) enqueue(id);
    expect(attempts[0]!.source).toMatchObject({ kind: 'memory', known: KNOWN });
    nowMs += ms;
    await deliver(0, 1);
    expect(attempts[64]!.source.kind).toBe(kind);
  });

  it('256 waiting deliveries keep their data, which may be large; later ones are read again', async () => {
    const { sources, enqueue, deliver } = build();
    for (const id of range(1, 64 + 257)) enqueue(id);
    await deliver(0, 257);
    expect(sources().indexOf('claimed')).toBe(64 + 256);
  });

  it('a hanging endpoint has at most 64 of the 256 slots of a process', () => {
    const { direct, attempts, enqueue } = build();
    for (const id of range(1, 100)) enqueue(id, { endpointId: 'ep_hanging' });
    expect(attempts).toHaveLength(64);
    for (const id of range(101, 300)) enqueue(id, { endpointId: `ep_${id % 10}` });
    expect([attempts.length, direct.size()]).toEqual([256, 36 + 8]);
  });

  it("a slow receiver's slot goes to the next delivery", () => {
    const { ids, attempts, log, enqueue } = build();
    for (const id of range(1, 70)) enqueue(id);
    attempts[0]!.slow();
    expect(ids()).toEqual(range(1, 65));
    // It is under way all the same, and no execution is started for it.
    expect([enqueue(1), log]).toEqual([false, []]);
  });

  it('when an endpoint with 20,000 waiting deliveries becomes slow, all of them are attempted without slots', async () => {
    const { direct, attempts, enqueue, deliver, slow } = build();
    for (const id of range(1, 20_064)) enqueue(id);
    slow.add('ep_test');
    await deliver(0, 1);
    expect([direct.size(), attempts.length]).toEqual([0, 20_064]);
  });
});

describe('after its attempt', () => {
  it.each<[string, readonly number[] | undefined, Partial<AttemptAnswer>, number]>([
    ['after the second delay of the schedule', undefined, {}, 1_000],
    ["after the second delay of the endpoint's own schedule", [0, 30_000], {}, 30_000],
    ['when the receiver asked for it', undefined, { nextDelayMs: 7_000 }, 7_000],
  ])('a failed delivery continues with attempt 2, %s', async (_when, schedule, fields, firstDelayMs) => {
    const { log, started, attempts, attemptOnce } = build();
    const last = answered(fields);
    // The execution that gave it back has ended, or the attempt would not have been due.
    await attemptOnce(last, { schedule, givenBack: new Date(0) });
    expect(attempts[0]!.input).toEqual({
      ...{ eventId: 1, endpointId: 'ep_test', run: 1, number: 1, trigger: 'scheduled', express: true },
      nextDelayMs: schedule?.[1] ?? 1_000,
    });
    expect(log).toEqual(['started 1']);
    // It does not keep the event's data in memory while it waits.
    expect(started).toEqual([buildStart(1, { firstAttempt: 2, firstDelayMs, last, schedule })]);
  });

  it('a later attempt has its own number, and the delay after it', async () => {
    const { attempts, started, attemptOnce } = build();
    await attemptOnce(answered({ number: 2 }), { number: 2, source: { kind: 'unclaimed' } });
    expect(attempts).toMatchObject([{ input: { number: 2, nextDelayMs: 5_000 }, source: { kind: 'unclaimed' } }]);
    expect(started).toMatchObject([{ firstAttempt: 3, firstDelayMs: 5_000, last: { number: 2 } }]);
  });

  it.each<[string, boolean]>([
    ['a rejected release', false],
    ['a release', true],
  ])('a delivery whose attempt could not be made is started from that attempt, after %s', async (_what, isReleased) => {
    const release = () => (isReleased ? Promise.resolve() : Promise.reject(AWAY));
    const { log, started, attemptOnce } = build({ release, isShown: () => true });
    const givenBack = new Date(0);
    await attemptOnce(AWAY, { number: 2, givenBack });
    expect(log).toEqual([...(isReleased ? ['released 1'] : []), 'started 1']);
    expect(started).toEqual([buildStart(1, { firstAttempt: 2, givenBack })]);
  });
});

describe('an attempt beside its execution', () => {
  it.each<[string, AttemptOutcome | Error, string[]]>([
    ['delivers', DELIVERED, []],
    ['fails', FAILED, []],
    ['waits for the gate of its endpoint', { kind: 'held', reason: 'paused' }, []],
    ['could not be made, and is released', AWAY, ['released 1']],
  ])('leaves everything else to it if it %s', async (_what, outcome, expected) => {
    const { attempts, log, attemptOnce } = build({ isShown: () => true });
    await attemptOnce(outcome, { execution: 'running' });
    const { express, shown, ...input } = attempts[0]!.input;
    expect([express, shown, input.number]).toEqual([undefined, undefined, 1]);
    expect(log).toEqual(expected);
  });
});

describe("Temporal's Web UI", () => {
  it.each<[string, AttemptAnswer, number[]]>([
    ['a delivered one', DELIVERED, [0, 1_000]],
    ['one that failed its last attempt', FAILED, [0]],
  ])(
    'shows a finished delivery if the load was ordinary when its attempt began: %s',
    async (_which, last, schedule) => {
      for (const isOrdinary of [true, false]) {
        const loads = [isOrdinary];
        const { attempts, log, shown, attemptOnce } = build({ isShown: () => loads.pop() ?? !isOrdinary });
        await attemptOnce(last, { schedule });
        // The record says the same.
        expect(attempts[0]!.input.shown).toBe(isOrdinary || undefined);
        expect(log).toEqual(isOrdinary ? ['shown 1'] : []);
        expect(shown).toMatchObject(isOrdinary ? [{ ref: { eventId: 1 }, last }] : []);
      }
    },
  );

  it.each<[string, AttemptOutcome, string[]]>([
    ['that fails, whose next execution shows it', FAILED, ['started 1']],
    ['that needs nothing more', { kind: 'ended', state: 'cancelled' }, []],
    ['that waits for the gate of its endpoint', { kind: 'held', reason: 'paused' }, []],
  ])('is not shown a delivery %s', async (_which, outcome, expected) => {
    const { log, attemptOnce } = build({ isShown: () => true });
    await attemptOnce(outcome);
    expect(log).toEqual(expected);
  });
});

describe('close', () => {
  it('releases waiting deliveries, and resolves when the rest of those under way is started', async () => {
    const { direct, attempts, log, enqueue, deliver } = build();
    for (const id of range(1, 66)) enqueue(id);
    const closing = direct.close();
    await deliver(0, 63);
    attempts[63]!.end(FAILED);
    await closing;
    expect(log).toEqual(['released 65 66', 'started 64']);
    expect(attempts).toHaveLength(64);
  });

  it("resolves even if waiting deliveries couldn't be released", async () => {
    const { direct, enqueue, deliver } = build({ release: () => Promise.reject(AWAY) });
    for (const id of range(1, 65)) enqueue(id);
    const closing = direct.close();
    await deliver(0, 64);
    await expect(closing).resolves.toBeUndefined();
  });
});
