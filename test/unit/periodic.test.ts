import { createLogger, type Logger } from '../../src/platform/logger';
import { runPeriodically, type Periodic } from '../../src/platform/periodic';

// Work in the background.

const HOUR_MS = 3_600_000;
const logger = createLogger('silent');
let warnings: jest.SpyInstance<void, Parameters<Logger['warn']>>;

beforeEach(() => {
  warnings = jest.spyOn(logger, 'warn');
});

afterEach(() => jest.restoreAllMocks());

/** Runs rounds a millisecond apart until `count` are begun. */
async function rounds(count: number, work: (round: number) => Promise<void>): Promise<void> {
  let begun = 0;
  let periodic: Periodic | undefined;
  await new Promise<void>((resolve) => {
    periodic = runPeriodically({ intervalMs: 1, logger, failure: 'it failed' }, async () => {
      begun += 1;
      if (begun === count) resolve();
      await work(begun);
    });
  });
  await periodic!.close();
}

it('continues after a failed round, and logs the first of several in a row', async () => {
  const failing = new Set([2, 3, 5]);
  await rounds(6, (round) => (failing.has(round) ? Promise.reject(new Error(`round ${round}`)) : Promise.resolve()));

  const logged = warnings.mock.calls.map(([about, text]) => [(about as { err: Error }).err.message, text]);
  expect(logged).toEqual([
    ['round 2', 'it failed'],
    ['round 5', 'it failed'],
  ]);
});

it('closes when its round ends, without waiting for the next one', async () => {
  let end = (): void => undefined;
  let isStopped = false;
  const periodic = runPeriodically({ intervalMs: HOUR_MS, logger, failure: '' }, async (stop) => {
    await new Promise<void>((resolve) => (end = resolve));
    isStopped = stop.aborted;
  });
  let isClosed = false;
  const closing = periodic.close().then(() => (isClosed = true));
  await Promise.resolve();
  expect(isClosed).toBe(false);

  end();
  await closing;

  expect(isStopped).toBe(true);
});
