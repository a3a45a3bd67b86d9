import { createWatchdog } from '../../dashboard/src/live/watchdog';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A watchdog, and how often it has noticed a silence. */
function build() {
  const silences: number[] = [];
  const watchdog = createWatchdog(() => silences.push(Date.now()));
  return { watchdog, silences };
}

it('notices a connection that brings nothing at all', () => {
  const { watchdog, silences } = build();
  watchdog.begin();
  jest.advanceTimersByTime(20_000);
  expect(silences).toHaveLength(1);
});

it('stays quiet as long as a line comes as often as the server says, or a little later', () => {
  const { watchdog, silences } = build();
  watchdog.begin();
  watchdog.expectEvery(40);
  for (let line = 0; line < 10; line += 1) {
    watchdog.heard();
    jest.advanceTimersByTime(44_000);
  }
  expect(silences).toEqual([]);
  const heardAt = watchdog.heardAt();
  jest.advanceTimersByTime(1_000);
  expect(silences).toHaveLength(1);
  // The time of the last news is that of the last line.
  expect(silences[0]! - heardAt).toBe(45_000);
});

it('does not judge a server whose lines can not be heard, nor a connection that has ended', () => {
  const { watchdog, silences } = build();
  watchdog.begin();
  watchdog.expectEvery(undefined);
  watchdog.heard();
  jest.advanceTimersByTime(3_600_000);
  // The next connection is judged until its server has said how often it sends a line.
  watchdog.begin();
  watchdog.stop();
  jest.advanceTimersByTime(3_600_000);
  expect(silences).toEqual([]);
});
