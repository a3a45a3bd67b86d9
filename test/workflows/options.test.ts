import type { AttemptOutcome } from '../../src/domain/delivery-contract';
import { cancel, wake } from '../../workflows/deliver-event';
import { currentDetailsOf } from '../support/current-details';
import {
  buildAnswer,
  scheduledOf,
  timersOf,
  untilTimers,
  useStage,
  type StagedDelivery,
  type World,
} from './build-stage';

// How the workflow follows what an endpoint's options make of an attempt.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const stage = useStage();

/** A delivery that has ended: its first look came back so, and each attempt was answered with its status, or 200. */
async function deliverAfter(first: AttemptOutcome, ...statuses: number[]): Promise<StagedDelivery> {
  const attemptDelivery: World['attemptDelivery'] = ({ number }, earlier) =>
    earlier === 0 ? first : buildAnswer(number, statuses[number - 1] ?? 200);
  const delivery = await stage.start({ attemptDelivery }, { schedule: [0, SECOND] });
  await delivery.handle.result();
  return delivery;
}

describe('honor_retry_after', () => {
  it('the wait that the receiver asked for replaces that of the schedule, once', async () => {
    const delivery = await stage.start(
      {
        attemptDelivery: ({ number }) =>
          buildAnswer(number, number === 4 ? 200 : 503, number === 2 ? { nextDelayMs: 3 * HOUR } : {}),
      },
      { schedule: [0, SECOND, 5 * SECOND, 30 * SECOND] },
    );

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 4 });
    expect(await timersOf(delivery)).toEqual([SECOND, 3 * HOUR, 30 * SECOND]);
  });
});

describe('max_per_second', () => {
  it('an attempt waits exactly as long as it was told, and comes back with its place', async () => {
    const places = [42_000.5, 77_000.25];
    const delivery = await stage.start({
      attemptDelivery: ({ number }, earlier) =>
        earlier < 2
          ? { kind: 'busy', waitMs: (earlier + 1) * 10 * SECOND, placeAtMs: places[earlier]! }
          : buildAnswer(number, 200),
    });

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 1 });

    expect(await timersOf(delivery)).toEqual([10 * SECOND, 20 * SECOND]);
    expect(delivery.calls.map(({ input }) => input!.placeAtMs)).toEqual([undefined, ...places]);
    expect(delivery.calls.map(({ input }) => input!.number)).toEqual([1, 1, 1]);
  });

  it('a place survives a look at a destination that is at its cap', async () => {
    const delivery = await stage.start({
      attemptDelivery: ({ number }, earlier) => {
        if (earlier === 0) return { kind: 'busy', waitMs: SECOND, placeAtMs: 42 };
        return earlier === 1 ? { kind: 'busy', waitMs: SECOND } : buildAnswer(number, 200);
      },
    });
    await delivery.handle.result();
    expect(delivery.calls.map(({ input }) => input!.placeAtMs)).toEqual([undefined, 42, 42]);
  });

  it('the next attempt asks for a place of its own', async () => {
    const { calls } = await deliverAfter({ kind: 'busy', waitMs: SECOND, placeAtMs: 42 }, 503);
    const places = calls.map(({ input }) => [input!.number, input!.placeAtMs]);

    expect(places).toEqual([1, 1, 2].map((number, index) => [number, index === 1 ? 42 : undefined]));
  });

  it('a cancel ends the wait for a place', async () => {
    let cancelled = false;
    const delivery = await stage.start({
      attemptDelivery: () =>
        cancelled ? { kind: 'ended', state: 'cancelled' } : { kind: 'busy', waitMs: HOUR, placeAtMs: 42 },
    });
    await untilTimers(delivery, 1);

    cancelled = true;
    await delivery.handle.signal(cancel);

    expect(await delivery.handle.result()).toEqual({ state: 'cancelled', attempts: 0 });
    expect(delivery.attempts().at(-1)!.atMs).toBeLessThan(MINUTE);
  });
});

describe('ordered', () => {
  it('an attempt that is not first in line goes on when it is woken', async () => {
    let first = false;
    const delivery = await stage.start({
      attemptDelivery: ({ number }) => (first ? buildAnswer(number, 200) : { kind: 'held', reason: 'in_line' }),
    });
    await untilTimers(delivery, 1);
    expect(await currentDetailsOf(delivery.handle)).toBe(
      'attempt 1 waits: an earlier event of this ordered endpoint comes first',
    );

    first = true;
    await delivery.handle.signal(wake);

    expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 1 });
    expect(delivery.attempts().at(-1)!.atMs).toBeLessThan(MINUTE);
  });

  it('a wake that comes while it is being told to wait is not lost', async () => {
    const delivery: StagedDelivery = await stage.start({
      attemptDelivery: async ({ number }, earlier) => {
        if (earlier > 0) return buildAnswer(number, 200);
        // The one before it ended between this attempt's look at the line and its answer.
        await delivery.handle.signal(wake);
        return { kind: 'held', reason: 'in_line' };
      },
    });
    await delivery.handle.result();
    expect(delivery.attempts().at(-1)!.atMs).toBeLessThan(MINUTE);
  });

  it('a wake that gets lost is made up for by its own look', async () => {
    const delivery = await deliverAfter({ kind: 'held', reason: 'in_line' });

    expect(await timersOf(delivery)).toEqual([MINUTE]);
  });
});

describe('out of the way of others', () => {
  it('the first try says that it holds a workflow task, and the later ones do not', async () => {
    const { calls } = await deliverAfter({ kind: 'busy' }, 503);

    expect(calls.map(({ input }) => input!.inline)).toEqual([true, undefined, undefined]);
  });

  it('after an answer that took long, the next attempt goes to the slow queue; after a quick one it comes back', async () => {
    const delivery = await stage.start(
      {
        attemptDelivery: ({ number }) =>
          buildAnswer(number, number === 4 ? 200 : 503, { latencyMs: number === 1 ? 30_000 : 5 }),
      },
      { schedule: [0, SECOND, SECOND, SECOND] },
    );
    await delivery.handle.result();
    expect((await scheduledOf(delivery)).map(({ taskQueue }) => taskQueue?.name)).toEqual([
      'everpost-slow-attempts',
      'everpost-deliveries',
      'everpost-deliveries',
    ]);
  });

  it('late retries let others go first: from the fifth attempt on they have a lower priority', async () => {
    const delivery = await stage.start({});
    await delivery.handle.result().catch(() => undefined);
    const keys = (await scheduledOf(delivery)).map(({ priority }) => priority?.priorityKey ?? 0);
    expect(keys).toEqual([0, 0, 0, 4, 4, 4, 4]);
  });
});
