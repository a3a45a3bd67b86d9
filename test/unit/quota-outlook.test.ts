import fc from 'fast-check';
import { quotaOutlook } from '../../src/domain/quota-outlook';

const DAY_MS = 86_400_000;
const from = new Date('2026-11-01T00:00:00.000Z');
const resetsAt = new Date('2026-12-01T00:00:00.000Z');
const after = (days: number): Date => new Date(from.getTime() + days * DAY_MS);

const outlook = (used: number, limit: number | null, days: number, since = from) =>
  quotaOutlook({ used, limit, from: since, now: after(days), resetsAt });

it("says when the quota is used up at the month's pace", () => {
  expect(outlook(5_000, 10_000, 10)).toEqual({ state: 'runs_out', at: after(20) });
  expect(outlook(3_333, 10_000, 10)).toEqual({ state: 'enough' });
  expect(outlook(10_000, 10_000, 10)).toEqual({ state: 'used_up' });
  expect(outlook(10_000, null, 10)).toEqual({ state: 'unlimited' });
});

it('measures the pace of a new account from its first day, not from the start of the month', () => {
  expect(outlook(5_000, 10_000, 10, after(5))).toEqual({ state: 'runs_out', at: after(15) });
});

it('says nothing after less than a day or fewer than 20 calls', () => {
  expect(outlook(400, 500, 0.9)).toEqual({ state: 'unknown' });
  expect(outlook(19, 500, 10)).toEqual({ state: 'unknown' });
  expect(outlook(400, 500, 10.5, after(10))).toEqual({ state: 'unknown' });
});

const quotas = fc.record({
  limit: fc.integer({ min: 21, max: 1_000_000_000 }),
  part: fc.double({ min: 0.000_001, max: 0.999, noNaN: true }),
  days: fc.double({ min: 1, max: 29.99, noNaN: true }),
});

it('a quota that runs out does so after now and before the month ends; one that is enough would last longer', () => {
  fc.assert(
    fc.property(quotas, ({ limit, part, days }) => {
      const used = Math.max(20, Math.floor(limit * part));
      const found = outlook(used, limit, days);
      // The same rule in calls: what the whole month would need at this pace.
      const needed = (used * (resetsAt.getTime() - from.getTime())) / (after(days).getTime() - from.getTime());
      if (found.state === 'runs_out') {
        expect(found.at.getTime()).toBeGreaterThan(after(days).getTime());
        expect(found.at.getTime()).toBeLessThanOrEqual(resetsAt.getTime());
        expect(needed).toBeGreaterThan(limit * 0.999_999);
      } else {
        expect(found.state).toBe('enough');
        expect(needed).toBeLessThan(limit * 1.000_001);
      }
    }),
  );
});

it('more calls never make the quota last longer, and a larger quota never makes it last shorter', () => {
  const endOf = (used: number, limit: number, days: number): number => {
    const found = outlook(used, limit, days);
    if (found.state === 'used_up') return Number.NEGATIVE_INFINITY;
    return found.state === 'runs_out' ? found.at.getTime() : Number.POSITIVE_INFINITY;
  };
  fc.assert(
    fc.property(quotas, fc.nat(1_000_000), ({ limit, part, days }, more) => {
      const used = Math.max(20, Math.floor(limit * part));
      expect(endOf(used + more, limit, days)).toBeLessThanOrEqual(endOf(used, limit, days));
      expect(endOf(used, limit + more, days)).toBeGreaterThanOrEqual(endOf(used, limit, days));
    }),
  );
});
