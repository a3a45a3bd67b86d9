import fc from 'fast-check';
import { quotaLevel, type ReachedQuota } from '../../src/domain/quota-level';
import type { Usage } from '../../src/limits/limit-store';
import { createQuotaWatch } from '../../src/limits/quota-watch';
import { createLogger } from '../../src/platform/logger';
import { buildUsage } from '../support/build-usage';

const NOW = new Date('2026-11-21T12:00:30.250Z');
const NEXT_MONTH = new Date('2026-12-01T00:00:00.000Z');
const usage = (quotaUsed: number, monthlyQuota: number | null = 500): Usage =>
  buildUsage(
    { perMinute: 10, monthlyQuota },
    {
      accountId: 'acc',
      externalId: undefined,
      endpointsVersion: 1,
      searchFields: [],
      defaultBody: undefined,
      eventTypes: undefined,
      retentionDays: undefined,
      now: NOW,
      windowStartedAt: NOW,
      windowUsed: 1,
      quotaUsed,
      quotaResetsAt: NEXT_MONTH,
      admitted: 1,
    },
  );

/** A watch, and what it noted. */
function buildWatch(note: () => Promise<void> = async () => undefined) {
  const noted: ReachedQuota[] = [];
  const reachedQuotas = { note: (reached: ReachedQuota) => (noted.push(reached), note()) };
  return { noted, watch: createQuotaWatch({ reachedQuotas, logger: createLogger('silent') }) };
}

it('notes at the next call what could not be noted', async () => {
  let isAway = true;
  const { noted, watch } = buildWatch(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()));
  watch('acc', usage(450));
  watch('acc', usage(451));
  expect(noted).toHaveLength(1);
  await new Promise(setImmediate);

  isAway = false;
  watch('acc', usage(452));
  watch('acc', usage(453));

  expect(noted.map(({ used }) => used)).toEqual([450, 452]);
});

it('a process that starts when a level was passed already notes it', () => {
  const { noted, watch } = buildWatch();
  watch('acc', usage(470));
  expect(noted.map(({ level }) => level)).toEqual([80]);
});

it('100 % is reached by the last call of a quota, and 80 % never later than that share', () => {
  const quotas = fc.record({
    limit: fc.integer({ min: 1, max: 1_000_000_000 }),
    part: fc.double({ min: 0, max: 1.2 }),
  });
  fc.assert(
    fc.property(quotas, ({ limit, part }) => {
      expect(quotaLevel(limit, limit)).toBe(100);
      expect(quotaLevel(limit - 1, limit)).not.toBe(100);
      const used = Math.floor(limit * (Number.isNaN(part) ? 0 : part));
      if (used < limit) expect(quotaLevel(used, limit)).toBe(used / limit >= 0.8 ? 80 : null);
      expect(quotaLevel(used, null)).toBeNull();
    }),
  );
});
