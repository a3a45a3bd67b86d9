import { createDestinationCap, type DestinationCap } from '../../activities/destination-cap';

/** A cap with a clock of its own, and work that ends when it is told to. */
function buildCap(max: number) {
  let now = 1_000_000;
  const cap = createDestinationCap(max, () => now);
  const ends: (() => void)[] = [];
  return {
    cap,
    pass: (ms: number) => void (now += ms),
    hang: () => {
      const answer = () => new Promise<void>((resolve) => ends.push(resolve));
      void cap.run('ep_slow', (request) => request(answer));
    },
    end: async () => {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

async function refusals(cap: DestinationCap, count: number): Promise<number[]> {
  const outcomes = await Promise.all(Array.from({ length: count }, () => cap.run('ep_slow', () => Promise.resolve())));
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'full') throw new Error('there was room');
    return outcome.waitMs;
  });
}

it('up to its cap a destination takes what comes; another destination has its own', async () => {
  const { cap, hang } = buildCap(2);
  hang();
  hang();
  expect((await cap.run('ep_slow', () => Promise.resolve())).kind).toBe('full');
  expect(await cap.run('ep_fast', () => Promise.resolve('sent'))).toEqual({ kind: 'ran', value: 'sent' });
});

it('work that fails makes room again', async () => {
  const { cap } = buildCap(1);
  await expect(cap.run('ep_slow', () => Promise.reject(new Error('no sockets')))).rejects.toThrow('no sockets');
  expect(await cap.run('ep_slow', () => Promise.resolve())).toMatchObject({ kind: 'ran' });
});

it.each([
  // A quarter of eight, silent for 30 s: one answer in 15 s is the best that can be hoped for.
  [30_000, [15_000, 30_000, 45_000]],
  [4_000, [1_875, 3_750, 5_625]],
])('after %i ms of silence those that wait come again as fast as it answers, one by one', async (ms, expected) => {
  const { cap, pass, hang } = buildCap(8);
  hang();
  hang();
  pass(ms);
  expect(await refusals(cap, 3)).toEqual(expected);
});

it('a destination that answers quickly is asked again soon', async () => {
  const { cap, hang, end, pass } = buildCap(1);
  for (let turn = 0; turn < 20; turn += 1) {
    hang();
    pass(100);
    await end();
  }
  hang();
  expect(await refusals(cap, 3)).toEqual([1_000, 1_000, 1_000]);
});

it('of twenty thousand that wait for a receiver that hangs, few come at a time, and none waits for hours', async () => {
  const { cap, pass, hang } = buildCap(64);
  for (let count = 0; count < 64; count += 1) hang();
  pass(30_000);

  const waits = await refusals(cap, 20_000);

  expect(Math.max(...waits)).toBeLessThanOrEqual(300_000);
  const perSecond = new Map<number, number>();
  for (const waitMs of waits) {
    const second = Math.floor(waitMs / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...perSecond.values())).toBeLessThan(300);
});

it('a destination that answers nothing for half a second may have a quarter of its requests, until it answers', async () => {
  const { cap, pass, hang, end } = buildCap(64);
  for (let count = 0; count < 16; count += 1) hang();
  pass(499);
  expect(await cap.run('ep_slow', () => Promise.resolve())).toMatchObject({ kind: 'ran' });
  pass(500);
  await refusals(cap, 1);

  await end();
  for (let count = 15; count < 64; count += 1) hang();
  await refusals(cap, 1);
});

it('a destination that gives nothing but time-outs keeps to a quarter of its requests', async () => {
  const { cap, pass, hang, end } = buildCap(8);
  hang();
  for (let turn = 0; turn < 10; turn += 1) {
    hang();
    pass(30_000);
    await end();
  }
  hang();
  // Its last time-out was just now, and tells nothing good.
  expect(await cap.run('ep_slow', () => Promise.resolve())).toMatchObject({ kind: 'full', hangs: true });
});

it('the time that our own database takes is not the silence of a destination', async () => {
  const { cap, pass } = buildCap(8);
  for (let count = 0; count < 7; count += 1) void cap.run('ep_slow', () => new Promise(() => undefined));
  pass(60_000);
  expect(await cap.run('ep_slow', () => Promise.resolve())).toMatchObject({ kind: 'ran' });
});
