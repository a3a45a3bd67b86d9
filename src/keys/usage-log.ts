import type { Product } from '../domain/api-key';
import type { CallRefusal } from '../domain/call-refusals';
import type { Logger } from '../platform/logger';
import { createTally } from '../platform/tally';
import { API_CALLS, type UsageRecord, type UsageStore } from './usage-store';

/** One write for all keys in this time. A page shows days, so seconds are early enough. */
const FLUSH_MS = 2_000;
const DAY_MS = 86_400_000;

/** Who called: a key, for an account. A management key is counted with those of Webhook Reliability. */
export interface CountedCaller {
  readonly accountId: string;
  readonly keyId: string;
  readonly product?: Product | undefined;
}

/** A record that grows until it is written. */
interface Sum extends UsageRecord {
  calls: number;
  refused: Partial<Record<CallRefusal, number>>;
}

export type UsageLog = ReturnType<typeof createUsageLog>;

/**
 * Counts calls for the account of their key, in memory, and stores the sums: the cost for MongoDB does not grow with
 * the calls of a busy key. Times are by the database's clock.
 */
export function createUsageLog(deps: { usage: Pick<UsageStore, 'add'>; logger: Logger }) {
  /** By account and key: the day's sum that is not written yet. Counting a call only changes its numbers: refusals must be cheap. */
  const open = new Map<string, { readonly dayMs: number; readonly sum: Sum }>();
  const sums = createTally<Sum>({
    flushMs: FLUSH_MS,
    // Into the later one, which may still be open.
    merge: (earlier, later) => addTo(later, earlier),
    write(taken) {
      open.clear();
      return deps.usage.add([...taken.values()]);
    },
    logger: deps.logger,
    failure: 'usage not stored yet',
  });
  const start = (caller: CountedCaller, operation: string, at: Date, calls: number): Sum => {
    const { accountId, keyId, product = 'weh' } = caller;
    const sum = {
      account_id: accountId,
      day: at.toISOString().slice(0, 10),
      key_id: keyId,
      product,
      operation,
      calls,
      refused: {},
    };
    sums.add(`${nameOf(caller)}/${sum.day}/${operation}`, sum);
    return sum;
  };
  const openSum = (caller: CountedCaller, at: Date): Sum => {
    const dayMs = Math.floor(at.getTime() / DAY_MS);
    const name = nameOf(caller);
    const known = open.get(name);
    if (known?.dayMs === dayMs) return known.sum;
    const sum = start(caller, API_CALLS, at, 0);
    open.set(name, { dayMs, sum });
    return sum;
  };
  return {
    /** Counts a call of an operation outside of the quota. */
    note: (caller: CountedCaller, operation: string, at: Date): void => void start(caller, operation, at, 1),
    /** Counts calls that count in the quota; below 0 if they were returned to it. */
    noteCalls(caller: CountedCaller, calls: number, at: Date): void {
      openSum(caller, at).calls += calls;
    },
    /** Counts a call that got 429. */
    noteRefusal(caller: CountedCaller, reason: CallRefusal, at: Date): void {
      const { refused } = openSum(caller, at);
      refused[reason] = (refused[reason] ?? 0) + 1;
    },
    /** Stores what was counted. */
    close: sums.close,
  };
}

function nameOf({ accountId, keyId }: CountedCaller): string {
  return `${accountId}/${keyId}`;
}

function addTo(sum: Sum, { calls, refused }: Sum): Sum {
  sum.calls += calls;
  for (const [reason, count] of Object.entries(refused) as [CallRefusal, number][]) {
    sum.refused[reason] = (sum.refused[reason] ?? 0) + count;
  }
  return sum;
}
