import type { Account } from './store';

/** An account as the operator's CLI prints it. */
export function presentAccount(account: Account) {
  return { id: account._id, email: account.email, tier: account.tier };
}
