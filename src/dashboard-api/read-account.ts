import type { z } from 'zod';
import { usageOfAccounts, type AccountUsageDeps } from '../account-lifecycle/account-usage';
import { presentAccount } from '../account-lifecycle/present';
import type { AccountStore } from '../accounts/account-store';
import { requireAccount } from '../accounts/manage-accounts';
import { HEALTH_STATES, type HealthState } from '../domain/endpoint-health';
import type { Tier } from '../domain/tiers';
import { addHealth, type HealthDeps } from '../endpoints/read-health';
import type { EndpointStore } from '../stores/endpoint-store';
import type { accountDetailView } from './account-schema';
import { presentAccountTier, presentQuota } from './present-account';

/** What the page of one account reads. */
export interface ReadAccountDeps extends EndpointDeps, Omit<AccountUsageDeps, 'accounts'> {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly tiers: ReadonlyMap<string, Tier>;
}

/** What reading the health of all endpoints of an account needs. */
interface EndpointDeps extends Pick<HealthDeps, 'health' | 'attemptCounts'> {
  readonly endpoints: Pick<EndpointStore, 'listByAccount'>;
}

type Detail = z.output<typeof accountDetailView>;

/** The states that need attention, the worst first. */
const TROUBLED: readonly HealthState[] = ['failing', 'disabled', 'degraded', 'paused'];
/** Of more only the number is shown; all of them are in the account itself. */
const MAX_TROUBLED = 20;

/**
 * One account: its settings, its usage of this month, and the health of its endpoints.
 *
 * @param now by the database's clock
 * @throws NotFoundError for an unknown account
 */
export async function readAccount(deps: ReadAccountDeps, accountId: string, now: Date): Promise<Detail> {
  const account = await requireAccount(deps.accounts, accountId);
  const [usage, endpoints] = await Promise.all([
    usageOfAccounts(deps, [account], dayOfMonth(now, 0), dayOfMonth(now, 1)),
    readEndpoints(deps, accountId, now),
  ]);
  return {
    ...presentAccount(account),
    ...presentQuota(account, deps.tiers, now),
    tiers: [...deps.tiers.values()].map(presentAccountTier),
    usage: usage.map(({ account_id: _id, external_id: _externalId, ...day }) => day),
    endpoints,
  };
}

/** The first day of the month of `now`, or of a later one: `2026-11-01`. */
function dayOfMonth(now: Date, monthsLater: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater, 1)).toISOString().slice(0, 10);
}

async function readEndpoints(deps: EndpointDeps, accountId: string, now: Date): Promise<Detail['endpoints']> {
  const found = await addHealth(deps, { now }, await deps.endpoints.listByAccount(accountId));
  const counts = Object.fromEntries(HEALTH_STATES.map((state) => [state, 0])) as Record<HealthState, number>;
  for (const { health } of found) counts[health.state] += 1;
  const troubled = TROUBLED.flatMap((wanted) => found.filter(({ health }) => health.state === wanted));
  return {
    total: found.length,
    counts,
    troubled: troubled
      .slice(0, MAX_TROUBLED)
      .map(({ endpoint: { _id: id, url, description }, health: { state } }) => ({ id, url, description, state })),
    more: Math.max(0, troubled.length - MAX_TROUBLED),
  };
}
