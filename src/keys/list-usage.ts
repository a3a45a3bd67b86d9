import { requireAccount } from '../accounts/manage-accounts';
import type { AccountStore } from '../accounts/account-store';
import { InvalidRequestError } from '../domain/errors';
import type { Clock } from '../platform/clock';
import type { UsageRecord, UsageStore } from './usage-store';

const DAY_MS = 86_400_000;
const MAX_DAYS = 400;

/**
 * An account's usage in the last days, today (UTC) included: calls by day, key and operation, newest day first.
 *
 * @throws InvalidRequestError unless the number of days is 1 to 400
 * @throws NotFoundError for an unknown account
 */
export async function listUsage(
  deps: { accounts: Pick<AccountStore, 'find'>; usage: Pick<UsageStore, 'list'>; clock: Clock },
  { accountId, days }: { accountId: string; days: number },
): Promise<UsageRecord[]> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new InvalidRequestError(`The number of days is 1 to ${MAX_DAYS}.`, 'invalid_days');
  }
  await requireAccount(deps.accounts, accountId);
  const since = new Date(deps.clock() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return (await deps.usage.list(accountId, since)).records;
}
