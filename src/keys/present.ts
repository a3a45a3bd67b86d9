import { scopesOf } from '../domain/scopes';
import { managementScopesOf, type ApiKey, type ManagementKey } from '../domain/api-key-record';

/** A key in lists, without the key itself. */
export function presentKey(key: ApiKey) {
  const own = { product: key.product, label: key.label, account_id: key.account_id, scopes: scopesOf(key) };
  return { id: key._id, display: key.display, ...own, ...presentTimes(key) };
}

/** A management key in lists, without the key itself. */
export function presentManagementKey(key: ManagementKey) {
  const own = { product: key.product, label: key.label, account_id: null, scopes: managementScopesOf(key) };
  return { id: key._id, display: key.display, ...own, ...presentTimes(key) };
}

function presentTimes(key: ApiKey | ManagementKey) {
  return {
    created_at: key.created_at.toISOString(),
    created_by: key.created_by ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    last_used_address: key.last_used_address ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
  };
}
