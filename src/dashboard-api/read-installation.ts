import type { z } from 'zod';
import type { AccountStore } from '../accounts/account-store';
import { addHealth, type HealthDeps } from '../endpoints/read-health';
import type { BacklogStore } from '../stores/backlog-store';
import type { EndpointStore } from '../stores/endpoint-store';
import type { OutageStore } from '../stores/outage-store';
import type { CountBacklog } from './count-backlog';
import { presentStart } from './overview-attention';
import type { installationView } from './overview-schema';
import { presentAccountName } from './present-account';

/** What the overview of all accounts reads. */
export interface InstallationDeps extends Pick<HealthDeps, 'attemptCounts' | 'health'> {
  readonly accounts: Pick<AccountStore, 'findMany'>;
  readonly endpoints: Pick<EndpointStore, 'findMany' | 'findStopped'>;
  readonly outages: Pick<OutageStore, 'failingLongest'>;
  readonly backlog: Pick<BacklogStore, 'lateness'>;
}

type Installation = z.output<typeof installationView>;
type Row = Installation['accounts'][number];

/** Of more endpoints the health is not read, which bounds the work. */
const MAX_ENDPOINTS = 200;
/** Of more accounts the unfinished deliveries are not counted: one count takes up to a second. */
const MAX_ACCOUNTS = 20;

/**
 * What needs attention in the whole installation: the accounts with endpoints that fail or are stopped, the most of them
 * first, and how late the deliveries of all accounts are.
 *
 * @param now by the database's clock
 */
export async function readInstallation(
  deps: InstallationDeps,
  countBacklog: CountBacklog,
  now: Date,
): Promise<Installation> {
  const [failingIds, stopped, lateness] = await Promise.all([
    deps.outages.failingLongest(MAX_ENDPOINTS),
    deps.endpoints.findStopped(MAX_ENDPOINTS),
    deps.backlog.lateness(now),
  ]);
  const known = new Set(stopped.map(({ _id }) => _id));
  const failing = await deps.endpoints.findMany(failingIds.filter((id) => !known.has(id)));
  const rows = rowsOf(await addHealth(deps, { now }, [...stopped, ...failing]));
  const shown = rows.slice(0, MAX_ACCOUNTS);
  const found = await deps.accounts.findMany(shown.map(({ accountId }) => accountId));
  const names = new Map(found.map((account) => [account._id, presentAccountName(account)]));
  return {
    accounts: await Promise.all(
      shown.map(async ({ accountId, ...row }) => ({
        account: names.get(accountId) ?? { id: accountId, external_id: null, name: null, email: null },
        ...row,
        backlog: await countBacklog(accountId, now),
      })),
    ),
    more: rows.length - shown.length,
    complete: stopped.length < MAX_ENDPOINTS && failingIds.length < MAX_ENDPOINTS,
    overdue: { events: lateness.due, oldest_seconds: Math.round(lateness.oldestSeconds) },
  };
}

type Counted = Omit<Row, 'account' | 'backlog'> & { readonly accountId: string };

/** A row for each account that has an endpoint which fails or is stopped. */
function rowsOf(found: Awaited<ReturnType<typeof addHealth>>): Counted[] {
  const rows = new Map<string, Counted>();
  for (const { endpoint, health } of found) {
    const { account_id: accountId } = endpoint;
    const row = rows.get(accountId) ?? {
      accountId,
      failing: 0,
      disabled: 0,
      paused: 0,
      degraded: 0,
      failing_since: null,
    };
    const { state } = health;
    if (state === 'healthy' || state === 'waiting') continue;
    const since = presentStart(health);
    const isEarlier = since !== null && (row.failing_since === null || since < row.failing_since);
    rows.set(accountId, { ...row, [state]: row[state] + 1, ...(isEarlier && { failing_since: since }) });
  }
  return [...rows.values()].sort(
    (one, other) =>
      other.failing - one.failing ||
      other.disabled - one.disabled ||
      other.degraded - one.degraded ||
      other.paused - one.paused ||
      (one.failing_since ?? '~').localeCompare(other.failing_since ?? '~'),
  );
}
