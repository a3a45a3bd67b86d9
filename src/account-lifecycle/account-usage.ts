import type { Account, AccountStore } from '../accounts/account-store';
import type { UsageStore } from '../keys/usage-store';
import { readPage } from '../platform/cursor';
import type { DeliveryCountStore } from '../stores/delivery-count-store';
import type { AccountUsage, AccountUsageQuery } from './schema';

/** What the usage of all accounts reads. */
export interface AccountUsageDeps {
  readonly accounts: Pick<AccountStore, 'page'>;
  readonly deliveryCounts: Pick<DeliveryCountStore, 'ofAccounts'>;
  readonly usage: Pick<UsageStore, 'callsOfAccounts'>;
}

/** What an account did on one day. */
type AccountUsageRow = AccountUsage['usage'][number];

/**
 * What accounts did, by day (UTC): a page of accounts, newest first, with their days in order. Days without anything are
 * left out.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
export async function readAccountUsage(
  deps: AccountUsageDeps,
  { after, before, ...query }: AccountUsageQuery,
): Promise<AccountUsage> {
  const { page, nextCursor } = await readPage('account_usage', query, (limit, position) =>
    deps.accounts.page(undefined, limit, position),
  );
  return { usage: await usageOfAccounts(deps, page, after, before), next_cursor: nextCursor };
}

/** What these accounts did on the days from `after` to before `before`: each in turn, with its days in order. */
export async function usageOfAccounts(
  deps: Omit<AccountUsageDeps, 'accounts'>,
  accounts: readonly Account[],
  after: string,
  before: string,
): Promise<AccountUsageRow[]> {
  const ids = accounts.map(({ _id }) => _id);
  const [days, calls] = await Promise.all([
    deps.deliveryCounts.ofAccounts(ids, after, before),
    deps.usage.callsOfAccounts(ids, after, before),
  ]);
  const rows = new Map<string, Map<string, Partial<AccountUsageRow>>>();
  for (const { accountId, day, ...counts } of [...days, ...calls]) {
    const ofAccount = rows.get(accountId) ?? new Map<string, Partial<AccountUsageRow>>();
    rows.set(accountId, ofAccount.set(day, { ...ofAccount.get(day), ...counts }));
  }
  return accounts.flatMap((account) => rowsOf(account, rows.get(account._id)));
}

const NOTHING = { events: 0, deliveries: 0, attempts: 0, failed_attempts: 0, calls: 0 };

function rowsOf(account: Account, days: ReadonlyMap<string, Partial<AccountUsageRow>> = new Map()): AccountUsageRow[] {
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, counts]) => ({
      ...{ account_id: account._id, external_id: account.external_id ?? null, day },
      ...{ ...NOTHING, ...counts },
    }));
}
