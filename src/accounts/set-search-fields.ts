import type { By } from '../domain/audit-actions';
import { PreconditionFailedError } from '../domain/errors';
import type { AccountStore } from './account-store';
import { requireAccount } from './manage-accounts';

/** Which fields an account is to have. */
interface SearchFieldsChange {
  readonly accountId: string;
  readonly fields: readonly string[];
  readonly replaces?: readonly string[] | undefined;
}

/**
 * Sets the top-level fields of `data` by which an account's events are found. The setting covers events accepted from
 * now on: events that are stored keep their search values, and get no new ones.
 *
 * @param change `replaces` has the fields that the caller saw; undefined for whatever there is
 * @returns the fields
 * @throws NotFoundError for an unknown account
 * @throws PreconditionFailedError when the fields are no longer those that the caller saw
 */
export async function setSearchFields(
  { accounts }: { readonly accounts: Pick<AccountStore, 'find' | 'setSearchFields'> },
  { accountId, fields, replaces }: SearchFieldsChange,
  by: By,
): Promise<readonly string[]> {
  for (;;) {
    const { search_fields: before = [] } = await requireAccount(accounts, accountId);
    if (replaces && !isSame(replaces, before)) {
      throw new PreconditionFailedError('The search fields have changed meanwhile.', 'precondition_failed');
    }
    if (isSame(before, fields) || (await accounts.setSearchFields(accountId, before, fields, by))) return fields;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}
