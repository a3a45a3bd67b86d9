import type { AccountStore } from '../accounts/account-store';
import { CALL_REFUSALS, type CallRefusal } from '../domain/call-refusals';
import { NotFoundError } from '../domain/errors';
import { quotaOutlook, startOfMonth } from '../domain/quota-outlook';
import type { Limiter } from '../limits/limiter';
import { isWindowOver, WINDOW_MS } from '../limits/windows';
import type { Usage } from '../limits/limit-store';
import { KEPT_MS, type AttemptCountStore } from '../stores/attempt-count-store';
import type { KeyStore } from './key-store';
import type { UsageReport } from './usage-schema';
import { API_CALLS, type UsageRecord, type UsageStore } from './usage-store';

/** What reporting usage needs. */
export interface UsageReportDeps {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly usage: Pick<UsageStore, 'list'>;
  readonly keys: Pick<KeyStore, 'labelsOf'>;
  readonly attemptCounts: Pick<AttemptCountStore, 'byDay'>;
  readonly limiter: Pick<Limiter, 'read'>;
}

type Day = UsageReport['days'][number];

const DAY_MS = 86_400_000;

/**
 * An account's calls, refusals and attempts of the last days, and how much of its limits is used.
 *
 * @param days today (UTC) included; fewer are reported for an account that used thousands of keys
 * @throws NotFoundError for an account that no longer exists
 */
export async function reportUsage(deps: UsageReportDeps, accountId: string, days: number): Promise<UsageReport> {
  const [account, limits] = await Promise.all([deps.accounts.find(accountId), deps.limiter.read(accountId)]);
  if (!account || !limits) throw new NotFoundError('There is no such account.', 'account_not_found');
  const today = Math.floor(limits.now.getTime() / DAY_MS) * DAY_MS;
  const asked = new Date(today - (days - 1) * DAY_MS);
  const [{ records, since }, attempts] = await Promise.all([
    deps.usage.list(accountId, dayOf(asked)),
    deps.attemptCounts.byDay(accountId, asked),
  ]);
  const from = new Date(since);
  const keys = await deps.keys.labelsOf([...new Set(records.map((record) => record.key_id))]);
  const calls = records.filter(({ operation }) => operation === API_CALLS);
  const attemptsOf = new Map(attempts.map((counted) => [dayOf(counted.day), counted.attempts]));
  const firstKnown = limits.now.getTime() - KEPT_MS['1h'];
  return {
    from: dayOf(from),
    to: dayOf(limits.now),
    days: Array.from({ length: Math.round((today - from.getTime()) / DAY_MS) + 1 }, (_, index) => {
      const at = from.getTime() + index * DAY_MS;
      const day = dayOf(new Date(at));
      return { ...callsOn(day, calls), attempts: at < firstKnown ? null : (attemptsOf.get(day) ?? 0) };
    }),
    keys: keys.map(({ _id: id, label }) => ({ id, label })),
    outside_quota: records
      .filter(({ operation }) => operation !== API_CALLS)
      .map(({ day, key_id, operation, calls: made }) => ({ day, key_id, operation, calls: made })),
    ...presentLimits(limits, account.created_at),
  };
}

/** `2026-11-21`, in UTC. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function callsOn(day: string, calls: readonly UsageRecord[]): Omit<Day, 'attempts'> {
  const ofDay = calls.filter((record) => record.day === day);
  const refusedFor = (reason: CallRefusal): number => sum(ofDay.map(({ refused }) => refused?.[reason] ?? 0));
  return {
    day,
    calls: sum(ofDay.map((record) => record.calls)),
    refused: Object.fromEntries(CALL_REFUSALS.map((reason) => [reason, refusedFor(reason)])) as Day['refused'],
    keys: ofDay
      .map((record) => ({
        key_id: record.key_id,
        calls: record.calls,
        refused: sum(Object.values(record.refused ?? {})),
      }))
      .sort((one, other) => other.calls - one.calls || other.refused - one.refused),
  };
}

function presentLimits(limits: Usage, createdAt: Date) {
  const { tier, now, quotaUsed, quotaResetsAt, deliveries } = limits;
  const monthStart = startOfMonth(now);
  const outlook = quotaOutlook({
    used: quotaUsed,
    limit: tier.monthlyQuota,
    from: createdAt > monthStart ? createdAt : monthStart,
    now,
    resetsAt: quotaResetsAt,
  });
  const isOpen = limits.windowUsed > 0 && !isWindowOver(limits.windowStartedAt, now.getTime());
  return {
    quota: {
      limit: tier.monthlyQuota,
      used: quotaUsed,
      resets_at: quotaResetsAt.toISOString(),
      outlook: outlook.state,
      runs_out_at: outlook.state === 'runs_out' ? outlook.at.toISOString() : null,
    },
    calls_per_minute: windowOf(tier.perMinute, limits.windowUsed, isOpen ? limits.windowStartedAt : null),
    deliveries_per_minute: windowOf(deliveries.perMinute, deliveries.used, deliveries.windowStartedAt),
    pending_deliveries: { limit: deliveries.pendingLimit, at_most: Math.max(0, deliveries.pendingAtMost) },
  };
}

function windowOf(limit: number, used: number, startedAt: Date | null) {
  return { limit, used, resets_at: startedAt && new Date(startedAt.getTime() + WINDOW_MS).toISOString() };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
