import type { Product } from './api-key';
import { MANAGEMENT_SCOPE_NAMES, type Scope } from './scopes';

/** What all keys have. The key itself is not stored: only its SHA-256. */
interface StoredKey {
  readonly _id: string;
  /** SHA-256 of the full key, hexadecimal. 128 random bits need no slow hash. */
  readonly hash: string;
  /** `svc_live_weh_…4f2a`. */
  readonly display: string;
  readonly label: string;
  readonly created_at: Date;
  /** Id of the user who created it, or the operating system's user at the command line; absent if that is unknown. */
  readonly created_by?: string;
  /** The key is refused from this time on, by the database's clock; if absent, it never expires. */
  readonly expires_at?: Date;
  readonly last_used_at: Date | null;
  /** The client's address of that use; absent before the first. */
  readonly last_used_address?: string;
  /** Authenticated calls; absent before the first. If a process dies, the last seconds of its count are lost. */
  readonly calls?: number;
  readonly revoked_at: Date | null;
}

/** A key of an account, for one product. */
export interface ApiKey extends StoredKey {
  readonly product: Product;
  readonly account_id: string;
  /** If absent, the key has all scopes of its product; use `scopesOf`. */
  readonly scopes?: readonly Scope[];
}

/** A key of the installation: it acts for any account. */
export interface ManagementKey extends StoredKey {
  readonly product: typeof MANAGEMENT;
  /** If absent, the key has all scopes; use `managementScopesOf`. */
  readonly scopes?: readonly Scope[];
}

/** What management keys have in place of a product. */
export const MANAGEMENT = 'admin';

/** Any key. */
export type AnyKey = ApiKey | ManagementKey;

/** Whether a key belongs to the installation. */
export function isManagementKey(key: AnyKey): key is ManagementKey {
  return key.product === MANAGEMENT;
}

/** The scopes of a management key: those it was created with, or all. */
export function managementScopesOf({ scopes }: ManagementKey): readonly Scope[] {
  return scopes ?? MANAGEMENT_SCOPE_NAMES;
}
