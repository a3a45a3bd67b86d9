import { statusOf, type Account } from './account-store';

/** An account as the operator's CLI prints it: always the same columns, because a list is printed page by page. */
export function presentAccount(account: Account) {
  const { _id: id, external_id: externalId = null, name = null, email = null, tier } = account;
  return { id, external_id: externalId, name, email, tier, status: statusOf(account) };
}
