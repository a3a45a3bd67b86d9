import { buildCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { countersIn, limitsOf } from '../support/limit-counters';

const SELF = '/api/v1/keys/self';
const stack = useStack({ role: 'api' });
const { countersOf, setCounters } = countersIn(stack);
const beginOfMonth = (later: number, now = new Date()): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1));

describe('the burst window', () => {
  it("ends 60 seconds after its first call by the database's clock, and no 429 says sooner", async () => {
    const api = await buildCaller(stack, { tier: 'free' });
    await api.get(SELF);
    await setCounters(api.accountId, { window_used: 10, window_started_at: new Date(Date.now() - 30_000) });
    const ends = (await countersOf(api.accountId)).window_started_at.getTime() + 60_000;

    const askedAt = Date.now();
    const denied = await api.get(SELF);
    const answeredAt = Date.now();

    expect([denied.status, limitsOf(denied).reset]).toEqual([429, Math.ceil(ends / 1_000)]);
    const waitMs = denied.body.retry_after * 1_000;
    expect(answeredAt + waitMs).toBeGreaterThanOrEqual(ends);
    expect(askedAt + waitMs).toBeLessThan(ends + 1_000);
  });

  it('starts again with the first call after it ended', async () => {
    const api = await buildCaller(stack, { tier: 'free' });
    await api.get(SELF);
    const last = new Date(Date.now() - 60_001);
    await setCounters(api.accountId, { window_used: 10, window_started_at: last });

    const admitted = await api.get(SELF);

    const { window_started_at: begin } = await countersOf(api.accountId);
    expect(begin.getTime()).toBeGreaterThan(last.getTime() + 60_000);
    expect([admitted.status, limitsOf(admitted)]).toEqual([
      200,
      expect.objectContaining({ remaining: 9, reset: Math.ceil((begin.getTime() + 60_000) / 1_000) }),
    ]);
  });
});

describe('the monthly quota', () => {
  it('resets with the month, independently of the window', async () => {
    const api = await buildCaller(stack, { tier: 'free' });
    await api.get(SELF);
    await setCounters(api.accountId, { quota_used: 500, month: beginOfMonth(-1) });

    const admitted = await api.get(SELF);

    expect([admitted.status, limitsOf(admitted).used, limitsOf(admitted).remaining]).toEqual([200, 1, 8]);
    expect((await countersOf(api.accountId)).month).toEqual(beginOfMonth(0));
  });

  it('429 says when the next month begins, and never sooner', async () => {
    const api = await buildCaller(stack, { tier: 'free' });
    await api.get(SELF);
    await setCounters(api.accountId, { quota_used: 500 });

    const askedAt = Date.now();
    const denied = await api.get(SELF);
    const answeredAt = Date.now();

    const resetAt = beginOfMonth(1, (await countersOf(api.accountId)).month).getTime();
    expect([denied.status, Date.parse(denied.body.reset_at)]).toEqual([429, resetAt]);
    const waitMs = Number(denied.headers.get('Retry-After')) * 1_000;
    expect(answeredAt + waitMs).toBeGreaterThanOrEqual(resetAt);
    expect(askedAt + waitMs).toBeLessThan(resetAt + 1_000);
  });
});
