import type { By } from '../domain/audit-actions';
import { ConflictError, InvalidRequestError } from '../domain/errors';
import type { Tier } from '../domain/tiers';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import { normaliseEmail } from './email';
import type { Account, AccountStore } from './account-store';

/** What the account verbs need. */
export interface AccountDeps {
  readonly accounts: AccountStore;
  readonly tiers: ReadonlyMap<string, Tier>;
  readonly clock: Clock;
}

/**
 * Creates an account.
 *
 * @throws InvalidRequestError for an address that is none or an unknown tier
 * @throws ConflictError when the address has an account already
 */
export async function createAccount(
  deps: AccountDeps,
  input: { email: string; tier: string },
  by: By,
): Promise<Account> {
  const email = normaliseEmail(input.email);
  requireTier(deps.tiers, input.tier);
  const account: Account = {
    _id: newId('acc'),
    email,
    tier: input.tier,
    endpoints_version: 0,
    created_at: new Date(deps.clock()),
  };
  if (!(await deps.accounts.insert(account, by))) {
    throw new ConflictError(`There is an account for ${email} already.`, 'email_taken');
  }
  return account;
}

/** @throws InvalidRequestError listing the tiers there are */
export function requireTier(tiers: ReadonlyMap<string, Tier>, id: string): Tier {
  const tier = tiers.get(id);
  if (!tier) {
    throw new InvalidRequestError(`There is no tier "${id}". Tiers: ${[...tiers.keys()].join(', ')}.`, 'unknown_tier');
  }
  return tier;
}
