import type { z } from 'zod';
import { spanOf } from '../domain/health-windows';
import type { EndpointHealth, HealthDeps } from '../endpoints/read-health';
import type { Endpoint } from '../stores/endpoint-store';
import type { GateStore } from '../stores/gate-store';
import { MAX_WAITING, type OverviewStore } from './overview-store';
import type { overviewView } from './overview-schema';

/** What finding endpoints that fall behind reads. */
interface BehindDeps extends Pick<HealthDeps, 'attemptCounts'> {
  readonly overview: Pick<OverviewStore, 'oldestHeld' | 'countWaiting' | 'countAccepted'>;
  readonly gates: Pick<GateStore, 'holding'>;
}

type Behind = z.output<typeof overviewView>['behind'][number];

const MINUTE_MS = 60_000;
/** The same as of the alert EverpostDeliveriesLate. */
const LATE_MS = 5 * MINUTE_MS;
/** Attempts are counted by five minutes: this long, and the span that has begun. */
const RATES_OVER_MS = 10 * MINUTE_MS;
/** Of more endpoints nothing is counted, which bounds the work. */
const MAX_SHOWN = 10;

/**
 * The endpoints of an account whose deliveries wait although they are neither stopped nor failing: for a rate, in a line,
 * or because the receiver is slow. Everything is read from indexes, for endpoints that hold deliveries alone.
 *
 * @param found all endpoints of the account
 * @param now by the database's clock
 * @returns those whose oldest delivery waits for more than five minutes, the latest first
 */
export async function findBehind(
  deps: BehindDeps,
  found: readonly { readonly endpoint: Endpoint; readonly health: Pick<EndpointHealth, 'state'> }[],
  now: Date,
): Promise<Behind[]> {
  const open = found.filter(
    ({ health: { state } }) => state === 'healthy' || state === 'degraded' || state === 'waiting',
  );
  const byId = new Map(open.map(({ endpoint }) => [endpoint._id, endpoint]));
  const holding = byId.size === 0 ? [] : await deps.gates.holding([...byId.keys()]);
  const held = await Promise.all(
    holding.map(async (id) => ({ endpoint: byId.get(id)!, oldestAt: await deps.overview.oldestHeld(id) })),
  );
  const late = held.flatMap(({ endpoint, oldestAt }) =>
    oldestAt && now.getTime() - oldestAt.getTime() > LATE_MS ? [{ endpoint, oldestAt }] : [],
  );
  const latest = late.sort((one, other) => one.oldestAt.getTime() - other.oldestAt.getTime()).slice(0, MAX_SHOWN);
  return Promise.all(latest.map(({ endpoint, oldestAt }) => presentBehind(deps, endpoint, oldestAt, now)));
}

async function presentBehind(
  { overview, attemptCounts }: BehindDeps,
  { _id: id, account_id: accountId, url, description }: Endpoint,
  oldestAt: Date,
  now: Date,
): Promise<Behind> {
  const ref = { accountId, endpointId: id };
  const since = spanOf(new Date(now.getTime() - RATES_OVER_MS), '5m');
  const minutes = (now.getTime() - since.getTime()) / MINUTE_MS;
  const [deliveries, accepted, spans] = await Promise.all([
    overview.countWaiting(ref),
    overview.countAccepted(ref, since),
    attemptCounts.series(id, '5m', since),
  ]);
  const succeeded = spans.reduce((sum, span) => sum + span.succeeded, 0);
  return {
    endpoint: { id, url, description },
    waiting: { deliveries, at_least: deliveries >= MAX_WAITING },
    oldest_at: oldestAt.toISOString(),
    arrived_per_minute: accepted / minutes,
    delivered_per_minute: succeeded / minutes,
    through_at: throughAt({ deliveries, accepted, succeeded, minutes }, now),
  };
}

interface Rates {
  readonly deliveries: number;
  readonly accepted: number;
  readonly succeeded: number;
  readonly minutes: number;
}

/** When nothing waits any more, if both rates stay. A count that stopped at its bound tells no time. */
function throughAt({ deliveries, accepted, succeeded, minutes }: Rates, now: Date): string | null {
  const perMinute = (succeeded - accepted) / minutes;
  if (perMinute <= 0 || deliveries >= MAX_WAITING || accepted >= MAX_WAITING) return null;
  return new Date(now.getTime() + (deliveries / perMinute) * MINUTE_MS).toISOString();
}
