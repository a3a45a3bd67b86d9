import { createSlowEndpoints } from '../../src/dispatch/slow-endpoints';
import { createLogger } from '../../src/platform/logger';

let closeLast = (): void => undefined;

beforeAll(() => jest.useFakeTimers());

afterEach(() => closeLast());

afterAll(() => jest.useRealTimers());

/** @param found what the others wrote; it is read after a second */
function buildSlowEndpoints(found: readonly { endpointId: string; hangs: boolean }[] = []) {
  const written: string[] = [];
  const write = (line: string): Promise<void> => Promise.resolve(void written.push(line));
  const dispatch = {
    listSlow: () => Promise.resolve([...found]),
    markSlow: (endpointId: string, _forMs: number, how?: { hangs: boolean }) =>
      write(`${endpointId} ${how?.hangs ? 'hangs' : 'is slow'}`),
    markAnswering: (endpointId: string) => write(`${endpointId} answers`),
    markQuick: (endpointId: string) => write(`${endpointId} is quick`),
  };
  const slowEndpoints = createSlowEndpoints({
    dispatch: dispatch as Parameters<typeof createSlowEndpoints>[0]['dispatch'],
    logger: createLogger('silent'),
    perf: Date,
  });
  closeLast = () => slowEndpoints.close();
  return { slowEndpoints, written };
}

it('time-outs alone do not make an endpoint one that hangs', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  slowEndpoints.note('ep_one', 30_000);
  expect(slowEndpoints.hangs('ep_one')).toBe(false);
  expect(slowEndpoints.routeOf('ep_one')).toBe('queued');
  expect(written).toEqual(['ep_one is slow']);
});

it('an endpoint that hangs is told to do so for as long as its attempts time out', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  slowEndpoints.noteHanging('ep_one');

  slowEndpoints.note('ep_one', 30_000);
  jest.advanceTimersByTime(25_000);
  slowEndpoints.note('ep_one', 30_000);

  expect(written.filter((line) => line === 'ep_one hangs')).toHaveLength(2);
  expect(slowEndpoints.hangs('ep_one')).toBe(true);
});

it('an answer ends it', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  slowEndpoints.noteHanging('ep_one');
  slowEndpoints.note('ep_one', 20);
  expect(slowEndpoints.hangs('ep_one')).toBe(false);
  expect(written).toEqual(['ep_one hangs', 'ep_one answers']);
});

it('an endpoint that was slow goes inline again once its answers are quick, and not before', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  for (const latencyMs of [3_000, 3_000]) slowEndpoints.note('ep_one', latencyMs);
  expect(slowEndpoints.routeOf('ep_one')).toBe('queued');

  slowEndpoints.note('ep_one', 100);
  expect(slowEndpoints.routeOf('ep_one')).toBe('queued');

  for (let answer = 0; answer < 4; answer += 1) slowEndpoints.note('ep_one', 100);
  expect(slowEndpoints.routeOf('ep_one')).toBe('inline');
  expect(written).toEqual(['ep_one is slow', 'ep_one is quick']);
});

it('an endpoint that others found slow is not quick for one answer', async () => {
  const { slowEndpoints, written } = buildSlowEndpoints([{ endpointId: 'ep_one', hangs: false }]);
  await jest.advanceTimersByTimeAsync(2_000);
  slowEndpoints.note('ep_one', 100);
  expect(slowEndpoints.routeOf('ep_one')).toBe('queued');
  expect(written).toEqual([]);
});

it('an attempt that still waits is no answer of an endpoint that hangs', () => {
  const { slowEndpoints, written } = buildSlowEndpoints();
  slowEndpoints.noteHanging('ep_one');
  slowEndpoints.noteSilence('ep_one', 3_000);
  expect(slowEndpoints.hangs('ep_one')).toBe(true);
  expect(written).not.toContain('ep_one answers');
});
