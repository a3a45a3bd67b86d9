import { statusOf, type Account } from './account-store';

/** An account as the operator's CLI prints it. */
export function presentAccount(account: Account) {
  const { _id: id, external_id: externalId = null, name = null, email = null, tier } = account;
  const status = statusOf(account);
  return { id, external_id: externalId, name, email, tier, ...(status !== 'active' && { status }) };
}
