import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Account } from '../accounts/account-store';
import { latencyQuantile, NO_ATTEMPTS, sumCounts } from '../domain/attempt-counts';
import { DELIVERY_STATES, isFinished, type DeliveryState } from '../domain/delivery-state';
import type { Tier } from '../domain/tiers';
import { presentHealth } from '../endpoints/present';
import { addHealth, type HealthDeps, type Viewer } from '../endpoints/read-health';
import type { Limiter } from '../limits/limiter';
import { tierOf, WINDOW_MS } from '../limits/windows';
import { MAX_COUNTED, type EventCounts, type OverviewStore } from './overview-store';
import { presentTier } from './present';
import type { overviewView, endpointHealthView, replayOutcomesView } from './schema';

/** What the overview needs. */
export interface OverviewDeps extends HealthDeps {
  readonly overview: OverviewStore;
  readonly limiter: Limiter;
  readonly tiers: ReadonlyMap<string, Tier>;
}

type Overview = z.output<typeof overviewView>;
type Deliveries = Omit<Overview, 'limits'>;
type StateCounts = Record<DeliveryState, number>;

/** Several browsers of a team, and each change that they learn of, share one count. */
const MIN_AGE_MS = 2_000;
/** Counting an account with very many events takes at most a tenth of a core, however often it is requested. */
const AGE_PER_COUNTING = 10;

/** Makes the overview of an account. Counts are at most some seconds old; the limits are current. */
export function createOverview(deps: OverviewDeps): (account: Account, hours: number, now: Date) => Promise<Overview> {
  const counted = new LRUCache<string, Promise<Deliveries>>({ max: 1_000 });
  const count = async (key: string, accountId: string, hours: number, now: Date): Promise<Deliveries> => {
    const startedAt = performance.now();
    try {
      return await countDeliveries(deps, accountId, hours, now);
    } finally {
      const ttl = Math.max(MIN_AGE_MS, AGE_PER_COUNTING * (performance.now() - startedAt));
      const counting = counted.peek(key);
      if (counting) counted.set(key, counting, { ttl });
    }
  };
  return async (account, hours, now) => {
    const id = `${account._id} ${hours}`;
    let deliveries = counted.get(id);
    if (!deliveries) {
      deliveries = count(id, account._id, hours, now);
      counted.set(id, deliveries);
      deliveries.catch(() => counted.delete(id));
    }
    const [counts, limits] = await Promise.all([deliveries, readLimits(deps, account, now)]);
    return { ...counts, limits };
  };
}

async function countDeliveries(
  { overview, attemptCounts }: OverviewDeps,
  accountId: string,
  hours: number,
  now: Date,
): Promise<Deliveries> {
  const rows = createHourRows(now, hours, emptyCounts);
  const [counts, answered, unfinished] = await Promise.all([
    overview.countSince(accountId, rows.from),
    attemptCounts.series(accountId, '1h', rows.from),
    overview.countUnfinished(accountId),
  ]);
  const { attempts, latencies } = answered.reduce(sumCounts, NO_ATTEMPTS);
  const byHour = hoursOf(counts, rows);
  const totals = emptyCounts();
  for (const hour of byHour) for (const state of DELIVERY_STATES) totals[state] += hour[state];
  const ended = totals.delivered + totals.failed;
  const inFlight = { pending: unfinished.get('pending') ?? 0, retrying: unfinished.get('retrying') ?? 0 };
  return {
    from: rows.from.toISOString(),
    to: now.toISOString(),
    sampled: counts.events >= MAX_COUNTED,
    hours: byHour,
    totals: { events: counts.events, ...totals },
    success_rate: ended === 0 ? null : totals.delivered / ended,
    latency_ms: { p50: latencyQuantile(latencies, 0.5), p95: latencyQuantile(latencies, 0.95), attempts },
    in_flight: { ...inFlight, at_least: inFlight.pending + inFlight.retrying >= MAX_COUNTED },
  };
}

function hoursOf({ byHour }: EventCounts, rows: HourRows<StateCounts>): ({ from: string } & StateCounts)[] {
  const filled = rows.fill();
  for (const { from, state, deliveries } of byHour) {
    const row = rows.rowAt(filled, from);
    if (row) row[state] += deliveries;
  }
  return filled;
}

function emptyCounts(): StateCounts {
  return { delivered: 0, failed: 0, cancelled: 0, pending: 0, retrying: 0 };
}

async function readLimits(deps: OverviewDeps, account: Account, now: Date): Promise<Overview['limits']> {
  const tier = presentTier(tierOf(deps.tiers, account.tier));
  const view = await deps.limiter.peek(account._id);
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const windowEndsAt = view ? view.resetAtSeconds * 1_000 : now.getTime() + WINDOW_MS;
  return {
    tier,
    burst: {
      limit: tier.per_minute,
      used: view ? view.perMinute - view.remaining : 0,
      resets_at: new Date(windowEndsAt).toISOString(),
    },
    quota: { limit: tier.monthly_quota, used: view?.quotaUsed ?? 0, resets_at: nextMonth.toISOString() },
  };
}

const HOUR_MS = 3_600_000;

type HourRows<Counts extends object> = ReturnType<typeof createHourRows<Counts>>;

/**
 * The last full hours of a window, and the current one.
 *
 * @param empty makes the counts of an hour without deliveries
 */
function createHourRows<Counts extends object>(now: Date, hours: number, empty: () => Counts) {
  const firstMs = Math.floor(now.getTime() / HOUR_MS - (hours - 1)) * HOUR_MS;
  return {
    /** The start of the first one. */
    from: new Date(firstMs),
    /** A row for each hour, including empty ones; oldest first. */
    fill: (): ({ from: string } & Counts)[] =>
      Array.from({ length: hours }, (_, index) => ({
        from: new Date(firstMs + index * HOUR_MS).toISOString(),
        ...empty(),
      })),
    /** The row of the hour that contains `at`; undefined outside the window. */
    rowAt: <Row>(rows: readonly Row[], at: Date): Row | undefined =>
      rows[Math.floor((at.getTime() - firstMs) / HOUR_MS)],
  };
}

type Health = z.output<typeof endpointHealthView>['endpoints'][number];

const HOURS = 24;

/** The health of each endpoint of an account, and its attempts in each of the last 24 hours. */
export async function listEndpointHealth(deps: HealthDeps, viewer: Viewer): Promise<Health[]> {
  const { accountId, now } = viewer;
  const rows = createHourRows(now, HOURS, () => ({ succeeded: 0, failed: 0 }));
  const [endpoints, spans] = await Promise.all([
    deps.endpoints.listByAccount(accountId),
    deps.attemptCounts.byEndpoint(accountId, '1h', rows.from),
  ]);
  const rowsOf = new Map(endpoints.map(({ _id }) => [_id, rows.fill()]));
  for (const { endpointId, at, attempts, succeeded } of spans) {
    const hour = rows.rowAt(rowsOf.get(endpointId) ?? [], at);
    if (hour) Object.assign(hour, { succeeded, failed: attempts - succeeded });
  }
  return (await addHealth(deps, viewer, endpoints)).map(({ endpoint, health }) => ({
    endpoint_id: endpoint._id,
    health: presentHealth(endpoint, health),
    hours: rowsOf.get(endpoint._id)!,
  }));
}

type Outcome = z.output<typeof replayOutcomesView>['outcomes'][number];

/** What became of the deliveries of bulk replays, in the order of the ids. A delivery counts for its last replay. */
export async function getReplayOutcomes(
  { overview }: { readonly overview: OverviewStore },
  accountId: string,
  jobIds: readonly string[],
): Promise<Outcome[]> {
  const counts = jobIds.length === 0 ? [] : await overview.countReplayed(accountId, jobIds);
  return jobIds.map((id) => {
    const outcome = { job_id: id, delivered: 0, failed: 0, cancelled: 0, open: 0 };
    for (const { jobId, state, deliveries } of counts) {
      if (jobId === id) outcome[isFinished(state) ? state : 'open'] += deliveries;
    }
    return outcome;
  });
}
