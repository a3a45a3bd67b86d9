import { nextPageAt, replayPageSize } from '../../src/domain/replay-contract';

// The pace of a bulk replay.

const SECOND = 1_000;

/** Plays a job's pages. @param workMs how long each page takes, by its number */
function play(
  total: number,
  rate: number,
  workMs: (page: number) => number = () => 0,
): { atMs: number; taken: number }[] {
  const pages: { atMs: number; taken: number }[] = [];
  let nextAtMs = 0;
  let nowMs = 0;
  for (let left = total; left > 0;) {
    nowMs = Math.max(nowMs, nextAtMs);
    const taken = Math.min(left, replayPageSize(rate));
    pages.push({ atMs: nowMs, taken });
    left -= taken;
    nowMs += workMs(pages.length - 1);
    nextAtMs = nextPageAt(nextAtMs, nowMs, taken, rate);
  }
  return pages;
}

it.each([
  [500, 50, 10],
  [3_000, 500, 6],
  [20, 1, 20],
  [25, 2.5, 10],
])('%i deliveries at %d a second take %d s', (total, rate, seconds) => {
  const pages = play(total, rate, () => 100);

  const last = pages.at(-1)!;
  expect(last.atMs / SECOND + last.taken / rate).toBeCloseTo(seconds);
  // At no time is it more than one page ahead of its rate.
  let done = 0;
  for (const { atMs, taken } of pages) {
    expect(done).toBeLessThanOrEqual((rate * atMs) / SECOND + 1e-6);
    done += taken;
  }
});

it('after a slow page it keeps its rate, without a burst to catch up', () => {
  const pages = play(1_000, 50, (page) => (page === 3 ? 60 * SECOND : 0));

  for (let at = 4; at + 2 < pages.length; at += 1) {
    // Three pages are six seconds' worth; one page may be made up for.
    expect(pages[at + 2]!.atMs - pages[at]!.atMs).toBeGreaterThan(SECOND);
  }
});
