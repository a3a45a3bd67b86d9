import type { Account } from './account-store';

/** An account as the operator's CLI prints it. */
export function presentAccount(account: Account) {
  const { _id: id, external_id: externalId, name, email = null, tier } = account;
  const state = stateOf(account);
  const own = { ...(externalId !== undefined && { external_id: externalId }), ...(name !== undefined && { name }) };
  return { id, ...own, email, tier, ...(state !== 'active' && { state }) };
}

/** The actions of operators on an account. */
export function stateOf({ suspended_at: at, deleting_since: since }: Account) {
  if (since) return 'being deleted';
  return at ? 'suspended' : 'active';
}
