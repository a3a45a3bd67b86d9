import type { By } from '../domain/audit-actions';
import { NotFoundError } from '../domain/errors';
import { requireTier, type AccountDeps } from './create-account';
import type { Account } from './store';

/**
 * Moves an account to another tier; its limits hold from the next call on.
 *
 * @throws InvalidRequestError for an unknown tier
 * @throws NotFoundError for an unknown account
 */
export async function setTier(deps: AccountDeps, input: { accountId: string; tier: string }, by: By): Promise<Account> {
  requireTier(deps.tiers, input.tier);
  const account = await deps.accounts.setTier(input.accountId, input.tier, by);
  if (!account) throw new NotFoundError(`There is no account ${input.accountId}.`, 'account_not_found');
  return account;
}
