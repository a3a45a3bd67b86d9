import type { ApiAnswer } from './api-client';
import type { Stack } from './build-stack';

/** The stored counts of an account's calls. */
interface Counters {
  window_started_at: Date;
  window_used: number;
  month: Date;
  quota_used: number;
}

/** Reads the counters of a stack's accounts, and sets them for a test. */
export function countersIn(stack: Stack) {
  const accounts = () => stack.mongo.db.collection<{ _id: string; limits: Counters }>('accounts');
  return {
    countersOf: async (accountId: string): Promise<Counters> => (await accounts().findOne({ _id: accountId }))!.limits,
    /** As after this many calls. */
    async setCounters(accountId: string, changes: Partial<Counters>): Promise<void> {
      const set = Object.fromEntries(Object.entries(changes).map(([name, value]) => [`limits.${name}`, value]));
      await accounts().updateOne({ _id: accountId }, { $set: set });
    },
  };
}

/** The limit headers of an answer. */
export function limitsOf({ headers }: ApiAnswer) {
  const number = (name: string): number => Number(headers.get(name));
  return {
    limit: number('X-RateLimit-Limit'),
    remaining: number('X-RateLimit-Remaining'),
    reset: number('X-RateLimit-Reset'),
    used: number('X-Quota-Used'),
    quota: headers.get('X-Quota-Limit'),
  };
}
