import type { By } from '../domain/audit-actions';
import { ConflictError, InvalidRequestError, NotFoundError } from '../domain/errors';
import type { Tier } from '../domain/tiers';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import { normaliseEmail } from './email';
import type { Account, AccountStore } from './account-store';

/** What the operations on accounts need. */
export interface AccountDeps {
  readonly accounts: AccountStore;
  readonly tiers: ReadonlyMap<string, Tier>;
  readonly clock: Clock;
}

/**
 * Creates an account.
 *
 * @throws InvalidRequestError for an invalid address or an unknown tier
 * @throws ConflictError when the address already has an account
 */
export async function createAccount(
  deps: AccountDeps,
  input: { email: string; tier: string },
  by: By,
): Promise<Account> {
  const email = normaliseEmail(input.email);
  requireTier(deps.tiers, input.tier);
  const account = newAccount(email, input.tier, deps.clock());
  if (!(await deps.accounts.insert(account, by))) {
    throw new ConflictError(`There is an account for ${email} already.`, 'email_taken');
  }
  return account;
}

/**
 * Makes an account that is not stored yet.
 *
 * @param email as `normaliseEmail` spells it
 */
export function newAccount(email: string, tier: string, createdAtMs: number): Account & { readonly email: string } {
  return { _id: newId('acc'), email, tier, endpoints_version: 0, created_at: new Date(createdAtMs) };
}

/** @throws InvalidRequestError listing the existing tiers */
export function requireTier(tiers: ReadonlyMap<string, Tier>, id: string): Tier {
  const tier = tiers.get(id);
  if (!tier) {
    throw new InvalidRequestError(`There is no tier "${id}". Tiers: ${[...tiers.keys()].join(', ')}.`, 'unknown_tier');
  }
  return tier;
}

/**
 * Moves an account to another tier. Its limits apply from the next call.
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

/**
 * Reads an account.
 *
 * @throws NotFoundError for an unknown account
 */
export async function requireAccount(accounts: Pick<AccountStore, 'find'>, accountId: string): Promise<Account> {
  const account = await accounts.find(accountId);
  if (!account) throw accountNotFound(accountId);
  return account;
}

/** The error for an unknown account. */
export function accountNotFound(accountId: string): NotFoundError {
  return new NotFoundError(`There is no account ${accountId}.`, 'account_not_found');
}
