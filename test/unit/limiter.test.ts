import fc from 'fast-check';
import { createLimiter, type Admission } from '../../src/limits/limiter';
import type { LimitStore, Usage } from '../../src/limits/limit-store';
import { buildUsage } from '../support/build-usage';

const NOW = new Date('2026-11-21T12:00:30.250Z');
const WINDOW_START = new Date('2026-11-21T12:00:00.000Z');
const NEXT_MONTH = new Date('2026-12-01T00:00:00.000Z');

/** A store in memory, with one account: the decision of MongoDB's update, in JavaScript. */
function buildStore(perMinute: number, monthlyQuota: number | null, used = { window: 0, quota: 0 }) {
  const counts = { ...used };
  const calls: number[] = [];
  const usage = (admitted: number): Usage =>
    buildUsage(
      { perMinute, monthlyQuota },
      {
        accountId: 'acc_1',
        externalId: undefined,
        endpointsVersion: 7,
        searchFields: ['customer_id'],
        defaultBody: 'data',
        eventTypes: 'warn',
        retentionDays: 7,
        now: NOW,
        windowStartedAt: WINDOW_START,
        windowUsed: counts.window,
        quotaUsed: counts.quota,
        quotaResetsAt: NEXT_MONTH,
        admitted,
      },
    );
  const decide = async (accountId: string, wanted: number, howMany: (room: number) => number) => {
    calls.push(wanted);
    if (accountId !== 'acc_1') return null;
    const room = Math.min(perMinute - counts.window, (monthlyQuota ?? Number.MAX_SAFE_INTEGER) - counts.quota);
    const admitted = howMany(room);
    counts.window += admitted;
    counts.quota += admitted;
    return usage(admitted);
  };
  const store: LimitStore = {
    admit: (accountId, wanted) => decide(accountId, wanted, (room) => Math.max(0, Math.min(wanted, room))),
    admitWhole: (accountId, wanted) =>
      decide(accountId, wanted, (room) => (wanted <= room ? wanted : Math.max(0, Math.min(1, room)))),
    read: async (accountId) => (accountId === 'acc_1' ? usage(0) : null),
    refund: async () => undefined,
  };
  return { store, calls };
}

it("a call gets its account's current counts", async () => {
  const limiter = createLimiter(buildStore(10, 500, { window: 3, quota: 40 }).store);
  expect(await limiter.admit('acc_1')).toEqual({
    admitted: true,
    accountId: 'acc_1',
    endpointsVersion: 7,
    searchFields: ['customer_id'],
    defaultBody: 'data',
    eventTypes: 'warn',
    retentionDays: 7,
    now: NOW,
    view: {
      perMinute: 10,
      remaining: 6,
      resetAtSeconds: WINDOW_START.getTime() / 1_000 + 60,
      quotaUsed: 41,
      quotaLimit: 500,
    },
  });
  expect(limiter.lastKnown('acc_1')).toMatchObject({ quotaUsed: 41 });
});

it('the last known counts are never of a window or month that is over', async () => {
  let passedMs = 0;
  const { store } = buildStore(10, 500, { window: 3, quota: 40 });
  const limiter = createLimiter(store, { perf: { now: () => passedMs } });
  await limiter.admit('acc_1');
  const ends = WINDOW_START.getTime() / 1_000 + 60;

  passedMs = 29_749;
  expect(limiter.lastKnown('acc_1')).toMatchObject({ remaining: 6, resetAtSeconds: ends, quotaUsed: 41 });
  passedMs = 29_750;
  expect(limiter.lastKnown('acc_1')).toMatchObject({ remaining: 10, resetAtSeconds: ends + 60, quotaUsed: 41 });
  passedMs = NEXT_MONTH.getTime() - NOW.getTime();
  expect(limiter.lastKnown('acc_1')).toMatchObject({
    remaining: 10,
    resetAtSeconds: NEXT_MONTH.getTime() / 1_000 + 60,
    quotaUsed: 0,
  });
});

it('a deleted account is null, and an error of the store is an error', async () => {
  const { store } = buildStore(10, 500);
  expect(await createLimiter(store).admit('nobody')).toBeNull();
  expect(await createLimiter(store).peek('nobody')).toBeNull();
  const broken = { ...store, admit: () => Promise.reject(new Error('away')) };
  await expect(createLimiter(broken).admit('acc_1')).rejects.toThrow('away');
});

it.each([
  ['a full window until it ends, rounded up', 10, { reason: 'burst', retryAfterSeconds: 30 }],
  [
    'a spent quota, also before a full window',
    500,
    { reason: 'quota', retryAfterSeconds: 9 * 86_400 + 12 * 3_600 - 30, quotaResetsAt: NEXT_MONTH },
  ],
])('%s refuses', async (_what, quota, refusal) => {
  const { store } = buildStore(10, 500, { window: 10, quota });
  expect(await createLimiter(store).admit('acc_1')).toMatchObject({
    admitted: false,
    ...refusal,
    view: { remaining: 0 },
  });
});

it('concurrent calls share few round trips, and each gets its own count', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.nat(60), fc.option(fc.nat(60)), async (calls, perMinute, quota) => {
      const { store, calls: asked } = buildStore(perMinute, quota);
      const limiter = createLimiter(store);
      const admissions = (await Promise.all(
        Array.from({ length: calls }, () => limiter.admit('acc_1')),
      )) as Admission[];
      const admitted = admissions.filter((admission) => admission.admitted);
      const expected = Math.min(calls, perMinute, quota ?? calls);
      expect(admitted).toHaveLength(expected);
      expect(admitted.map(({ view }) => view.quotaUsed)).toEqual(
        Array.from({ length: expected }, (_, index) => index + 1),
      );
      expect(admitted.map(({ view }) => view.remaining)).toEqual(
        Array.from({ length: expected }, (_, index) => perMinute - index - 1),
      );
      expect(asked.length).toBeLessThanOrEqual(2);
      expect(asked.reduce((sum, count) => sum + count, 0)).toBe(calls);
    }),
  );
});

it("concurrent looks at an account share few reads: a refused key's calls don't flood MongoDB", async () => {
  const { store } = buildStore(10, 500, { window: 10, quota: 40 });
  let reads = 0;
  const limiter = createLimiter({ ...store, read: (accountId) => ((reads += 1), store.read(accountId)) });
  const first = limiter.peek('acc_1');
  await new Promise(setImmediate);

  const looks = await Promise.all([
    ...Array.from({ length: 50 }, () => limiter.peek('acc_1')),
    ...Array.from({ length: 50 }, async () => (await limiter.check('acc_1'))?.view),
  ]);

  expect(new Set([await first, ...looks].map((view) => view?.quotaUsed))).toEqual(new Set([40]));
  expect(reads).toBe(2);
});

it('concurrent refunds share few round trips, and each one counts', async () => {
  const { store } = buildStore(100, 500);
  const updates: number[] = [];
  const noting: LimitStore = {
    ...store,
    refund: async (_accountId, refunds) => void updates.push(refunds.reduce((sum, { calls }) => sum + calls, 0)),
  };
  const limiter = createLimiter(noting);

  await Promise.all(Array.from({ length: 60 }, () => limiter.refund('acc_1', NOW, 2)));

  expect(updates).toEqual([120]);
});

it('a group of calls is counted as a whole, or as one call if it does not fit', async () => {
  const limiter = createLimiter(buildStore(10, 12).store);
  const decide = async (calls: number) => {
    const { admission, counted } = (await limiter.admitWhole('acc_1', calls))!;
    const { admitted, view } = admission;
    return [admitted || admission.reason, counted, view.remaining, view.quotaUsed];
  };

  expect(await decide(7)).toEqual([true, 7, 3, 7]);
  expect(await decide(4)).toEqual(['burst', 1, 2, 8]);
  // Four would fit into the month, and two into the minute.
  expect(await decide(4)).toEqual(['burst', 1, 1, 9]);
  expect(await decide(4)).toEqual(['quota', 1, 0, 10]);
  expect(await decide(2)).toEqual(['burst', 0, 0, 10]);
  expect(await decide(3)).toEqual(['quota', 0, 0, 10]);
  expect(await limiter.admitWhole('nobody', 2)).toBeNull();
});

it('a check counts nothing, and refuses an account whose window or quota is used up', async () => {
  const limiter = createLimiter(buildStore(2, 500, { window: 1, quota: 1 }).store);
  expect(await limiter.check('acc_1')).toMatchObject({ admitted: true, view: { remaining: 1 } });
  expect(await limiter.admit('acc_1')).toMatchObject({ admitted: true, view: { remaining: 0 } });
  expect(await limiter.check('acc_1')).toMatchObject({ admitted: false, reason: 'burst', retryAfterSeconds: 30 });
  expect(await limiter.check('nobody')).toBeNull();
  const spent = createLimiter(buildStore(10, 1, { window: 0, quota: 1 }).store);
  expect(await spent.check('acc_1')).toMatchObject({ admitted: false, reason: 'quota' });
});
