import type { z } from 'zod';
import type { Account } from '../accounts/account-store';
import { NO_ATTEMPTS } from '../domain/attempt-counts';
import { isFinished } from '../domain/delivery-state';
import { spanOf } from '../domain/health-windows';
import type { Tier } from '../domain/tiers';
import { presentHealth } from '../endpoints/present';
import { addHealth, type HealthDeps, type Viewer } from '../endpoints/read-health';
import type { GateStore } from '../stores/gate-store';
import type { KeyStore } from '../keys/key-store';
import type { SchemaErrorCount, SchemaErrorStore } from '../event-types/schema-error-store';
import type { Limiter } from '../limits/limiter';
import { limitsOf, WINDOW_MS } from '../limits/windows';
import type { CountBacklog } from './count-backlog';
import { findBehind } from './overview-behind';
import { pickAttention, presentAttention, presentStart } from './overview-attention';
import type { OverviewStore } from './overview-store';
import { presentTier } from './present';
import { createSharedRead } from './share-read';
import type { endpointHealthView, overviewView } from './overview-schema';
import type { replayOutcomesView } from './schema';

/** What the overview needs. */
export interface OverviewDeps extends HealthDeps {
  readonly overview: OverviewStore;
  readonly schemaErrors: Pick<SchemaErrorStore, 'since'>;
  readonly gates: Pick<GateStore, 'holding'>;
  readonly keys: Pick<KeyStore, 'hasActive'>;
  readonly limiter: Limiter;
  readonly tiers: ReadonlyMap<string, Tier>;
}

type Overview = z.output<typeof overviewView>;

const HOUR_MS = 3_600_000;
const HOURS = 24;
const MAX_SCHEMA_ERRORS = 10;

/** Makes the overview of an account. Counts are at most ten times as old as counting takes; the rest is current. */
export function createOverview(
  deps: OverviewDeps,
  countBacklog: CountBacklog,
): (account: Account, now: Date) => Promise<Overview> {
  const countWaiting = createCountWaiting(deps.overview);
  const shareBehind = createSharedRead<Overview['behind']>();
  return async (account, now) => {
    const accountId = account._id;
    const [endpoints, firsts, limits, backlog, schemaErrors] = await Promise.all([
      deps.endpoints.listByAccount(accountId).then((found) => addHealth(deps, { now }, found)),
      deps.overview.findFirsts(accountId),
      readLimits(deps, account, now),
      countBacklog(accountId, now),
      deps.schemaErrors.since(accountId, new Date(now.getTime() - HOURS * HOUR_MS), now),
    ]);
    const { picked, more } = pickAttention(endpoints);
    const [waiting, behind] = await Promise.all([
      countWaiting(
        accountId,
        picked.map(({ endpoint }) => endpoint._id),
      ),
      shareBehind(accountId, () => findBehind(deps, endpoints, now)),
    ]);
    return {
      first_steps: firsts.delivered
        ? null
        : { key: await deps.keys.hasActive(accountId, 'weh'), endpoint: endpoints.length > 0, event: firsts.event },
      endpoints: {
        total: endpoints.length,
        healthy: endpoints.filter(({ health }) => health.state === 'healthy').length,
      },
      attention: [...presentAttention(picked, waiting)],
      behind,
      schema_errors: presentSchemaErrors(schemaErrors),
      more,
      backlog,
      limits,
    };
  };
}

function presentSchemaErrors(counts: readonly SchemaErrorCount[]): Overview['schema_errors'] {
  return counts
    .toSorted((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1))
    .slice(0, MAX_SCHEMA_ERRORS)
    .map(({ type, count, eventId, at }) => ({ type, count, event_id: eventId, at: at.toISOString() }));
}

/** Counts what waits for each of some endpoints. */
function createCountWaiting(overview: OverviewStore) {
  const share = createSharedRead<ReadonlyMap<string, number>>();
  const count = async (accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const counting = ids.map(async (id) => [id, await overview.countWaiting({ accountId, endpointId: id })] as const);
    return new Map(await Promise.all(counting));
  };
  return (accountId: string, ids: readonly string[]) =>
    share([accountId, ...ids].join(' '), () => count(accountId, ids));
}

async function readLimits(deps: OverviewDeps, account: Account, now: Date): Promise<Overview['limits']> {
  const tier = presentTier(limitsOf(deps.tiers, account));
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

type Health = z.output<typeof endpointHealthView>['endpoints'][number];

/** The health of each endpoint of an account, and its attempts in each of the last 24 hours, the current one included. */
export async function listEndpointHealth(deps: HealthDeps, viewer: Viewer): Promise<Health[]> {
  const { accountId, now } = viewer;
  const firstMs = spanOf(now, '1h').getTime() - (HOURS - 1) * HOUR_MS;
  const endpoints = await deps.endpoints.listByAccount(accountId);
  const ids = endpoints.map(({ _id }) => _id);
  const spans = await deps.attemptCounts.byEndpoint(ids, '1h', new Date(firstMs));
  const countsOf = new Map(spans.map((span) => [`${span.endpointId} ${span.at.getTime()}`, span]));
  return (await addHealth(deps, viewer, endpoints)).map(({ endpoint, health }) => ({
    endpoint_id: endpoint._id,
    health: presentHealth(endpoint, health),
    failing_since: presentStart(health),
    hours: Array.from({ length: HOURS }, (_, index) => {
      const atMs = firstMs + index * HOUR_MS;
      const { attempts, succeeded } = countsOf.get(`${endpoint._id} ${atMs}`) ?? NO_ATTEMPTS;
      return { from: new Date(atMs).toISOString(), succeeded, failed: attempts - succeeded };
    }),
  }));
}

type Outcome = z.output<typeof replayOutcomesView>['outcomes'][number];

/** The outcomes of the deliveries of bulk replays, in the order of the ids. A delivery counts for its last replay. */
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
