import { buildAnswer, scheduledOf, timersOf, useTestbed } from './build-testbed';

// How the workflow handles the result of an attempt: an answer that says when to retry, or one that took long.

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const testbed = useTestbed();

describe('honor_retry_after', () => {
  it('the wait that the receiver requested replaces one delay of the schedule', async () => {
    const delivery = await testbed.start(
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

describe('fairness', () => {
  it('only the first try says that it holds a workflow task', async () => {
    const { calls, handle } = await testbed.start(
      {
        attemptDelivery: ({ number }, earlier) => {
          if (earlier === 0) throw new Error('the receiver takes long');
          return buildAnswer(number, number === 2 ? 200 : 503);
        },
      },
      { schedule: [0, SECOND] },
    );
    await handle.result();

    expect(calls.map(({ input }) => [input!.number, input!.inline])).toEqual([
      [1, true],
      [1, undefined],
      [2, undefined],
    ]);
  });

  it('after a slow answer the next attempt goes to the slow queue; after a quick one it returns', async () => {
    const delivery = await testbed.start(
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

  it('retries have a lower priority from the fifth attempt on', async () => {
    const delivery = await testbed.start({});
    await delivery.handle.result().catch(() => undefined);
    const keys = (await scheduledOf(delivery)).map(({ priority }) => priority?.priorityKey ?? 0);
    expect(keys).toEqual([0, 0, 0, 4, 4, 4, 4]);
  });
});
