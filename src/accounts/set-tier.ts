import type { By } from '../domain/audit-actions';
import { requireTier, type AccountDeps } from './create-account';
import { accountNotFound } from './require-account';
import type { Account } from './account-store';

/**
 * Moves an account to another tier; its limits hold from the next call on.
 *
 * @throws InvalidRequestError for an unknown tier
 * @throws NotFoundError for an unknown account
 */
export async function setTier(deps: AccountDeps, input: { accountId: string; tier: string }, by: By): Promise<Account> {
  requireTier(deps.tiers, input.tier);
  const account = await deps.accounts.setTier(input.accountId, input.tier, by);
  if (!account) throw accountNotFound(input.accountId);
  return account;
}
