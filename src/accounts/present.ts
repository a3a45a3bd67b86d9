import type { Account } from './store';

/** An account as the operator's CLI prints it. */
export function presentAccount({ _id: id, email, tier, suspended_at: at, deleting_since: since }: Account) {
  const state = since ? 'being deleted' : at && 'suspended';
  return { id, email, tier, ...(state !== undefined && { state }) };
}
