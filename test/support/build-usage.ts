import type { Usage } from '../../src/limits/limit-store';

/** What an account has used, in the first minute of a tier without a limit of pending deliveries. */
export function buildUsage(
  { perMinute, monthlyQuota }: { readonly perMinute: number; readonly monthlyQuota: number | null },
  counters: Omit<Usage, 'tier' | 'isSuspended' | 'deliveries'>,
): Usage {
  return {
    tier: {
      id: 'test',
      name: 'Test',
      perMinute,
      monthlyQuota,
      deliveriesPerMinute: 100,
      pendingDeliveries: null,
      endpoints: 100,
      attemptsPerReceiver: null,
      storedBytesPerDay: null,
    },
    isSuspended: false,
    ...counters,
    deliveries: {
      perMinute: 100,
      now: counters.now,
      windowStartedAt: null,
      used: 0,
      pendingLimit: null,
      pendingAtMost: 0,
      countAgainAt: null,
    },
  };
}
