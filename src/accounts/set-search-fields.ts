import type { By } from '../domain/audit-actions';
import type { AccountStore } from './account-store';
import { requireAccount } from './manage-accounts';

/**
 * Sets the top-level fields of `data` by which an account's events are found. The setting covers events accepted from
 * now on: events that are stored keep their search values, and get no new ones.
 *
 * @returns the fields
 * @throws NotFoundError for an unknown account
 */
export async function setSearchFields(
  { accounts }: { readonly accounts: Pick<AccountStore, 'find' | 'setSearchFields'> },
  { accountId, fields }: { readonly accountId: string; readonly fields: readonly string[] },
  by: By,
): Promise<readonly string[]> {
  const { search_fields: before = [] } = await requireAccount(accounts, accountId);
  if (before.join() !== fields.join()) await accounts.setSearchFields(accountId, fields, by);
  return fields;
}
