import type { AccountStore } from '../accounts/account-store';
import type { Product } from '../domain/api-key';
import { scopesOf, type Scope } from '../domain/scopes';
import type { ApiKey } from '../domain/api-key-record';

/** What the holder of a key may know about it. */
export interface KeyDescription {
  readonly product: Product;
  readonly label: string;
  readonly account_id: string;
  /** Tier id of its account. */
  readonly tier: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601; null for a key that never expires. */
  readonly expires_at: string | null;
}

/** Describes a key that was authenticated. */
export async function describeKey(
  deps: { accounts: Pick<AccountStore, 'find'> },
  key: ApiKey,
): Promise<KeyDescription> {
  const account = await deps.accounts.find(key.account_id);
  return {
    product: key.product,
    label: key.label,
    account_id: key.account_id,
    tier: account?.tier ?? 'free',
    scopes: scopesOf(key),
    expires_at: key.expires_at?.toISOString() ?? null,
  };
}
