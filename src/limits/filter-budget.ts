import { LRUCache } from 'lru-cache';
import { UnprocessableError, type AppError } from '../domain/errors';
import type { Clock } from '../platform/clock';
import { createConcurrencyLimit } from '../platform/concurrency-limit';
import { filterBudgetExceeded } from './refusals';
import { isWindowOver, WINDOW_MS } from './windows';

/**
 * The most work that filters may do: for one event, for an account at a time, and for each call that its tier allows in a
 * minute. Measured on hostile data and filters on a busy machine, a unit takes 0.02 to 0.13 µs. So an event takes at most
 * 17 ms, an account 0.14 s at a time, and one of the tier `enterprise` a tenth of a process.
 */
const MAX_EVENT_WORK = 131_072;
const MAX_WORK_AT_A_TIME = 8 * MAX_EVENT_WORK;
const WORK_PER_CALL_OF_THE_MINUTE = 16_384;
/** Work of a millisecond: less of it doesn't wait for its turn. */
const MIN_TO_WAIT = 8_192;
const RESTS_PER_TURN = 3;

const MAX_ACCOUNTS = 10_000;

/** What the filters of one event would cost. */
export interface FilterCost {
  readonly work: number;
  /** The number of values that the filters compare with, and the number of values inside lists of the data. */
  readonly comparisons: number;
  readonly listed: number;
}

interface Window {
  readonly startedAt: Date;
  used: number;
}

export type FilterBudget = ReturnType<typeof createFilterBudget>;

/**
 * How much work filters may do for an account in a call and in a minute, decided before any of it is done. The minute is
 * counted in this process's memory, and nothing is given back, whatever the answer to the call.
 *
 * @param deps `callsPerMinute` is what the account's tier allows
 */
export function createFilterBudget({
  clock,
  callsPerMinute,
}: {
  readonly clock: Clock;
  readonly callsPerMinute: (accountId: string) => number;
}) {
  const windows = new LRUCache<string, Window>({ max: MAX_ACCOUNTS });
  const windowOf = (accountId: string): Window => {
    const now = clock();
    const window = windows.get(accountId);
    if (window && !isWindowOver(window.startedAt, now)) return window;
    const fresh = { startedAt: new Date(now), used: 0 };
    windows.set(accountId, fresh);
    return fresh;
  };
  /** Work that was admitted and has not ended, by account. */
  const underWay = new Map<string, number>();
  const slots = createConcurrencyLimit(1, RESTS_PER_TURN);
  return {
    /**
     * Decides on the events of one call, in order, and counts the work of those that it admits. After the first event
     * that does not fit now, no other event with filters is admitted.
     *
     * @returns `refusals`: for each event why it is refused: 422 for one that can never be admitted, else 429; `end` is to
     *   be called when the others have been compared
     */
    take(accountId: string, events: readonly FilterCost[]) {
      const window = windowOf(accountId);
      const perMinute = Math.max(MAX_EVENT_WORK, callsPerMinute(accountId) * WORK_PER_CALL_OF_THE_MINUTE);
      const before = underWay.get(accountId) ?? 0;
      let taken = 0;
      let refusal: AppError | undefined;
      const refusals = events.map((event) => {
        const { work } = event;
        if (work === 0) return undefined;
        if (work > MAX_EVENT_WORK) return tooCostly(event);
        if (before + taken + work > MAX_WORK_AT_A_TIME) refusal ??= filterBudgetExceeded('moment', 1);
        if (window.used + work > perMinute) refusal ??= filterBudgetExceeded('minute', secondsLeft(window, clock()));
        if (refusal) return refusal;
        taken += work;
        window.used += work;
        return undefined;
      });
      if (taken > 0) underWay.set(accountId, before + taken);
      const end = (): void => {
        const left = (underWay.get(accountId) ?? 0) - taken;
        if (left > 0) underWay.set(accountId, left);
        else underWay.delete(accountId);
      };
      return { refusals, end };
    },
    /**
     * Compares. Costly comparisons of this process take turns and then rest three times as long as they took, so that
     * they use at most a quarter of the event loop.
     *
     * @param signal aborts while the turn has not come
     */
    async run<T>(work: number, compare: () => T, signal?: AbortSignal): Promise<T> {
      if (work < MIN_TO_WAIT) return compare();
      return slots.run(async () => {
        signal?.throwIfAborted();
        return compare();
      });
    },
  };
}

/** For events of Everpost itself. */
export const UNCOUNTED_FILTERS: Pick<FilterBudget, 'take' | 'run'> = {
  take: (_accountId, events) => ({ refusals: events.map(() => undefined), end: () => undefined }),
  run: async (_work, compare) => compare(),
};

function secondsLeft({ startedAt }: Window, nowMs: number): number {
  return Math.max(1, Math.ceil((startedAt.getTime() + WINDOW_MS - nowMs) / 1_000));
}

function tooCostly({ comparisons, listed }: FilterCost): UnprocessableError {
  return new UnprocessableError(
    `The filters of this account's endpoints compare with ${comparisons} values, which takes too long for the ` +
      `${listed} values in the lists of the data. Send shorter lists, nest them less, or simplify the filters.`,
    'filters_too_costly',
  );
}
