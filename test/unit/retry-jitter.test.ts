import fc from 'fast-check';
import { jitteredDelay, MAX_RETRY_JITTER } from '../../src/domain/retry-jitter';

const ATTEMPT = { eventId: 1_001, endpointId: 'ep_1', run: 1, number: 1 };

it('a delay is longer by at most its share, and never shorter', () => {
  fc.assert(
    fc.property(
      fc.nat(86_400_000),
      fc.double({ min: 0, max: MAX_RETRY_JITTER, noNaN: true }),
      fc.maxSafeNat(),
      (delayMs, share, eventId) => {
        const delay = jitteredDelay(delayMs, share, { ...ATTEMPT, eventId });
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(delayMs);
        expect(delay).toBeLessThanOrEqual(delayMs * (1 + share));
      },
    ),
  );
});

it('is the same for the same attempt at any time and in any process', () => {
  expect(jitteredDelay(30_000, 0.5, ATTEMPT)).toBe(jitteredDelay(30_000, 0.5, { ...ATTEMPT }));
  const others = [{ eventId: 1_002 }, { endpointId: 'ep_2' }, { run: 2 }, { number: 2 }];
  const delays = [{}, ...others].map((other) => jitteredDelay(86_400_000, 0.5, { ...ATTEMPT, ...other }));
  expect(new Set(delays).size).toBe(delays.length);
});

it('spreads the deliveries of neighbouring events evenly', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let index = 0; index < 10_000; index += 1) {
    const delay = jitteredDelay(1_000_000, 0.5, { ...ATTEMPT, eventId: 1_767_225_600_000_000 + index });
    tenths[Math.floor((delay - 1_000_000) / 50_000)]! += 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
