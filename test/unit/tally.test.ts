import { createLogger } from '../../src/platform/logger';
import { createTally } from '../../src/platform/tally';

// Sums that are written now and then.

const FLUSH_MS = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A tally of words, whose order shows the order of additions. @param failures how many writes fail first */
function build(failures = 0) {
  const written: Record<string, string>[] = [];
  let left = failures;
  const tally = createTally<string>({
    flushMs: FLUSH_MS,
    merge: (one, other) => `${one} ${other}`,
    write: (sums) => {
      left -= 1;
      if (left >= 0) return Promise.reject(new Error('away'));
      written.push(Object.fromEntries(sums));
      return Promise.resolve();
    },
    logger: createLogger('silent'),
    failure: 'not written yet',
  });
  return { tally, written };
}

it('writes the sums by name once, a flush after the first addition', async () => {
  const { tally, written } = build();
  tally.add('a', '1');
  await jest.advanceTimersByTimeAsync(FLUSH_MS - 1);
  tally.add('b', '2');
  tally.add('a', '3');
  expect(written).toEqual([]);

  await jest.advanceTimersByTimeAsync(1);

  expect(written).toEqual([{ a: '1 3', b: '2' }]);
});

it('does nothing while there is nothing to write', async () => {
  const { tally, written } = build();
  tally.add('a', '1');
  await jest.advanceTimersByTimeAsync(10 * FLUSH_MS);

  expect(written).toHaveLength(1);
  expect(jest.getTimerCount()).toBe(0);
});

it('writes what could not be written with the next flush, in the order of the additions', async () => {
  const { tally, written } = build(2);
  tally.add('a', '1');
  await jest.advanceTimersByTimeAsync(FLUSH_MS);
  tally.add('a', '2');
  tally.add('b', '3');
  await jest.advanceTimersByTimeAsync(2 * FLUSH_MS);

  expect(written).toEqual([{ a: '1 2', b: '3' }]);
});

it('writes everything when it is closed', async () => {
  const { tally, written } = build();
  tally.add('a', '1');
  await tally.close();
  expect(written).toEqual([{ a: '1' }]);

  await jest.advanceTimersByTimeAsync(10 * FLUSH_MS);
  expect(written).toHaveLength(1);
});
