import fc from 'fast-check';
import { createDeliveryLedger } from '../../src/limits/delivery-ledger';
import type { DeliveryReport, DeliveryStanding } from '../../src/limits/delivery-budget-store';

const NOW = new Date('2026-11-21T12:00:30.250Z');
const LATER = new Date('2026-11-21T12:01:30.250Z');

const NOTHING_PENDING = { pendingLimit: null, pendingAtMost: 0, countAgainAt: null };

/** One account's counter, as the database keeps it within a minute. */
function buildCounter(perMinute: number) {
  let used = 0;
  const standing = (): DeliveryStanding => ({
    ...NOTHING_PENDING,
    perMinute,
    now: NOW,
    windowStartedAt: used > 0 ? NOW : null,
    used,
  });
  return {
    used: () => used,
    update: async (report: DeliveryReport | undefined) => {
      used += report?.count ?? 0;
      return { deliveries: standing() };
    },
  };
}

const step = fc.oneof(
  fc.record({ do: fc.constant('take' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('tell' as const) }),
  fc.record({ do: fc.constant('fail' as const) }),
);

it('reports each delivery once, and refuses from the moment that the budget is used up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), async (steps, perMinute) => {
      const ledger = createDeliveryLedger();
      const counter = buildCounter(perMinute);
      await ledger.flushWith('acc', counter.update);
      let taken = 0;
      for (const it of steps) {
        if (it.do === 'tell') await ledger.flushWith('acc', counter.update);
        else if (it.do === 'fail') {
          await ledger.flushWith('acc', () => Promise.reject(new Error('away'))).catch(() => undefined);
        } else {
          const isTaken = ledger.take('acc', it.count);
          expect(isTaken).toBe(taken < perMinute);
          if (isTaken) taken += it.count;
        }
      }
      await ledger.flushWith('acc', counter.update);
      expect(counter.used()).toBe(taken);
    }),
  );
});

it('counts deliveries while their report is under way', async () => {
  const ledger = createDeliveryLedger();
  const counter = buildCounter(10);
  await ledger.flushWith('acc', counter.update);
  ledger.take('acc', 10);

  const telling = ledger.flushWith('acc', counter.update);

  expect(ledger.take('acc', 1)).toBe(false);
  await telling;
  expect(ledger.take('acc', 1)).toBe(false);
});

it('refuses an unknown account, which the database must decide on', () => {
  expect(createDeliveryLedger().take('acc', 1)).toBe(false);
});

it('resets with the minute', async () => {
  const ledger = createDeliveryLedger();
  const counter = buildCounter(10);
  await ledger.flushWith('acc', counter.update);
  ledger.take('acc', 10);
  await ledger.flushWith('acc', counter.update);
  expect(ledger.take('acc', 1)).toBe(false);

  const over = { ...NOTHING_PENDING, perMinute: 10, now: LATER, windowStartedAt: null, used: 0 };
  await ledger.flushWith('acc', async () => ({ deliveries: over }));

  expect(ledger.take('acc', 1)).toBe(true);
});

it('resets if the clock was set back', async () => {
  const ledger = createDeliveryLedger();
  const standing = { ...NOTHING_PENDING, perMinute: 10, used: 10 };
  const ahead = new Date(NOW.getTime() + 3_600_000);
  await ledger.flushWith('acc', async () => ({ deliveries: { ...standing, now: ahead, windowStartedAt: ahead } }));
  expect(ledger.take('acc', 1)).toBe(false);

  const after = { ...standing, now: NOW, windowStartedAt: NOW, used: 0 };
  await ledger.flushWith('acc', async () => ({ deliveries: after }));

  expect(ledger.take('acc', 1)).toBe(true);
  await ledger.flushWith('acc', async (report) => {
    expect(report).toEqual({ windowStartedAt: NOW, count: 1 });
    return { deliveries: after };
  });
});

it('returns the budget of deliveries that were not created', async () => {
  const ledger = createDeliveryLedger();
  const counter = buildCounter(10);
  await ledger.flushWith('acc', counter.update);
  ledger.take('acc', 10);
  await ledger.flushWith('acc', counter.update);

  ledger.giveBack('acc', 4);
  await ledger.flushWith('acc', counter.update);

  expect(counter.used()).toBe(6);
});
