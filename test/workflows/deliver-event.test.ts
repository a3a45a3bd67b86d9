import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { HeldReason } from '../../src/domain/delivery-contract';
import { cancel, retryNow } from '../../workflows/deliver-event';
import { currentDetailsOf } from '../support/current-details';
import { eventually } from '../support/eventually';
import {
  buildAnswer,
  DEFAULT_SCHEDULE,
  scheduledOf,
  timersOf,
  untilTimers,
  useTestbed,
  type TestDelivery,
  type World,
} from './build-testbed';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When each attempt of the default schedule is made, after the first. */
const ATTEMPT_TIMES = [
  0,
  1 * SECOND,
  6 * SECOND,
  36 * SECOND,
  5 * MINUTE + 36 * SECOND,
  35 * MINUTE + 36 * SECOND,
  2 * HOUR + 35 * MINUTE + 36 * SECOND,
  26 * HOUR + 35 * MINUTE + 36 * SECOND,
];

/** Fails until the record says that the run is over. */
const endsAsCancelled = (isOver: (number: number) => boolean): World => ({
  attemptDelivery: ({ number }) => (isOver(number) ? { kind: 'ended', state: 'cancelled' } : buildAnswer(number, 503)),
});

/** Fails until the attempt that is answered with 200. */
const deliversAt = (last: number): World => ({
  attemptDelivery: ({ number }) => buildAnswer(number, number === last ? 200 : 503),
});

/** What activities and workflow tasks may add between two timers. */
const SLACK_MS = 4 * SECOND;

const testbed = useTestbed();

describe('the schedule', () => {
  it('eight answers without 2xx make eight attempts over 26 h 35 min 36 s, and the execution ends as Failed', async () => {
    const delivery = await testbed.start({});

    const error = await failureOf(delivery);

    expect(error.type).toBe('DeliveryFailed');
    expect(error.message).toBe('attempt 8 of 8 failed: 503');
    expect(numbersOf(delivery)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expectTimes(delivery, ATTEMPT_TIMES);
    expect((await delivery.handle.describe()).status.name).toBe('FAILED');
    const timers = await timersOf(delivery);
    expect(timers).toEqual([SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 24 * HOUR]);
    expect(timers.reduce((sum, ms) => sum + ms)).toBe(26 * HOUR + 35 * MINUTE + 36 * SECOND);
    // Each attempt gets the delay that follows it; the last one gets none.
    const attempts = delivery.calls.map(({ input }) => input!);
    expect(attempts.map(({ nextDelayMs }) => nextDelayMs)).toEqual([...DEFAULT_SCHEDULE.slice(1), null]);
    expect(new Set(attempts.map(({ trigger }) => trigger))).toEqual(new Set(['scheduled']));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'a 2xx answer to attempt %i completes the delivery, and nothing more is sent',
    async (k) => {
      const delivery = await testbed.start({
        attemptDelivery: ({ number }) => buildAnswer(number, number === k ? 204 : 500),
      });

      expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: k });

      expect(numbersOf(delivery)).toEqual(ATTEMPT_TIMES.slice(0, k).map((_, index) => index + 1));
      expectTimes(delivery, ATTEMPT_TIMES.slice(0, k));
      expect((await delivery.handle.describe()).status.name).toBe('COMPLETED');
    },
  );

  it("a delivery that isn't due yet also waits before its first attempt", async () => {
    const delivery = await testbed.start({}, { schedule: [3 * SECOND, SECOND], firstDelayMs: 2 * SECOND });
    await failureOf(delivery);

    expect(await timersOf(delivery)).toEqual([2 * SECOND, SECOND]);
    expect(numbersOf(delivery)).toEqual([1, 2]);
  });

  it('a delivery that was held, or that Temporal lost, resumes with its next attempt after the rest of its delay', async () => {
    const delivery = await testbed.start({}, { firstAttempt: 6, firstDelayMs: 12_345 });
    const error = await failureOf(delivery);

    expect(numbersOf(delivery)).toEqual([6, 7, 8]);
    expect(await timersOf(delivery)).toEqual([12_345, 2 * HOUR, 24 * HOUR]);
    expect(error.message).toBe('attempt 8 of 8 failed: 503');
  });
});

describe('when there is no answer', () => {
  it('an infrastructure failure uses up no attempt', async () => {
    const delivery = await testbed.start({
      attemptDelivery: ({ number }, earlier) => {
        if (earlier < 2 || (number === 2 && earlier < 6)) throw new Error('MongoDB is away');
        return buildAnswer(number, number === 3 ? 200 : 503);
      },
    });

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 3 });

    expect(numbersOf(delivery)).toEqual([1, 1, 1, 2, 2, 2, 2, 3]);
  });

  it('an attempt that another process is making is requested again at growing intervals, on the slow queue', async () => {
    const delivery = await testbed.start({
      attemptDelivery: ({ number }, earlier) => {
        if (earlier < 7) throw new Error('another process makes the attempt');
        return buildAnswer(number, 200);
      },
    });

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 1 });

    expect(numbersOf(delivery)).toEqual(Array(8).fill(1));
    expectTimes(
      delivery,
      [0, 0, 1, 3, 7, 15, 30, 45].map((seconds) => seconds * SECOND),
    );
    expect((await scheduledOf(delivery)).map(({ taskQueue }) => taskQueue?.name)).toEqual(['everpost-slow-attempts']);
  });
});

describe('a closed gate', () => {
  it('ends the execution without using up an attempt or waiting: a new execution continues', async () => {
    const delivery = await testbed.start({
      attemptDelivery: ({ number }) => (number === 3 ? { kind: 'held', reason: 'paused' } : buildAnswer(number, 503)),
    });

    expect(await delivery.handle.result()).toEqual({ state: 'held', reason: 'paused', attempts: 2 });

    expect(numbersOf(delivery)).toEqual([1, 2, 3]);
    expect(await timersOf(delivery)).toEqual([SECOND, 5 * SECOND]);
    expect((await delivery.handle.describe()).status.name).toBe('COMPLETED');
  });

  it.each<[HeldReason, string]>([
    ['paused', 'the endpoint is paused'],
    ['disabled', 'the endpoint is disabled'],
    ['hanging', 'the endpoint answers nothing'],
    ['at_cap', 'the endpoint has as many requests as it may'],
    ['at_rate', 'it is not its turn in the rate of the endpoint'],
    ['in_line', 'an earlier event of this ordered endpoint comes first'],
  ])('tells an operator why: %s', async (reason, why) => {
    const delivery = await testbed.start({ attemptDelivery: () => ({ kind: 'held', reason }) });

    expect(await delivery.handle.result()).toEqual({ state: 'held', reason, attempts: 0 });
    expect(await currentDetailsOf(delivery.handle)).toBe(`attempt 1 is held: ${why}; a new execution makes it`);
  });
});

describe('cancel', () => {
  it('between attempts: the delivery ends without another request', async () => {
    let cancelled = false;
    const delivery = await testbed.start(endsAsCancelled(() => cancelled));
    await sleepUntilAttempt(delivery, 3);

    // The API writes the state first and signals second.
    cancelled = true;
    await delivery.handle.signal(cancel);

    expect(await delivery.handle.result()).toEqual({ state: 'cancelled', attempts: 3 });
    expectTimes(delivery, [0, SECOND, 6 * SECOND, 6 * SECOND]);
  });

  it('a signal sent by hand, without the API, cancels too, and uses up no further attempts', async () => {
    let cancelled = false;
    const delivery = await testbed.start({
      ...endsAsCancelled(() => cancelled),
      recordCancelled: () => void (cancelled = true),
    });
    await sleepUntilAttempt(delivery, 3);

    await delivery.handle.signal(cancel);

    expect(await delivery.handle.result()).toEqual({ state: 'cancelled', attempts: 3 });
    expect(delivery.calls.map(({ activity }) => activity).slice(-2)).toEqual(['recordCancelled', 'attemptDelivery']);
  });

  it('during an attempt at a slow receiver that then fails: nothing more is sent, and the execution ends at once', async () => {
    const world: World = {
      attemptDelivery: ({ number }, earlier) => {
        if (number > 5) return { kind: 'ended', state: 'cancelled' };
        // Its answer comes long after the signal.
        if (earlier < 5) throw new Error('the receiver takes long');
        return buildAnswer(5, 503);
      },
    };
    const delivery = await testbed.start(world, { firstAttempt: 5 });
    await untilAttempts(delivery, 1);

    await delivery.handle.signal(cancel);

    expect(await delivery.handle.result()).toEqual({ state: 'cancelled', attempts: 5 });
    expect(numbersOf(delivery).slice(-2)).toEqual([5, 6]);
    // After the fifth it is half an hour.
    const [answered, ended] = delivery.attempts().slice(-2);
    expect(ended!.atMs - answered!.atMs).toBeLessThan(MINUTE);
  });

  it('in the Web UI, between attempts: it is recorded once MongoDB is back, and the execution ends as Canceled', async () => {
    let tries = 0;
    const delivery = await testbed.start({
      recordCancelled: () => {
        tries += 1;
        if (tries < 4) throw new Error('MongoDB is away');
      },
    });
    await sleepUntilAttempt(delivery, 2);

    await delivery.handle.cancel();

    const error = await delivery.handle.result().catch((reason: unknown) => reason);
    expect((error as WorkflowFailedError).cause?.name).toBe('CancelledFailure');
    expect([delivery.calls.at(-1)!.activity, tries]).toEqual(['recordCancelled', 4]);
    expect((await delivery.handle.describe()).status.name).toBe('CANCELLED');
  });

  it('removing an endpoint ends its delivery at the next attempt', async () => {
    const delivery = await testbed.start(endsAsCancelled((number) => number === 5));

    expect(await delivery.handle.result()).toEqual({ state: 'cancelled', attempts: 4 });
    expect(numbersOf(delivery)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('the execution ends as the record says', () => {
  it('recorded as delivered: completed', async () => {
    const world: World = { attemptDelivery: () => ({ kind: 'ended', state: 'delivered' }) };
    const delivery = await testbed.start(world, { firstAttempt: 4 });

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 3 });
  });

  it('recorded as failed: failed', async () => {
    const delivery = await testbed.start({ attemptDelivery: () => ({ kind: 'ended', state: 'failed' }) });

    expect((await failureOf(delivery)).type).toBe('DeliveryFailed');
  });
});

describe('retryNow', () => {
  /** Attempt 5 so much sooner, and those after it as far apart as ever. */
  const pulled = (byMs: number) => ATTEMPT_TIMES.map((atMs, index) => (index < 4 ? atMs : atMs - byMs));

  it('makes the next attempt now, and the schedule continues from there', async () => {
    const delivery = await testbed.start({});
    await sleepUntilAttempt(delivery, 4);

    await delivery.handle.signal(retryNow, 5);
    await failureOf(delivery);

    expect(numbersOf(delivery)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expectTimes(delivery, pulled(5 * MINUTE));
    const triggers = delivery.calls.map(({ input }) => input!.trigger);
    expect(triggers.filter((trigger) => trigger === 'manual')).toHaveLength(1);
    expect(triggers[4]).toBe('manual');
  });

  it('makes the last attempt without its wait of 24 hours', async () => {
    const delivery = await testbed.start(deliversAt(8));
    await sleepUntilAttempt(delivery, 7);

    await delivery.handle.signal(retryNow, 8);

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 8 });
    expect(delivery.attempts().at(-1)!.atMs).toBeLessThan(3 * HOUR);
  });

  it.each([
    ['for attempts that were made already changes nothing', [4, 2], 0],
    ['twice for one attempt makes one attempt', [5, 5], 5 * MINUTE],
  ])('%s', async (_what, asked, gained) => {
    const delivery = await testbed.start({});
    await sleepUntilAttempt(delivery, 4);

    await Promise.all(asked.map((number) => delivery.handle.signal(retryNow, number)));
    await failureOf(delivery);

    expect(numbersOf(delivery)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expectTimes(delivery, pulled(gained));
  });

  // The API reads "attempt 5 is next" as soon as attempt 4 is in the record: while its activity still runs.
  it.each([
    ['for the next attempt, before the wait for it began, is not lost', 5, 36 * SECOND],
    ['for the attempt that is being made does not pull the one after it', 4, ATTEMPT_TIMES[4]!],
  ])('%s', async (_what, asked, fifthAtMs) => {
    const delivery: TestDelivery = await testbed.start({
      attemptDelivery: async ({ number }) => {
        if (number === 4) await delivery.handle.signal(retryNow, asked);
        return buildAnswer(number, number === 5 ? 200 : 503);
      },
    });

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 5 });
    expectTimes(delivery, [...ATTEMPT_TIMES.slice(0, 4), fifthAtMs]);
  });
});

describe('details in the Web UI', () => {
  it('during a wait: the outcome of the last attempt, and the time of the next', async () => {
    const delivery = await testbed.start({});
    expect(await detailsAfter(delivery, 3)).toMatch(
      /^attempt 3 of 8 failed: 503; attempt 4 at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    );
    await delivery.handle.terminate();
  });

  it('without an answer: what went wrong', async () => {
    const delivery = await testbed.start({
      attemptDelivery: ({ number }) => buildAnswer(number, 503, { statusCode: null, errorCode: 'connection_refused' }),
    });
    expect(await detailsAfter(delivery, 4)).toContain('attempt 4 of 8 failed: connection_refused; attempt 5 at ');
    await delivery.handle.terminate();
  });

  it.each([
    ['delivered', 200, 'delivered by attempt 1'],
    ['failed', 410, 'attempt 1 of 1 failed: 410'],
  ])('when it is %s', async (_state, statusCode, details) => {
    const delivery = await testbed.start(
      { attemptDelivery: ({ number }) => buildAnswer(number, statusCode) },
      { schedule: [0] },
    );
    await delivery.handle.result().catch(() => undefined);

    expect(await currentDetailsOf(delivery.handle)).toBe(details);
  });
});

async function failureOf(delivery: TestDelivery): Promise<ApplicationFailure> {
  const error = await delivery.handle.result().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WorkflowFailedError);
  const { cause } = error as WorkflowFailedError;
  expect(cause).toBeInstanceOf(ApplicationFailure);
  return cause as ApplicationFailure;
}

function numbersOf(delivery: TestDelivery): number[] {
  return delivery.attempts().map(({ number }) => number);
}

function expectTimes(delivery: TestDelivery, expected: readonly number[]): void {
  const times = delivery.attempts().map(({ atMs }) => atMs);
  expect(times).toHaveLength(expected.length);
  times.forEach((atMs, index) => {
    // From one attempt to the next: on a busy machine each adds its own.
    const waited = atMs - (times[index - 1] ?? 0);
    const asked = expected[index]! - (expected[index - 1] ?? 0);
    expect(waited).toBeGreaterThanOrEqual(asked);
    expect(waited).toBeLessThan(asked + SLACK_MS);
  });
}

async function untilAttempts(delivery: TestDelivery, count: number): Promise<void> {
  await eventually(
    async () => delivery.attempts().length,
    (made) => made >= count,
  );
}

/** Lets time pass until the attempt is made and the wait after it has started. */
async function sleepUntilAttempt(delivery: TestDelivery, number: number): Promise<void> {
  await untilAttempts(delivery, 1);
  const waits = DEFAULT_SCHEDULE.slice(1, number);
  for (const [index, waitMs] of waits.entries()) {
    await untilTimers(delivery, index + 1);
    await testbed.environment.sleep(waitMs);
    await untilAttempts(delivery, index + 2);
  }
  await untilTimers(delivery, number);
}

async function detailsAfter(delivery: TestDelivery, attempt: number): Promise<string | undefined> {
  await sleepUntilAttempt(delivery, attempt);
  return currentDetailsOf(delivery.handle);
}
