import fc from 'fast-check';
import { countOf, latencyQuantile, NO_ATTEMPTS, sumCounts, type CountedAttempt } from '../../src/domain/attempt-counts';
import { ATTEMPT_ERROR_CODES } from '../../src/domain/delivery-state';
import { failuresByCode } from '../../src/domain/failure-causes';

// Counters of attempts, and the latencies that are read from them.

const attempt: fc.Arbitrary<CountedAttempt> = fc
  .record({
    number: fc.integer({ min: 1, max: 8 }),
    errorCode: fc.option(fc.constantFrom(...ATTEMPT_ERROR_CODES)),
    statusCode: fc.option(fc.constantFrom(301, 500, 503, 999)),
    latencyMs: fc.nat(30_100),
  })
  .map((fields) => ({ ...fields, succeeded: fields.errorCode === null }));

const sumOf = (attempts: readonly CountedAttempt[]) => attempts.map(countOf).reduce(sumCounts, NO_ATTEMPTS);

it('counts attempts, retries, and failures by cause', () => {
  fc.assert(
    fc.property(fc.array(attempt), (attempts) => {
      const counts = sumOf(attempts);
      expect(counts.attempts).toBe(attempts.length);
      expect(counts.succeeded).toBe(attempts.filter(({ succeeded }) => succeeded).length);
      expect(counts.retries).toBe(attempts.filter(({ number }) => number > 1).length);
      for (const code of ATTEMPT_ERROR_CODES) {
        expect(failuresByCode(counts.failedBy)[code] ?? 0).toBe(
          attempts.filter(({ errorCode }) => errorCode === code).length,
        );
      }
    }),
  );
});

it.each([0.5, 0.95, 0.99])(
  'the latency of a share of %d is within 9.1 %% and half a millisecond of the exact one',
  (share) => {
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1 }), (attempts) => {
        const sorted = attempts.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other);
        const exact = Math.max(1, sorted[Math.ceil(sorted.length * share) - 1]!);
        const read = latencyQuantile(sumOf(attempts).latencies, share)!;
        expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * 0.091 + 0.5);
      }),
    );
  },
);

it('a latency takes one of 61 buckets', () => {
  const buckets = Array.from({ length: 30_001 }, (_, latencyMs) =>
    Object.keys(countOf({ number: 1, succeeded: true, errorCode: null, statusCode: null, latencyMs }).latencies).join(),
  );
  expect(new Set(buckets).size).toBeLessThanOrEqual(61);
  expect(buckets.at(-1)).toBe('60');
});

it('there is no latency without attempts', () => {
  expect(latencyQuantile({}, 0.5)).toBeNull();
});
