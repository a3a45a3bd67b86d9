import type * as SlowEndpoints from '../../src/dispatch/slow-endpoints';
import { createLogger } from '../../src/platform/logger';

// Read while time is the test's: the cache inside keeps the clock that it finds.
jest.useFakeTimers();
// Which takes zero for no time at all.
jest.advanceTimersByTime(1_000);
const { createSlowEndpoints } = jest.requireActual<typeof SlowEndpoints>('../../src/dispatch/slow-endpoints');

function buildSlowEndpoints() {
  const written: string[] = [];
  const dispatch = {
    markSlow: (endpointId: string, _forMs: number, how?: { hangs: boolean }) => {
      written.push(`${endpointId} ${how?.hangs ? 'hangs' : 'is slow'}`);
      return Promise.resolve();
    },
    markAnswering: (endpointId: string) => {
      written.push(`${endpointId} answers`);
      return Promise.resolve();
    },
  };
  const slowEndpoints = createSlowEndpoints({
    // Only what a note writes; what the others wrote is not read within a second.
    dispatch: dispatch as Parameters<typeof createSlowEndpoints>[0]['dispatch'],
    logger: createLogger('silent'),
  });
  return { slowEndpoints, written };
}

test('time-outs alone do not make an endpoint one that hangs', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();

  slowEndpoints.note('ep_one', 30_000);

  expect(slowEndpoints.hangs('ep_one')).toBe(false);
  expect(slowEndpoints.routeOf('ep_one')).toBe('queued');
  expect(written).toEqual(['ep_one is slow']);
  slowEndpoints.close();
});

test('an endpoint that hangs is told to do so for as long as its attempts time out', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  slowEndpoints.noteHanging('ep_one');

  slowEndpoints.note('ep_one', 30_000);
  jest.advanceTimersByTime(25_000);
  slowEndpoints.note('ep_one', 30_000);

  expect(written.filter((line) => line === 'ep_one hangs')).toHaveLength(2);
  expect(slowEndpoints.hangs('ep_one')).toBe(true);
  slowEndpoints.close();
});

test('an answer ends it', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  slowEndpoints.noteHanging('ep_one');

  slowEndpoints.note('ep_one', 20);

  expect(slowEndpoints.hangs('ep_one')).toBe(false);
  expect(written).toEqual(['ep_one hangs', 'ep_one answers']);
  slowEndpoints.close();
});
