import { statusOf, type Account } from './account-store';

/** An account as the operator's CLI prints it. */
export function presentAccount(account: Account) {
  const { _id: id, external_id: externalId, name, email = null, tier } = account;
  const status = statusOf(account);
  const own = { ...(externalId !== undefined && { external_id: externalId }), ...(name !== undefined && { name }) };
  return { id, ...own, email, tier, ...(status !== 'active' && { status }) };
}
