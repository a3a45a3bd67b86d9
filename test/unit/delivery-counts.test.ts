import {
  countOfEnd,
  deliveriesWithout,
  NO_DELIVERIES,
  sumDeliveries,
  timeToDelivered,
} from '../../src/domain/delivery-counts';
import { latencyQuantile } from '../../src/domain/attempt-counts';
import { costOfCalls } from '../../src/domain/exact-cost';

const end = (succeeded: boolean, replayedFrom?: 'failed' | 'delivered' | 'cancelled') =>
  countOfEnd({ succeeded, replayedFrom, timeToDeliveredMs: null });

it('a delivery counts once as delivered or failed, whatever its replays do', () => {
  const runs = [end(false), end(false, 'failed'), end(true, 'failed'), end(true, 'delivered'), end(false, 'delivered')];
  expect(runs.reduce(sumDeliveries)).toEqual({ ...NO_DELIVERIES, failed: 1, recovered: 1 });
});

it('a replay of a delivery that was only cancelled counts as its first run', () => {
  expect([end(true, 'cancelled').delivered, end(false, 'cancelled').failed]).toEqual([1, 1]);
});

it('the time to delivered of an attempt that was due at acceptance is exact', () => {
  const acceptedAt = 1_795_262_400;
  const startedAtMs = acceptedAt * 1_000 + 750;
  expect(timeToDelivered({ startedAtMs, latencyMs: 40, queuedMs: 12, acceptedAt })).toBe(52);
});

it('the time to delivered of a later attempt is that since the middle of the second of acceptance', () => {
  const acceptedAt = 1_795_262_400;
  const startedAtMs = (acceptedAt + 60) * 1_000;
  expect(timeToDelivered({ startedAtMs, latencyMs: 40, queuedMs: 5, acceptedAt })).toBe(59_540);
});

it('a quantile of times up to 27 hours is within 9.1 %', () => {
  for (const ms of [1_500, 3_600_000, 27 * 3_600_000]) {
    const { times } = countOfEnd({ succeeded: true, replayedFrom: undefined, timeToDeliveredMs: ms });
    expect(Math.abs(latencyQuantile(times, 0.5)! / ms - 1)).toBeLessThan(0.091);
  }
});

it('what is in no row is the whole without the rows, and never below 0', () => {
  const whole = { accepted: 5, delivered: 4, failed: 1, recovered: 0, times: { '3': 2, '7': 2 } };
  const rows = { accepted: 3, delivered: 3, failed: 2, recovered: 1, times: { '3': 2, '7': 1 } };
  expect(deliveriesWithout(whole, rows)).toEqual({
    accepted: 2,
    delivered: 1,
    failed: 0,
    recovered: 0,
    times: { '7': 1 },
  });
});

it.each([
  [8_120, '0.40', 3.25],
  [1, '0.015', 0],
  [333, '0.015', 0],
  [334, '0.015', 0.01],
  [1_000_000_000, '0.000000001', 0],
  [50_000_000, '0.1', 5_000],
])('%d calls at %s for a thousand cost %d', (calls, price, amount) => {
  expect(costOfCalls(calls, price)).toBe(amount);
});
